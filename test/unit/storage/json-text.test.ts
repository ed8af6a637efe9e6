import { describe, expect, test } from "vitest";

import { PythonFloat, Tuple, type Value } from "../../../src/protocol/index.js";
import { parsePythonJson, stringifyPythonJson } from "../../../src/storage/index.js";

describe("JSON text", () => {
  test("what Python's json writes and the browser's refuses is read and written", () => {
    const text = '{"a":NaN,"b":[Infinity,-Infinity],"c":123456789012345678901234567890,"d":-9007199254740993}';

    const value = parsePythonJson(text);

    expect(value).toEqual({
      a: NaN,
      b: [Infinity, -Infinity],
      c: 123456789012345678901234567890n,
      d: -9007199254740993n,
    });
    expect(stringifyPythonJson(value)).toBe(text);
  });

  test("the same words inside strings stay text", () => {
    const value = { NaN: 'say "NaN" \\', text: '\\"Infinity 12345678901234567890', mark: "number:NaN", real: NaN };

    expect(parsePythonJson(stringifyPythonJson(value))).toEqual(value);
  });

  test("numbers that the browser reads well stay numbers", () => {
    expect(parsePythonJson("[1234567890123456, 1e300, 12345678901234567.5, 0.1234567890123456789]")).toEqual([
      1234567890123456, 1e300, 12345678901234568, 0.12345678901234568,
    ]);
  });

  test("text that is no JSON is refused", () => {
    for (const text of ["not json {", "", "NaN}", '{"a": 12345678901234567890', '"open 1234567890123456', "nan"]) {
      expect(() => parsePythonJson(text), text).toThrow(SyntaxError);
    }
  });

  test.each<[string, Value, string]>([
    ["tuples as lists", Tuple.from<Value>([1, "a"]), '[1,"a"]'],
    ["floats with their point", new PythonFloat(2), "2.0"],
    ["negative zero", -0, "-0.0"],
    ["undefined as null", { a: undefined }, '{"a":null}'],
    [
      "keys as Python makes them",
      new Map<Value, Value>([
        [1, "a"],
        [true, "b"],
        [null, "c"],
        [1.5, "d"],
      ]),
      '{"1":"a","true":"b","null":"c","1.5":"d"}',
    ],
    ["a key named __proto__", parsePythonJson('{"__proto__":1}'), '{"__proto__":1}'],
  ])("writes %s", (_, value, text) => {
    expect(stringifyPythonJson(value)).toBe(text);
  });

  test.each<[string, Value, string]>([
    ["bytes", { a: [Uint8Array.of(1)] }, "A value of type Uint8Array at value.a[0] is not JSON serializable."],
    ["a set", new Set([1]), "A value of type Set at value is not JSON serializable."],
    ["a date", { when: new Date(0) }, "A value of type Date at value.when is not JSON serializable."],
    ["a key that is a list", new Map([[[1], 1]]), "is not JSON serializable"],
  ])("refuses %s and says where it is", (_, value, message) => {
    expect(() => stringifyPythonJson(value)).toThrow(message);
  });

  test("refuses what contains itself or is nested beyond all measure", () => {
    const loop: Value[] = [];
    loop.push({ loop });
    let deep: Value = 1;
    for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];

    expect(() => stringifyPythonJson(loop)).toThrow("contains itself at value[0].loop");
    expect(() => stringifyPythonJson(deep)).toThrow("Nesting over 500 levels");
  });
});
