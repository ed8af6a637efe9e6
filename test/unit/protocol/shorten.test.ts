import { expect, test } from "vitest";

import { shorten } from "../../../src/protocol/index.js";

test("a text is cut at the end of a character, with a mark, and one that fits is not", () => {
  expect(["", "four", "fives", "abc😀", "ab😀c"].map((text) => shorten(text, 4))).toEqual([
    "",
    "four",
    "five…",
    "abc…",
    "ab😀…",
  ]);
  expect(shorten("abc😀", 4, " [cut]")).toBe("abc [cut]");
  expect(shorten("abc", 0, "")).toBe("");
});
