import { expect, test } from "vitest";

import { Batches } from "../../../src/ui/state/task/batches.js";
import { BatchView } from "../../../src/ui/state/task/batch-view.js";
import { TaskView } from "../../../src/ui/state/task/task-view.js";
import { journalEntry, ReportedTask } from "./agent-events.js";
import { batchResult, proposal, ReportedBatch, written } from "./write-code-events.js";

const PATH = "src/units.py";

function batchOf(tell: (batch: ReportedBatch) => void): BatchView {
  const view = new BatchView(null);
  tell(
    new ReportedBatch("call-1", (event) => {
      view.apply(event);
    }),
  );
  return view;
}

test("what models write is gathered side by side, and marked as it ends", () => {
  const view = batchOf((batch) => {
    batch.start(PATH, "README.md");
    batch.ask(PATH, 0, "plain-writer");
    batch.ask(PATH, 1, "wordy-writer");
    batch.write(PATH, 0, "FOOT = ");
    batch.write(PATH, 0, "0.3048\nINCH");
    batch.write(PATH, 1, "```python\n");
    batch.add({
      type: "candidate-ended",
      path: PATH,
      candidate: 1,
      end: { kind: "failed", code: "MODEL_TIMEOUT", message: "It took too long." },
      elapsed: 9,
    });
  });

  expect([...view.files.keys()]).toEqual([PATH, "README.md"]);
  const [plain, wordy] = [...view.files.get(PATH)!.candidates.values()];
  expect(plain).toMatchObject({ model: "plain-writer", state: "writing", text: "FOOT = 0.3048\nINCH", lines: 2 });
  expect(wordy).toMatchObject({ state: "failed", failure: { message: "It took too long." }, elapsed: 9 });
  expect(view.files.get(PATH)!.doing).toBe("plain-writer writes");
  expect(view.files.get("README.md")!.doing).toBe("waits for its turn");
  expect(view.isOver).toBe(false);
});

test("a file goes from its candidates to what was chosen, checked, proposed and written", () => {
  const file = (view: BatchView): NonNullable<ReturnType<BatchView["files"]["get"]>> => view.files.get(PATH)!;
  const view = batchOf((batch) => {
    batch.start(PATH);
    batch.ask(PATH, 0, "a");
    batch.ask(PATH, 1, "b");
    batch.written(PATH, 0, "x = 1\n");
    batch.written(PATH, 1, "x = 2\n");
  });
  expect(file(view).doing).toBe("is chosen between");

  const more = new ReportedBatch("call-1", (event) => {
    view.apply(event);
  });
  more.add({ type: "chosen", path: PATH, candidate: 1, model: "b", arbiter: "judge", reason: "It is whole." });
  more.add({ type: "checked", path: PATH, problems: ["Line 1: no such name."], isAskedAgain: true });
  more.ask(PATH, 2, "b", "repair");
  expect(file(view).doing).toBe("b mends it");
  more.written(PATH, 2, "x = 3\n");
  more.add({ type: "checked", path: PATH, problems: [], isAskedAgain: false });
  expect(file(view)).toMatchObject({ standing: "running", doing: "is checked" });
  more.add({ type: "proposed", files: [proposal(PATH, { after: "x = 3\n" })] });
  expect(file(view).standing).toBe("waiting");
  more.end([written(PATH, { model: "b", reason: "It is whole." })]);

  expect(file(view)).toMatchObject({
    standing: "written",
    chosen: { candidate: 1, arbiter: "judge", reason: "It is whole." },
    end: { operation: "create", model: "b" },
  });
  expect(view).toMatchObject({ isOver: true, changes: "batch-1", count: { written: 1, all: 1 } });
});

test("a file whose versions are merged is not waited for until it is proposed again", () => {
  const view = batchOf((batch) => {
    batch.start(PATH);
    batch.add({ type: "proposed", files: [proposal(PATH, { conflict: { theirs: "theirs" } })] });
    batch.ask(PATH, 0, "a", "merge");
  });

  expect(view.files.get(PATH)).toMatchObject({ standing: "running", doing: "a merges both" });
});

test("a model that is asked again begins from the start, and says why", () => {
  const view = batchOf((batch) => {
    batch.start(PATH);
    batch.ask(PATH, 0, "a", "fallback");
    batch.write(PATH, 0, "half of");
    batch.add({
      type: "candidate-retry",
      path: PATH,
      candidate: 0,
      failures: 1,
      delay: 4000,
      code: "MODEL_RATE_LIMIT",
      message: "Too many requests.",
    });
  });
  const [candidate] = view.files.get(PATH)!.candidates.values();
  expect(candidate).toMatchObject({ text: "", lines: 0, again: "Too many requests. It is asked again in 4.0 s." });

  candidate!.hear("all of it");
  expect(candidate).toMatchObject({ text: "all of it", again: "" });
});

