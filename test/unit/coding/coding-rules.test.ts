import { expect, test } from "vitest";

import { codingRules } from "../../../src/coding/coding-rules.js";

test("the rules name tools as the agent calls them, and tell of Python's texts and modules where it writes Python", () => {
  const [code, react] = [codingRules("code"), codingRules("react")];

  expect(code).toContain("tools.apply_patch, whose input is a patch of this form. Give it as r'''…'''");
  expect(react).toContain("Change files with apply_patch, whose input is a patch of this form. Lines of context");
  expect(react).not.toMatch(/tools\.|r'''|imported/);
  expect(code + react).not.toMatch(/[{}]/);
});
