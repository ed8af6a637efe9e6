import { expect, test } from "vitest";

import { isAsExpected, tidyCode } from "../../../src/cell-text/index.js";

test("blank lines around code and the indentation that all lines have are HTML's", () => {
  expect(tidyCode("\n\n    for n in range(3):\n        print(n)\n\n    print(1)\n  ")).toBe(
    "for n in range(3):\n    print(n)\n\nprint(1)",
  );
  expect(tidyCode("print(1)\r\nprint(2)\r\n")).toBe("print(1)\nprint(2)");
  expect(tidyCode("\t\tif a:\n\t\t\tb")).toBe("if a:\n\tb");
  expect(tidyCode("a\n  \n b")).toBe("a\n\n b");
  expect(tidyCode(" \n\n")).toBe("");
});

test("an expected output is held against a run's by its lines where it is preformatted, else by its words", () => {
  const lines = { text: "\n  a   b\n  c \n", isPreformatted: true };
  expect(isAsExpected(lines, "a   b\nc\n")).toBe(true);
  expect(isAsExpected(lines, "a b\nc\n")).toBe(false);
  expect(isAsExpected({ text: "a\n  b c", isPreformatted: false }, "a b   c\n")).toBe(true);
  expect(isAsExpected({ text: "a b d", isPreformatted: false }, "a b c")).toBe(false);
});
