import { expect, test } from "vitest";

import { DEFAULT_LIMITS, leavesRoom, type TaskLimits } from "../../../src/ui/state/task-limits.js";
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
