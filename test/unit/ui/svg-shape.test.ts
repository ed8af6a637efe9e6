import { expect, test } from "vitest";

import { svgShape } from "../../../src/ui/drawing/sealed-document.js";

test("the shape of a drawing is its box, else its size, else twice as wide as high", () => {
  expect(svgShape(`<?xml version="1.0"?><SVG viewBox="0 0 300 100" width="10" height="10"/>`).ratio).toBe(3);
  expect(svgShape(`<svg width="40px" height='10'></svg>`).ratio).toBe(4);
  expect(svgShape("<svg></svg>")).toEqual({ text: '<svg xmlns="http://www.w3.org/2000/svg"></svg>', ratio: 2 });
  expect(svgShape("no drawing")).toEqual({ text: "no drawing", ratio: 2 });
});

test("a text that begins drawings without end is looked at in the time that its length takes", () => {
  // A look that grows with the square of the length would not end within the limit of a test.
  expect(svgShape("<svg ".repeat(600_000)).ratio).toBe(2);
});
