import { expect, test } from "vitest";

import { DEFAULT_LIMITS, leavesRoom, usageText, type TaskLimits } from "../../../src/ui/state/session/task-limits.js";
import { USAGE } from "./agent-events.js";

test.each<[Partial<TaskLimits>, boolean]>([
  [{ maxSteps: 3 }, false],
  [{ maxSteps: 4 }, true],
  [{ modelCalls: 2 }, false],
  [{ modelCalls: 3 }, true],
  [{ tokens: 100 }, false],
  [{ tokens: 101 }, true],
  [{ toolCalls: 1 }, true],
  [{ minutes: 1 }, false],
  [{ minutes: 1.1 }, true],
  [{ money: 0.5, inputPrice: 1, outputPrice: 1 }, false],
  [{ money: 0.6, inputPrice: 1, outputPrice: 1 }, true],
])(
  "a task of three steps, two model calls, 100 tokens, a tool call and a minute goes on by %o: %s",
  (limits, goesOn) => {
    const usage = { ...USAGE, modelCalls: 2, toolCalls: 1, time: 60_000, money: 0.5 };

    expect(leavesRoom({ ...DEFAULT_LIMITS, ...limits }, { steps: 3, usage })).toBe(goesOn);
  },
);

test("nothing is said of what was not used, unless it is limited", () => {
  const usage = { ...USAGE, inputTokens: 0, outputTokens: 0, isEstimated: true };

  expect(usageText(usage, { steps: 1, maxSteps: 10 })).toBe("1 of 10 steps · 1 model call · 5 ms");
  expect(usageText(usage, { steps: 1, maxSteps: 10, budget: { tokens: 500, toolCalls: 2 } })).toBe(
    "1 of 10 steps · 1 model call · 0 of 500 tokens (estimated) · 0 of 2 tool calls · 5 ms",
  );
});
