import { describe, expect, test } from "vitest";

import { argumentText } from "../../../src/ui/drawing/argument-text.js";
import { unambiguousName, visibleLine, visibleText } from "../../../src/ui/drawing/visible.js";
import { Content, PythonFloat, PythonTemporal, Tuple, type Value } from "../../../src/protocol/index.js";

describe("a text that a person agrees to", () => {
  test.each([
    ["the reading order turned around", "pay\u202e001", "pay\\u{202e}001"],
    ["an isolated direction", "a\u2066b\u2069", "a\\u{2066}b\\u{2069}"],
    ["a blank of no width", "a\u200bb", "a\\u{200b}b"],
    ["a joiner", "a\u034fb", "a\\u{34f}b"],
    ["a filler", "a\u3164b", "a\\u{3164}b"],
    ["an empty pattern of Braille", "a\u2800b", "a\\u{2800}b"],
    ["a blank that is none", "a\u00a0b\u2003c", "a\\u{a0}b\\u{2003}c"],
    ["a tag", "a\u{e0041}b", "a\\u{e0041}b"],
    ["a variation", "a\ufe01b", "a\\u{fe01}b"],
    ["a control character", "a\u001b[2Kb\r", "a\\u{1b}[2Kb\\u{d}"],
    ["half a character", "a\ud800b", "a\\u{d800}b"],
  ])("has written out what would not be seen: %s", (_name, text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(visibleLine(text)).toBe(shown);
  });

  test("keeps what is plain to see, of every script", () => {
    const text = "def run():\n\treturn 'größe привет 你好 ❤️ 👍'";

    expect(visibleText(text)).toBe(text);
    expect(visibleLine("a\n\tb")).toBe("a\\u{a}\\u{9}b");
  });

  test("is a name whose letters of other scripts are written out beside it", () => {
    expect(unambiguousName("skills.helper")).toBeUndefined();
    expect(unambiguousName("skills.h\u0435lper")).toBe("skills.h\\u{435}lper");
  });
});

describe("an argument that a person agrees to", () => {
  test.each<[string, Value, string]>([
    ["a text", "two\nlines", "two\nlines"],
    ["None", null, "None"],
    [
      "numbers that JSON does not know",
      [Infinity, -Infinity, NaN, -0],
      "[float('inf'), float('-inf'), float('nan'), -0.0]",
    ],
    ["floats", [new PythonFloat(2), 0.5], "[2.0, 0.5]"],
    ["a large int", 2n ** 70n, "1180591620717411303424"],
    ["an array of numbers", Float64Array.of(0.5, -2), "Float64Array([0.5, -2])"],
    ["bytes that are text", new TextEncoder().encode("a,b"), "a,b"],
    ["bytes that are none", Uint8Array.of(0, 65, 39, 255), "b'\\x00A\\x27\\xff'"],
    ["bytes inside", { data: Uint8Array.of(1) }, "{'data': b'\\x01'}"],
    ["a tuple", Tuple.of(1), "(1,)"],
    ["a set", new Set([1, 2]), "{1, 2}"],
    ["a dict of other keys", new Map([[1, "a"]]), "{1: 'a'}"],
    ["a date", new PythonTemporal("date", "2026-11-25"), "2026-11-25"],
    [
      "content",
      new Content({ kind: "image", mimeType: "image/png" }),
      "Content({'kind': 'image', 'mimeType': 'image/png'})",
    ],
    ["a text inside, with what would not be seen", ["a\u202eb\nc"], "['a\\u202eb\\nc']"],
    ["a key with what would not be seen", { "a\u200b": 1 }, "{'a\\u200b': 1}"],
  ])("is shown as Python writes it: %s", (_name, value, shown) => {
    expect(argumentText(value)).toEqual({ text: shown, isWhole: true });
  });

  test("has a line for each part where it is long", () => {
    expect(argumentText({ to: "a".repeat(50), text: "b".repeat(50), flags: [1, 2] }).text).toBe(
      `{\n  'to': '${"a".repeat(50)}',\n  'text': '${"b".repeat(50)}',\n  'flags': [1, 2],\n}`,
    );
  });

  test.each<[string, Value, RegExp]>([
    ["a text", "x".repeat(1_000_000), /… 950,000 more characters, which are not shown$/],
    ["a list", Array.from({ length: 1_000_000 }, () => 0), /… and more, which is not shown$/],
    ["a text in a list", ["x".repeat(1_000_000)], /… and more, which is not shown$/],
    ["bytes", new Uint8Array(1_000_000).fill(255), /… and more, which is not shown$/],
    ["bytes in a list", Array.from({ length: 5000 }, () => new Uint8Array(1000)), /… and more, which is not shown$/],
  ])("says what is left out of it where it is very long: %s", (_name, value, end) => {
    const { text, isWhole } = argumentText(value, 50_000);

    expect(isWhole).toBe(false);
    expect(text).toMatch(end);
    expect(text.length).toBeLessThan(260_000);
    expect(argumentText(value, Infinity).isWhole).toBe(true);
  });
});
