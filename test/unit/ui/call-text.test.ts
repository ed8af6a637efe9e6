import { expect, test } from "vitest";

import type { JournalEntry } from "../../../src/dispatch/index.js";
import { attemptText, callStanding, callText, progressText } from "../../../src/ui/state/text/call-text.js";

function entry(part: Partial<JournalEntry>): JournalEntry {
  return {
    id: "1",
    sessionId: "s",
    runId: "r",
    parent: null,
    caller: "code",
    namespace: "tools",
    name: "units.detect",
    arguments: {},
    trust: "sandboxed",
    startedAt: 0,
    outcome: { kind: "pending" },
    ...part,
  };
}

test("a call is one line: name and short arguments", () => {
  expect(callText(entry({ arguments: { unit: "C", limit: 3, all: true, none: null } }))).toBe(
    'tools.units.detect(unit="C", limit=3, all=True, none=None)',
  );
  expect(callText(entry({ arguments: { values: [...Array<number>(50).fill(1), "… [150 more]"] } }))).toBe(
    "tools.units.detect(values=[200 items])",
  );
  expect(callText(entry({ arguments: { data: "<52,000 bytes>", row: { a: 1 }, rows: "<list of length 117>" } }))).toBe(
    "tools.units.detect(data=52,000 bytes, row={1 key}, rows=[117 items])",
  );
});

test.each([
  [{ kind: "ok", summary: null, elapsed: 1 }, "done"],
  [{ kind: "error", name: "E", code: "C", message: "m", elapsed: 1 }, "failed"],
  [{ kind: "unknown" }, "outcome unknown"],
  [{ kind: "pending" }, "running"],
] as const)("how a call stands is said in a word", (outcome, word) => {
  expect(callStanding(entry({ outcome })).word).toBe(word);
});

test.each<[JournalEntry["course"], string]>([
  [undefined, ""],
  [{ cached: 1200 }, "cached"],
  [{ attempts: 3, failures: ["Error: no"] }, "3 tries"],
  [{ queue: { kind: "waiting" } }, ""],
  [{ queue: { kind: "admitted", waited: 240 }, attempts: 2, arguments: {} }, "2 tries, queued 0.24 s, changed"],
])("what became of a call on its way, %j, reads '%s'", (course, text) => {
  expect(attemptText(entry(course === undefined ? {} : { course }))).toBe(text);
});

test("a call that waits for a place is queued", () => {
  expect(callStanding(entry({ course: { queue: { kind: "waiting" } } })).word).toBe("queued");
  expect(callStanding(entry({ course: { queue: { kind: "admitted", waited: 1 } } })).word).toBe("running");
});

test.each([
  [{ progress: 3, total: 5 }, "3 of 5"],
  [{ progress: 0.4, total: 1, message: "halfway\nalmost" }, "40 %: halfway almost"],
  [{ progress: 1200, total: 800 }, "100 %"],
  [{ progress: 1200 }, "1,200 so far"],
])("how far a call has come, %j, reads %s", (progress, text) => {
  expect(progressText(progress)).toBe(text);
});
