import { expect, test } from "vitest";

import { compareLines } from "../../../src/ui/state/text/line-difference.js";

test("two texts are shown from shortly before their first difference", () => {
  const { skipped, left, right } = compareLines("1\n2\n3\n4\nfive", "1\n2\n3\n4\n5\n6");

  expect(skipped).toBe(2);
  expect(left).toEqual([
    { text: "3", differs: false },
    { text: "4", differs: false },
    { text: "five", differs: true },
  ]);
  expect(right.map(({ text, differs }) => [text, differs])).toEqual([
    ["3", false],
    ["4", false],
    ["5", true],
    ["6", true],
  ]);
});
