import { expect, test } from "vitest";

import { CallList } from "../../../src/ui/state/task/call-list.js";
import type { TaskCalls } from "../../../src/ui/state/task/task-view.js";
import { journalEntry } from "./agent-events.js";

const failed = { kind: "error", name: "Error", code: "", message: "no", elapsed: 1 } as const;

function listOf(count: number, fails: (index: number) => boolean = () => false): TaskCalls {
  const calls: TaskCalls = new CallList();
  for (let index = 0; index < count; index++) {
    const id = String(index);
    calls.entries.set(id, journalEntry(id, fails(index) ? { outcome: failed } : {}));
  }
  return calls;
}

const shownOf = (calls: TaskCalls): number[] => calls.first.map(({ id }) => Number(id));

test("the first calls are shown, the latest, and those that failed", () => {
  const calls = listOf(30, (index) => index === 20);

  expect(shownOf(calls)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 29]);
});

test("what has agents or programs in its course is shown, in its place, behind however many calls that failed", () => {
  const calls = listOf(100, () => true);
  calls.contentsOf("3");
  calls.contentsOf("70");

  const shown = shownOf(calls);

  expect(shown).toHaveLength(41);
  expect(shown.slice(-2)).toEqual([39, 70]);
});
