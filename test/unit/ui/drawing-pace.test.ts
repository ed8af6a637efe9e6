import { expect, test } from "vitest";

import { DrawingPace } from "../../../src/ui/drawing/drawing-pace.js";

test("lists that are drawn at once share the frame: once it is used up the others wait for the next", async () => {
  const [first, second] = [new DrawingPace(), new DrawingPace()];
  expect(first.begin()).toBeGreaterThan(0);
  const began = performance.now();
  while (performance.now() - began < 20);

  expect(second.begin()).toBe(0);
  await second.rest();
  expect(second.begin()).toBeGreaterThan(0);
});
