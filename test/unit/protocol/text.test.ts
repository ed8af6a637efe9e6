import { expect, test } from "vitest";

import { shorten, shortenBytes, shortenTo, shortenUnits, shortenUnitsTo } from "../../../src/protocol/index.js";

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

test("a cut text is as long as it may be with its mark, or without", () => {
  expect(shorten("abcdef", 4)).toBe("abcd…");
  expect(shortenTo("abcdef", 4)).toBe("abc…");
  expect(shortenTo("ab😀d", 4)).toBe("ab…");
  expect([shortenTo("four", 4), shortenUnitsTo("four", 4), shortenUnits("four", 4)]).toEqual(["four", "four", "four"]);
});

test("units are counted where halves of a character do no harm", () => {
  expect(shortenUnits("abc😀", 4, "...")).toBe("abc\uD83D...");
  expect(shortenUnitsTo("abc😀", 4)).toBe("abc…");
  expect(shortenUnitsTo("ab😀d", 4)).toBe("ab\uD83D…");
});

test("bytes end with a character", () => {
  expect(shortenBytes("aé€😀", 10)).toBe("aé€😀");
  expect(shortenBytes("aé€😀", 9)).toBe("aé€\n[OUTPUT TRUNCATED]");
});
