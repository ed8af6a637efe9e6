import { describe, expect, test } from "vitest";

import { beginningOf, cutText, endOf, withoutMiddle } from "../../../src/ui/state/text/text-ends.js";

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

  test.each([
    ["direction changes all the time", "א a".repeat(60_000)],
    ["letters carry very many marks", `a${"\u0301".repeat(190_000)}`],
    [
      "letters are of very many scripts",
      Array.from({ length: 190_000 }, (_, n) => String.fromCharCode(0x590 + ((n * 97) % 0x1a00))).join(""),
    ],
  ])("has far fewer of them where its %s, and no long line", (_what, text) => {
    const shown = cutText(text);

    expect(shown).toMatch(/more characters not shown$/);
    expect(shown.length).toBeLessThan(30_000);
    expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(1000);
  });

  test.each([
    ["Chinese", "漢字仮名交じり文。".repeat(3000)],
    ["Russian", "Съешь же ещё этих мягких французских булок. ".repeat(1000)],
    ["Hebrew with a little English", `${"שלום לכם, חברים יקרים. ".repeat(10)} hello\n`.repeat(50)],
    ["boxes and arrows", "│ a → b │\n└───────┘\n".repeat(1200)],
  ])("has all of some pages of %s, lines as they are", (_what, text) => {
    expect(cutText(text)).toBe(text);
  });

  test("says how much more there is", () => {
    expect(cutText("a".repeat(30), 20)).toBe(`${"a".repeat(20)}\n… 10 more characters not shown`);
    expect(withoutMiddle(`${"a".repeat(10)}${"b".repeat(10)}${"c".repeat(10)}`, 10)).toBe(
      `${"a".repeat(10)}\n… 10 characters not shown …\n${"c".repeat(10)}`,
    );
  });
});
