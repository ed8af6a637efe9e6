import { describe, expect, test } from "vitest";

import { RunError } from "../../../src/session/index.js";
import { faultLineOf } from "../../../src/ui/widget/runtime/fault-line.js";
import { textOf } from "../../../src/ui/widget/runtime/run-text.js";

const code = "one\ntwo\nthree";
const name = "cell 3";

function raised(...lines: string[]): RunError {
  return new RunError({ code: "PYTHON_ERROR", pythonType: "E", message: "", traceback: lines.join("\n") });
}

describe("the line of a cell where an error was raised", () => {
  test("is that of the innermost frame of the cell", () => {
    const error = raised(
      "Traceback (most recent call last):",
      '  File "<cell 3>", line 3, in <module>',
      '  File "<cell 3>", line 2, in f',
      '  File "/lib/python314.zip/json/__init__.py", line 352, in loads',
      "ValueError: no",
    );
    expect(faultLineOf(error, { name, code })).toBe(2);
  });

  test("is that of a group's frame, and of what cannot be read", () => {
    expect(faultLineOf(raised('  | File "<cell 3>", line 1, in <module>'), { name, code })).toBe(1);
    expect(faultLineOf(raised('  File "<cell 3>", line 2', "    y = = 2", "SyntaxError: x"), { name, code })).toBe(2);
  });

  test("is no line of another cell, and none that the cell has not", () => {
    expect(faultLineOf(raised('  File "<cell 30>", line 1, in f'), { name, code })).toBeNull();
    expect(faultLineOf(raised('  File "<cell 3>", line 9, in f'), { name, code })).toBeNull();
    expect(faultLineOf(raised('ValueError: File "<cell 3>", line 1, in f'), { name, code })).toBeNull();
    expect(faultLineOf(null, { name, code })).toBeNull();
  });
});

describe("what a run printed and came to, as text", () => {
  test.each([
    ["a\n", null, "a\n"],
    ["a\n", "2", "a\n2"],
    ["a", "2", "a\n2"],
    ["", "'x'", "'x'"],
  ])("%j and %j are %j", (stdout, valueRepr, text) => {
    expect(textOf({ stdout, valueRepr })).toBe(text);
  });
});
