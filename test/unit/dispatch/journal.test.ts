import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { Journal, summarize, type CallRecord, type JournalEntry } from "../../../src/dispatch/index.js";
import { PythonFloat, PythonTemporal, Tuple, ZonedDate } from "../../../src/protocol/index.js";
import { listKeys, memoryStorage, type StorageBackend } from "../../../src/storage/index.js";

function record(changes: Partial<CallRecord> = {}): CallRecord {
  return {
    runId: "run-1",
    parent: null,
    caller: "code",
    namespace: "tools",
    name: "echo",
    arguments: {},
    trust: "sandboxed",
    ...changes,
  };
}

function counted(storage: StorageBackend): { readonly storage: StorageBackend; writes: number } {
  const result = {
    writes: 0,
    storage: {
      get: (key: string) => storage.get(key),
      keys: (prefix: string) => storage.keys(prefix),
      close: () => {
        storage.close();
      },
      write: (...[entries, options]: Parameters<StorageBackend["write"]>) => {
        if (entries.size > 0) result.writes += 1;
        return storage.write(entries, options);
      },
    },
  };
  return result;
}

function names(entries: readonly JournalEntry[]): string[] {
  return entries.map(({ name }) => name);
}

describe("entries", () => {
  test("a run's calls come in the order they began, with what became of them", () => {
    const journal = new Journal(memoryStorage(), { sessionId: "s" });

    const first = journal.begin(record({ name: "first" })).entry;
    const second = journal.begin(record({ name: "second", parent: first.id })).entry;
    journal.begin(record({ name: "other", runId: "run-2" }));
    journal.finish(second.id, { kind: "ok", summary: 1, elapsed: 2 });

    expect(journal.forRun("run-1")).toEqual([
      { ...first, outcome: { kind: "pending" } },
      { ...second, parent: first.id, outcome: { kind: "ok", summary: 1, elapsed: 2 } },
    ]);
    expect(journal.forRun("run-3")).toEqual([]);
  });

  test("an outcome is noted once", () => {
    const journal = new Journal(memoryStorage(), { sessionId: "s" });
    const { entry } = journal.begin(record());
    journal.finish(entry.id, { kind: "ok", summary: 1, elapsed: 2 });

    expect(() => journal.finish(entry.id, { kind: "ok", summary: 1, elapsed: 2 })).toThrow(RangeError);
  });
});

