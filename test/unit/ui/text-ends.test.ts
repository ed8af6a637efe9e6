import { describe, expect, test } from "vitest";

import { beginningOf, cutText, endOf, withoutMiddle } from "../../../src/ui/drawing/text-ends.js";

const lines = "x\n".repeat(100_000);

describe("a text that is drawn in part", () => {
  test("is whole where it is short, with its lines", () => {
    const text = "one\ntwo\n\nthree";

    expect([beginningOf(text, 1000), endOf(text, 1000), cutText(text), withoutMiddle(text, 1000)]).toEqual(
      Array(4).fill(text),
    );
  });

  test("has as many characters as are drawn, from its beginning or its end, and no half of one", () => {
    expect(beginningOf("abcdef", 4)).toBe("abcd");
    expect(endOf("abcdef", 4)).toBe("cdef");
    expect(beginningOf("a😀", 2)).toBe("a");
  });

  test("has fewer of them where it has many lines", () => {
    expect(beginningOf(lines, 20_000).split("\n").length).toBeLessThan(1000);
    expect(endOf(lines, 20_000).split("\n").length).toBeLessThan(1000);
    expect(beginningOf(lines, 20_000).length).toBeGreaterThan(1000);
    expect(lines.endsWith(endOf(lines, 20_000))).toBe(true);
  });

  test("says how much more there is", () => {
    expect(cutText("a".repeat(30), 20)).toBe(`${"a".repeat(20)}\n… 10 more characters not shown`);
    expect(withoutMiddle(`${"a".repeat(10)}${"b".repeat(10)}${"c".repeat(10)}`, 10)).toBe(
      `${"a".repeat(10)}\n… 10 characters not shown …\n${"c".repeat(10)}`,
    );
  });
});