test("of a long text the end is shown while it comes, then the beginning", () => {
  const view = batchOf((batch) => {
    batch.start(PATH);
    batch.ask(PATH, 0, "a");
  });
  const [candidate] = view.files.get(PATH)!.candidates.values();
  for (let line = 1; line <= 2000; line++) candidate!.hear(`line ${String(line)}\n`);

  expect(candidate!.lines).toBe(2001);
  const tail = candidate!.tail.trimEnd().split("\n");
  expect(tail.at(-1)).toBe("line 2000");
  expect(tail.length).toBeLessThanOrEqual(24);

  candidate!.end({ kind: "text", text: "one\n".repeat(2000), language: "python" }, 5);
  expect(candidate!.lines).toBe(2000);
  expect(candidate!.head.split("\n")).toHaveLength(14);

  candidate!.hear("x".repeat(3_000_000));
  expect(candidate!.text.length).toBeLessThan(1_100_000);
});

test("a call that ends before its batch leaves what it had begun", () => {
  const view = batchOf((batch) => {
    batch.start(PATH);
    batch.ask(PATH, 0, "a");
  });

  view.take(journalEntry("call-1", { name: "write_codebase_tool", outcome: { kind: "unknown" } }));

  expect(view.isOver).toBe(true);
  expect(view.files.get(PATH)!.standing).toBe("unknown");
  expect([...view.files.get(PATH)!.candidates.values()][0]!.state).toBe("left");
});

test("files that were refused, are in conflict or failed are told apart", () => {
  const view = batchOf((batch) => {
    const fault = { status: "error", error_code: "REFUSED", message: "No.", warnings: [] } as const;
    batch.start("a", "b", "c");
    batch.end([
      { ...fault, filename: "a", status: "refused" },
      { ...fault, filename: "b", status: "conflict", error_code: "CONFLICT" },
      { ...fault, filename: "c", error_code: "GENERATION_FAILED" },
    ]);
  });

  expect(Array.from(view.files.values(), ({ standing }) => standing)).toEqual(["refused", "conflict", "failed"]);
  expect(view.changes).toBeNull();
});

/** A task whose code has files written. */
function taskThatWrites(outcome: Parameters<typeof journalEntry>[1]): ReportedTask {
  const task = new ReportedTask("Write it.");
  task.step("tools.write_codebase_tool(…)");
  task.call(journalEntry("call-1", { name: "write_codebase_tool", ...outcome }));
  return task;
}

const KEPT = {
  outcome: {
    kind: "ok",
    elapsed: 5,
    summary: {
      tool_name: "write_codebase_tool",
      command: "write_codebase",
      output: JSON.parse(
        JSON.stringify(
          batchResult([written("units.py", { reason: "Short." })], {
            write_path: "/workspace/src",
            warnings: ["Slow."],
          }),
        ),
      ) as Record<string, string>,
      error: null,
    },
  },
} as const;

test("a task that is opened again shows what the journal has kept of the batch", () => {
  const view = new TaskView({ id: "1", task: "Write it.", modelLabel: "a model", origin: "saved" });
  for (const event of taskThatWrites(KEPT).events) view.apply(event);

  const [batch] = view.steps[0]!.calls.all.batches;
  expect(batch).toMatchObject({ isHeard: false, isOver: true, changes: "batch-1", warnings: ["Slow."], page: null });
  expect(batch!.files.get("src/units.py")).toMatchObject({ standing: "written", end: { reason: "Short." } });
});

test("what was cut away in the journal is left out, and is not taken for something else", () => {
  const { summary } = KEPT.outcome;
  const output = { ...summary.output, changes: "batch-1… [36 characters]", results: ["… [3 more]", { filename: 1 }] };
  const batch = new BatchView(null);
  batch.take(journalEntry("call-1", { outcome: { kind: "ok", elapsed: 1, summary: { ...summary, output } as never } }));

  expect(batch).toMatchObject({ isOver: true, changes: null });
  expect(batch.files.size).toBe(0);
});

test("a task finds the batch of its call, whichever is heard of first; one from a file finds none of the reader's", () => {
  const said: string[] = [];
  const page = { session: {} as never, announce: (text: string) => said.push(text) };
  const batches = new Batches(page);
  const reported = new ReportedBatch("call-1", (event) => {
    batches.hear(event);
  });
  reported.start(PATH);
  const views = [false, true].map(
    (isImported) => new TaskView({ id: "1", task: "Write it.", modelLabel: "a model", batches, isImported }),
  );
  for (const view of views) for (const event of taskThatWrites({}).events) view.apply(event);
  reported.end([written(PATH)]);

  const [own, imported] = views.map((view) => view.steps[0]!.calls.all.batches[0]!);
  expect(own).toMatchObject({ page, isHeard: true, count: { written: 1, all: 1 } });
  expect(imported).toMatchObject({ page: null, isHeard: false });
  expect(said).toEqual(["1 of 1 file written."]);
});
