import { describe, expect, test } from "vitest";

import {
  markPythonType,
  PythonFloat,
  PythonTemporal,
  Tuple,
  ZonedDate,
  type Value,
} from "../../../src/protocol/index.js";
import { LiteralTooLargeError, pythonLiteral } from "../../../src/ui/widget/runtime/checks/python-literal.js";

describe("a value as a Python expression", () => {
  test.each<[Value, string]>([
    [null, "None"],
    [true, "True"],
    [-3, "-3"],
    [2.5, "2.5"],
    [-0, "(-0.0)"],
    [1e300, "1e+300"],
    [2 ** 60, "1152921504606847000.0"],
    [2n ** 70n, "1180591620717411303424"],
    [Number.NaN, "(1e999 - 1e999)"],
    [Number.NEGATIVE_INFINITY, "(-1e999)"],
    [new PythonFloat(2), "2.0"],
    ['a "quote"\n\\ \u{1f600} \u2028', '"a \\"quote\\"\\n\\\\ \u{1f600} \u2028"'],
    ["\ud800", '"\\ud800"'],
    [new Uint8Array([0, 255]), 'b"\\x00\\xff"'],
    [new Float64Array([1, 0.5]), "[1, 0.5]"],
    [[1, [2]], "[1, [2]]"],
    [Tuple.from<Value>([1]), "(1,)"],
    [new Set<Value>(), "{*()}"],
    [new Set<Value>([new Set<Value>([1])]), '{__import__("builtins").frozenset({1})}'],
    [new Map<Value, Value>([[Tuple.from<Value>([1, 2]), "x"]]), '{(1, 2,): "x"}'],
    [{ "a b": { c: 1 } }, '{"a b": {"c": 1}}'],
    [markPythonType({ repr: "<x>", type: "X" }, "X"), '{"repr": "<x>", "type": "X"}'],
    [new PythonTemporal("date", "2026-01-02"), '__import__("datetime").date.fromisoformat("2026-01-02")'],
    [new PythonTemporal("timedelta", "5"), '__import__("datetime").timedelta(microseconds=5)'],
    [
      new ZonedDate("2026-01-02T03:04:05.000006+01:00", "Europe/Oslo"),
      '__import__("datetime").datetime.fromisoformat("2026-01-02T03:04:05.000006+01:00")',
    ],
  ])("number %# of them", (value, expected) => {
    expect(pythonLiteral(value)).toBe(expected);
  });

  test("is refused where it would be too long, before it is written", () => {
    expect(() => pythonLiteral("x".repeat(200), 100)).toThrow(LiteralTooLargeError);
    expect(() => pythonLiteral(new Uint8Array(30), 100)).toThrow(LiteralTooLargeError);
    expect(() =>
      pythonLiteral(
        Array.from({ length: 60 }, () => []),
        100,
      ),
    ).toThrow(LiteralTooLargeError);
  });
});
