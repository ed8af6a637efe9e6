import { expect, test } from "vitest";

import { CspBlockedError } from "../../../src/executor/errors.js";

test("what a policy lacks is what `vitrine csp` prints", () => {
  const { message } = new CspBlockedError(["worker-src blob:", "connect-src blob:"]);

  expect(message).toContain("It must allow: worker-src blob:; connect-src blob:.");
  expect(message).toContain("`npx vitrine csp` prints a policy that fits.");
});

test.each([
  "workers and frames from text, without require-trusted-types-for 'script'",
  "require-trusted-types-for trusted-types-sink",
])("Trusted Types are no matter of what `vitrine csp` prints: %s", (directive) => {
  const { message } = new CspBlockedError([directive]);

  expect(message).toContain(directive);
  expect(message).not.toContain("npx vitrine csp");
});
