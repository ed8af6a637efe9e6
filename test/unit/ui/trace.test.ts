import { describe, expect, test } from "vitest";

import type { JournalEntry } from "../../../src/dispatch/index.js";
import { NO_FILTER, traceRuns, type TraceFilter, type TraceRun } from "../../../src/ui/state/shelf/trace.js";

function entry(id: string, changes: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id,
    sessionId: "s",
    runId: "run-1",
    parent: null,
    caller: "code",
    namespace: "tools",
    name: id,
    arguments: {},
    trust: "sandboxed",
    startedAt: 1000,
    outcome: { kind: "ok", summary: null, elapsed: 10 },
    ...changes,
  };
}

const entries = [
  entry("run", { namespace: "runs", outcome: { kind: "ok", summary: null, elapsed: 100 } }),
  entry("first", { startedAt: 1010 }),
  entry("second", { startedAt: 1020, arguments: { city: "Oslo" } }),
  entry("inner", { startedAt: 1012, parent: "first", caller: "tool", namespace: "artifacts" }),
  entry("innermost", { startedAt: 1014, parent: "inner" }),
  entry("later", {
    runId: "run-2",
    startedAt: 5000,
    outcome: { kind: "error", name: "CorsError", code: "CORS", message: "kept away", elapsed: 50 },
  }),
  entry("waits", { runId: "run-2", startedAt: 5020, outcome: { kind: "pending" }, approval: "asked" }),
];

function runs(filter: Partial<TraceFilter> = {}, now = 5100): TraceRun[] {
  return traceRuns(entries, { ...NO_FILTER, ...filter }, now);
}

function names(filter: Partial<TraceFilter>): string[] {
  return runs(filter).flatMap(({ rows }) =>
    rows.map(({ entry: { name }, isWanted }) => (isWanted ? name : `(${name})`)),
  );
}

describe("the trace", () => {
  test("has the newest run first, and calls after the one in whose course they were made", () => {
    expect(runs().map(({ rows }) => rows.map(({ entry: { name }, depth }) => [name, depth]))).toEqual([
      [
        ["later", 0],
        ["waits", 0],
      ],
      [
        ["run", 0],
        ["first", 0],
        ["inner", 1],
        ["innermost", 2],
        ["second", 0],
      ],
    ]);
  });

  test("tells where the time of a call lies in that of its run; of one under way up to now", () => {
    const [second, first] = runs();

    expect(first?.span).toBe(100);
    expect(first?.rows.find(({ entry: { name } }) => name === "second")?.bar).toEqual({ start: 0.2, length: 0.1 });
    expect(second?.span).toBe(100);
    expect(second?.rows.find(({ entry: { name } }) => name === "waits")?.bar).toEqual({ start: 0.2, length: 0.8 });
  });

  test("compares calls of the page with nothing, and keeps those of other visits apart", () => {
    const ofPage = [entry("a", { runId: "page" }), entry("b", { runId: "page", sessionId: "t", startedAt: 9e9 })];

    expect(traceRuns(ofPage, NO_FILTER, 0).map(({ span, rows }) => [span, rows[0]?.bar])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  test.each<[Partial<TraceFilter>, string[]]>([
    [{ text: "oslo" }, ["second"]],
    [{ text: "kept AWAY" }, ["later"]],
    [{ text: "innermost" }, ["(first)", "(inner)", "innermost"]],
    [{ status: "failed" }, ["later"]],
    [{ status: "running" }, ["waits"]],
    [{ status: "asked" }, ["waits"]],
    [{ namespace: "artifacts" }, ["(first)", "inner"]],
    [{ namespace: "tools", status: "done", text: "tool" }, ["first", "(inner)", "innermost", "second"]],
    [{ text: "no such" }, []],
  ])("filtered by %o has %o, what is only there for its inner calls marked", (filter, expected) => {
    expect(names(filter)).toEqual(expected);
  });
});