describe("in storage", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  /** Lives of a page follow each other by more than a millisecond. */
  function nextLife(): void {
    vi.setSystemTime(Date.now() + 1000);
  }

  test("entries stay in their order when the clock is set back", async () => {
    const storage = memoryStorage();
    const journal = new Journal(storage, { sessionId: "s" });
    for (const name of ["first", "second"]) {
      const { entry } = journal.begin(record({ name, arguments: { list: new Array(100).fill("x".repeat(200)) } }));
      journal.finish(entry.id, { kind: "ok", summary: null, elapsed: 1 });
      await journal.flush();
      vi.setSystemTime(Date.now() - 3_600_000);
    }

    nextLife();
    const after = new Journal(storage, { sessionId: "s" });
    expect(names(await after.list())).toEqual(["first", "second"]);
  });

  test("entries are read back in another life of the page, and what was under way is unknown", async () => {
    const storage = memoryStorage();
    const before = new Journal(storage, { sessionId: "s" });
    const done = before.begin(record({ name: "done", arguments: { a: [1, "x", null] } })).entry;
    const failed = before.begin(record({ name: "failed" })).entry;
    before.begin(record({ name: "cut off" }));
    before.finish(done.id, { kind: "ok", summary: { b: true }, elapsed: 1.5 });
    before.finish(failed.id, { kind: "error", name: "ToolCallError", code: "TOOL_CALL", message: "m", elapsed: 1 });
    await before.flush();
    nextLife();

    const after = new Journal(storage, { sessionId: "s" });
    const running = after.begin(record({ name: "running" })).entry;

    expect((await after.list()).map(({ name, outcome }) => [name, outcome.kind])).toEqual([
      ["done", "ok"],
      ["failed", "error"],
      ["cut off", "unknown"],
      ["running", "pending"],
    ]);
    expect((await after.list())[0]).toEqual({ ...done, outcome: { kind: "ok", summary: { b: true }, elapsed: 1.5 } });
    expect(after.forRun("run-1")).toEqual([running]);
  });

  test("the newest entries are listed, oldest of them first", async () => {
    const storage = memoryStorage();
    for (const life of ["a", "b", "c"]) {
      const journal = new Journal(storage, { sessionId: "s" });
      for (let i = 0; i < 100; i += 1) journal.begin(record({ name: `${life}${i}` }));
      await journal.flush();
      nextLife();
    }

    const entries = await new Journal(storage, { sessionId: "s" }).list({ limit: 150 });

    expect(entries).toHaveLength(150);
    expect(names(entries).slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => `c${index}`));
  });

  test("the export is one JSON object a line", async () => {
    const journal = new Journal(memoryStorage(), { sessionId: "s" });
    const { entry } = journal.begin(record({ arguments: { text: "two\nlines" } }));
    journal.finish(entry.id, { kind: "ok", summary: "x", elapsed: 1 });
    journal.begin(record({ name: "second" }));

    const lines = (await journal.exportJsonLines()).trimEnd().split("\n");

    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(journal.forRun("run-1"));
  });

  test("calls that start together share one write", async () => {
    const counter = counted(memoryStorage());
    const journal = new Journal(counter.storage, { sessionId: "s" });

    await Promise.all(Array.from({ length: 20 }, () => journal.begin(record()).durable));

    expect(counter.writes).toBe(1);
    expect(await journal.list()).toHaveLength(20);
  });

  test("calls that nobody waits for are written together a moment later", async () => {
    const counter = counted(memoryStorage());
    const journal = new Journal(counter.storage, { sessionId: "s" });

    const written = Array.from({ length: 500 }, () => {
      const { entry } = journal.begin(record(), { urgent: false });
      return journal.finish(entry.id, { kind: "ok", summary: null, elapsed: 0 }, { urgent: false }).durable;
    });
    expect(counter.writes).toBe(0);
    await Promise.all(written);

    expect(counter.writes).toBe(1);
  });

  test("a session that goes on for ever has the calls of its last runs at hand, and all of them in storage", async () => {
    const journal = new Journal(memoryStorage(), { sessionId: "s" });
    const runIds = Array.from({ length: 2500 }, (_, index) => `run-${String(index)}`);

    for (const runId of runIds) {
      const { entry } = journal.begin(record({ runId }), { urgent: false });
      journal.finish(entry.id, { kind: "ok", summary: null, elapsed: 0 }, { urgent: false });
    }

    const atHand = runIds.filter((runId) => journal.forRun(runId).length > 0);
    expect(atHand).toEqual(runIds.slice(-2000));
    expect((await journal.list({ limit: Infinity })).map(({ runId }) => runId)).toEqual(runIds);
  });

  test("a long journal lies in many records of modest size", async () => {
    const storage = memoryStorage();
    const journal = new Journal(storage, { sessionId: "s" });

    for (let i = 0; i < 300; i += 1) await journal.begin(record({ name: `call${i}` })).durable;

    const sizes = await Promise.all(
      (await listKeys(storage, "journal/")).map(async (key) => (await storage.get(key))!.byteLength),
    );
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(10_000);
    expect(names(await new Journal(storage, { sessionId: "s" }).list())).toEqual(
      Array.from({ length: 300 }, (_, index) => `call${index}`),
    );
  });

  test("the oldest records go when there are too many", async () => {
    const storage = memoryStorage();
    const old = new Journal(storage, { sessionId: "s" });
    for (let i = 0; i < 200; i += 1) await old.begin(record({ name: `old${i}` })).durable;

    nextLife();

    const journal = new Journal(storage, { sessionId: "s", maxSegments: 2 });
    await journal.begin(record({ name: "new" })).durable;
    await new Promise((resolve) => setImmediate(resolve));

    expect(await listKeys(storage, "journal/")).toHaveLength(2);
    expect(names(await journal.list()).at(-1)).toBe("new");
  });

  test("a damaged record is left out and told", async () => {
    const storage = memoryStorage();
    const journal = new Journal(storage, { sessionId: "s" });
    await journal.begin(record({ name: "good" })).durable;
    await storage.write(new Map([["journal/00000000000001-damaged", new Uint8Array([255, 254])]]));
    await storage.write(new Map([["journal/00000000000002-foreign", new TextEncoder().encode('{"kind":"begin"}\n')]]));
    const problems: unknown[] = [];

    const entries = await new Journal(storage, { sessionId: "s", onProblem: (p) => problems.push(p) }).list();

    expect(names(entries)).toEqual(["good"]);
    expect(problems).toHaveLength(2);
  });

  test("entries that the storage refused are stored when it takes them again", async () => {
    const inner = memoryStorage();
    let refusing = true;
    const storage: StorageBackend = {
      get: (key) => inner.get(key),
      keys: (prefix) => inner.keys(prefix),
      close: () => {},
      write: (entries, options) => (refusing ? Promise.reject(new Error("full")) : inner.write(entries, options)),
    };
    const problems: unknown[] = [];
    const journal = new Journal(storage, { sessionId: "s", onProblem: (problem) => problems.push(problem) });

    await expect(journal.begin(record({ name: "refused" })).durable).rejects.toThrow("full");
    expect(names(await journal.list())).toEqual(["refused"]);
    refusing = false;
    await journal.begin(record({ name: "taken" })).durable;

    expect(problems).toHaveLength(1);
    expect(names(await new Journal(inner, { sessionId: "s" }).list())).toEqual(["refused", "taken"]);
  });
});

