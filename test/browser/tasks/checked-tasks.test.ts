import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Session } from "../../../src/index.js";
import { shippedTasks } from "../../../src/ui/tasks/index.js";
import { openTaskSession, replay } from "./task-session.js";

// The rows of behaviour are walked over where they are run: test/conformance/run-conformance.ts.
describe("the shipped recordings", () => {
  let session: Session;
  beforeAll(async () => {
    session = await openTaskSession();
  });
  afterAll(() => session.close());

  test.each(shippedTasks)("$id is checked, run and free of findings", async (task) => {
    const { state, steps } = await (await replay(session, task)).result;

    expect(state).toBe("completed");
    expect(steps.flatMap(({ run }) => run?.findings ?? [])).toEqual([]);
  });
});
