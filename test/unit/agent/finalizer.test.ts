import { expect, test } from "vitest";

import { Finalizer } from "../../../src/agent/index.js";

test("a second answer is refused with both values, and the first one stays until it is forgotten (T82)", () => {
  const finalizer = new Finalizer();
  expect(finalizer.get()).toBeNull();

  finalizer.set(1, { metadata: { verifiedBy: "counted" } });

  expect(() => finalizer.set(2)).toThrow(
    expect.objectContaining({ code: "MULTIPLE_FINAL_ANSWERS", firstAnswer: 1, attemptedAnswer: 2 }),
  );
  expect(finalizer.get()).toMatchObject({ value: 1, source: "normal", metadata: { verifiedBy: "counted" } });

  finalizer.reset();
  expect(finalizer.isSet).toBe(false);
  expect(finalizer.set(2, { source: "final_attempt" })).toMatchObject({ value: 2, source: "final_attempt" });
});