describe("a summary", () => {
  test("keeps small values as they are", () => {
    const value = { text: "grüße", list: [1, 2.5, true, null], nested: { a: {} } };

    expect(summarize(value)).toEqual(value);
  });

  test.each([
    ["bytes", new Uint8Array(10_485_760), "<10,485,760 bytes>"],
    ["long text", "x".repeat(12_345), `${"x".repeat(400)}… [12,345 characters]`],
    ["a long list", Array(1000).fill(7), [...Array<number>(50).fill(7), "… [950 more]"]],
    ["numbers", new Float64Array(1000), "<Float64Array of 1,000>"],
    ["tuples", Tuple.of(1, 2), [1, 2]],
    ["sets", new Set(["a"]), ["a"]],
    ["dicts with other keys", new Map([[1, "a"]]), [[1, "a"]]],
    ["nan", NaN, "float('nan')"],
    ["floats", new PythonFloat(2), 2],
    ["dates", new ZonedDate("2026-01-02T03:04:05.123456+01:00"), "2026-01-02T03:04:05.123456+01:00"],
    ["durations", new PythonTemporal("timedelta", "1000000"), "1000000"],
    ["nothing", undefined, null],
  ])("says what %s held", (_, value, expected) => {
    expect(summarize(value)).toEqual(expected);
  });

  test("of integers beyond 2^53 keeps the digits", () => {
    expect(summarize(2n ** 60n)).toBe("1152921504606846976");
  });

  test("of a wide dict says how much is missing", () => {
    const wide = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`k${index}`, index]));

    const summary = summarize(wide) as Record<string, unknown>;

    expect(Object.keys(summary)).toHaveLength(51);
    expect(summary["…"]).toBe("[30 more]");
  });

  test("is bounded, however deep and wide the value is", () => {
    let value: unknown = "x".repeat(1900);
    for (let depth = 0; depth < 6; depth += 1) value = Array(40).fill(value);

    expect(JSON.stringify(summarize(value as never)).length).toBeLessThan(100_000);
  });
});
