import { expect, test } from "vitest";

import { isIncomplete } from "../../../src/ui/state/text/incomplete-code.js";

test.each([
  "1 + 1",
  "print('a:')",
  "x = [1, 2]",
  "# a comment:",
  "'(' + ')'",
  'x = {"a":\n  1}',
  "for i in x:\n    pass\n",
  '"""a\nb"""',
])("%j runs at once", (code) => {
  expect(isIncomplete(code)).toBe(false);
});

test.each(["for i in x:", "f(", '"""open', "x = 1 + \\", "def f():\n    return 1", "@cached", "if x:  # why"])(
  "%j goes on in a new line",
  (code) => {
    expect(isIncomplete(code)).toBe(true);
  },
);
