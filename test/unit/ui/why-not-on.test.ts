import { expect, test } from "vitest";

import { canGoOn, SAVED_STATE_NAMES, whyNotOn } from "../../../src/ui/state/task/saved-tasks.js";

const states = Object.keys(SAVED_STATE_NAMES) as (keyof typeof SAVED_STATE_NAMES)[];

test.each(states)("where a task (%s) cannot go on a sentence says why, and nowhere else", (state) => {
  for (const hasModel of [true, false]) {
    for (const knows of [true, false]) {
      const why = whyNotOn(state, { hasModel, knows });
      if (canGoOn(state) && hasModel) expect(why).toBe("");
      else expect(why).toMatch(/^[A-Z].*\.$/);
    }
  }
});
