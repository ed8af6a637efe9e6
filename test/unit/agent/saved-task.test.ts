import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import {
  type ArtifactSource,
  CodeAgent,
  keepLastSteps,
  pruneOldObservations,
  replayTask,
  rerunTask,
  SavedTaskError,
  TaskNotFoundError,
  TaskNotResumableError,
  TaskStore,
  taskTranscript,
  type AgentEvent,
  type AgentRun,
  type CodeAgentOptions,
  type SavedTask,
} from "../../../src/agent/index.js";
import { savedTaskOf } from "../../../src/agent/saved/saved-task.js";
import type { JournalEntry } from "../../../src/dispatch/index.js";
import { openaiModel } from "../../../src/model/index.js";
import { Tuple, type Value } from "../../../src/protocol/index.js";
import { memoryStorage, StorageFullError, type StorageBackend } from "../../../src/storage/index.js";
import { startModelServer, type ModelAnswer, type ModelServer } from "../../servers/model-server.js";
import { RUN } from "../../timeouts.mjs";
import { journalEntry, pythonError, scriptedSession, type ScriptedRun } from "./scripted-session.js";

const F = "```";
const block = (code: string): string => `${F}python\n${code}\n${F}`;

let server: ModelServer;
let answers: ModelAnswer[];
let storage: StorageBackend;
let store: TaskStore;

beforeEach(async () => {
  answers = [];
  server = await startModelServer(
    () => answers[server.requests.length - 1] ?? { kind: "status", status: 400, body: "" },
  );
  storage = memoryStorage();
  store = new TaskStore(storage);
});
afterEach(() => server.close());

function says(...replies: string[]): void {
  answers = replies.map((text) => ({ kind: "reply", text }));
}

function agent(runs: readonly ScriptedRun[], options: Partial<CodeAgentOptions> = {}): CodeAgent {
  const model = openaiModel({ baseURL: server.baseURL(), apiKey: "sk-test", model: "test-model", timeout: RUN });
  return new CodeAgent({ session: scriptedSession(runs), model, tasks: store, ...options });
}

const answersWith =
  (value: Value): ScriptedRun =>
  () => ({ finalAnswer: { value, text: "as text", verifiedBy: "a second look" } });
const prints =
  (stdout: string): ScriptedRun =>
  ({ onOutput }) => {
    for (const letter of stdout) onOutput({ kind: "stdout", text: letter });
    return { stdout };
  };

/** The same task as it would be had its page gone right after the last event that `isLast` accepts. */
async function cutOff(saved: SavedTask, isLast: (event: AgentEvent) => boolean): Promise<SavedTask> {
  const [header = "", ...lines] = (await store.export(saved.taskId)).split("\n");
  return store.import([header, ...lines.slice(0, saved.events.findLastIndex(isLast) + 1)].join("\n"));
}

const load = (run: AgentRun) => store.load(run.taskId);

const toldBefore = (call: number) => server.requests[call - 1]?.body.messages.at(-1)?.content;

describe("a task that is kept", () => {
  test("is read back with its events, its steps and its end", async () => {
    says(block("look()"), block("final_answer(1)"));
    const picture = new Uint8Array([137, 80, 78, 71]);
    const shows: ScriptedRun = ({ onOutput, onCall }) => {
      onOutput({ kind: "display", source: "display", data: { "image/png": picture } });
      onCall(journalEntry({ id: "call-1" }));
      onCall(journalEntry({ id: "call-1", outcome: { kind: "ok", summary: 4, elapsed: 1 } }));
      return { outputs: [{ kind: "display", source: "display", data: { "image/png": picture } }] };
    };
    const value = { rows: Tuple.from([1, 2n ** 70n]), when: new Date(0), bytes: picture, none: null };
    const run = agent([shows, answersWith(value)], { budget: { toolCalls: 5 } }).run("Look.");
    const result = await run.result;

    const saved = await store.load(run.taskId);
    expect(saved).toMatchObject({ task: "Look.", agent: "code", state: "completed", problems: [] });
    expect(saved.result).toEqual(result);
    expect(saved.conversation).toEqual(run.conversation);
    expect(saved.events.filter(({ type }) => type !== "model-text" && type !== "task-ended")).toEqual(
      run.events.filter(({ type }) => type !== "model-text" && type !== "task-ended"),
    );
  });

  test("is read back where a bound of its budget is said to be none", async () => {
    says(block("final_answer(1)"));
    const budget = { tokens: Infinity, time: 60_000 };
    const run = agent([answersWith(1)], { budget }).run("Look.");
    await run.result;

    const saved = await load(run);
    expect(saved).toMatchObject({ state: "completed", problems: [] });
    expect(saved.events[0]).toMatchObject({ type: "task-started", budget });
  });

  test("keeps pieces of one text as one, and loses none", async () => {
    says(block("look()"), block("final_answer(1)"));
    const run = agent([prints("many letters"), answersWith(1)]).run("Look.");
    await run.result;

    const { events } = await store.load(run.taskId);
    const printed = events.filter((event) => event.type === "output").map(({ chunk }) => chunk);
    expect(printed).toEqual([{ kind: "stdout", text: "many letters" }]);
  });

  test("is listed, the newest first, and can be deleted", async () => {
    says(block("final_answer(1)"), block("final_answer(2)"));
    const first = agent([answersWith(1)]).run("The first.");
    await first.result;
    await new Promise((resolve) => setTimeout(resolve, 2));
    const second = agent([answersWith(2)]).run("The second.");
    await second.result;

    const listed = async () => (await store.list()).tasks.map(({ task, state }) => [task, state]);
    expect(await listed()).toEqual([
      ["The second.", "completed"],
      ["The first.", "completed"],
    ]);
    await store.delete(second.taskId);
    expect(await listed()).toEqual([["The first.", "completed"]]);
    await expect(store.load(second.taskId)).rejects.toThrow(TaskNotFoundError);
  });

  test("makes room for itself: the oldest one goes", async () => {
    says(block("final_answer(1)"), block("final_answer(2)"));
    store = new TaskStore(storage, { maxTasks: 1 });
    await agent([answersWith(1)]).run("The first.").result;
    await new Promise((resolve) => setTimeout(resolve, 2));
    await agent([answersWith(2)]).run("The second.").result;

    await expect.poll(async () => (await store.list()).tasks.map(({ task }) => task)).toEqual(["The second."]);
  });

  test("says so where the storage refuses it, and goes on", async () => {
    says(block("final_answer(1)"));
    const problems: unknown[] = [];
    store = new TaskStore(memoryStorage({ limit: 10 }), { onProblem: (error) => problems.push(error) });
    const run = agent([answersWith(1)]).run("Look.");

    await expect(run.result).resolves.toMatchObject({ state: "completed" });
    expect(run.events.filter(({ type }) => type === "notice")).toMatchObject([{ notice: { code: "TASK_NOT_SAVED" } }]);
    expect(problems.length).toBeGreaterThan(0);
  });

  /** A storage that refuses writes of which `refuses` is true. */
  function refusing(refuses: (keys: readonly string[]) => boolean): StorageBackend {
    const whole = memoryStorage();
    return {
      get: (key) => whole.get(key),
      keys: (prefix) => whole.keys(prefix),
      close: () => undefined,
      write: (entries, options) =>
        refuses([...entries.keys()]) ? Promise.reject(new StorageFullError(1)) : whole.write(entries, options),
    };
  }

  test("says so where the storage becomes full in the middle", async () => {
    says(block("look()"), block("look()"), block("final_answer(1)"));
    let isFull = false;
    store = new TaskStore(refusing(() => isFull));
    const fills: ScriptedRun = () => {
      isFull = true;
      return { stdout: "full" };
    };
    const run = agent([prints("seen"), fills, answersWith(1)]).run("Look.");

    await expect(run.result).resolves.toMatchObject({ state: "completed" });
    expect(run.events.filter(({ type }) => type === "notice")).toMatchObject([{ notice: { code: "TASK_NOT_SAVED" } }]);
    await expect(store.load(run.taskId)).resolves.toMatchObject({ state: "interrupted", steps: [{}, {}] });
  });

  test("loses nothing where the storage refuses a write and takes the next one", async () => {
    says(block("look()"), block("final_answer(1)"));
    let refused = 0;
    store = new TaskStore(
      refusing((keys) => keys.some((key) => key.startsWith("tasks/heads/")) && (refused += 1) === 1),
    );
    const run = agent([prints("seen"), answersWith(1)]).run("Look.");
    await run.result;

    expect(refused).toBe(2);
    expect((await store.list()).tasks).toMatchObject([{ taskId: run.taskId, state: "completed" }]);
  });

  test("is read as far as it can be where a record is damaged", async () => {
    says(block("look()"), block("final_answer(1)"));
    const run = agent([prints("seen"), answersWith(1)]).run("Look.");
    await run.result;
    const keys: string[] = [];
    for await (const key of storage.keys("tasks/events/")) keys.push(key);
    const key = keys[0] ?? "";
    const text = new TextDecoder().decode(await storage.get(key));
    const lines = text.split("\n");
    const damaged = lines.map((line, index) => (index === 1 ? line.slice(0, 20) : line)).join("\n");
    await storage.write(new Map([[key, new TextEncoder().encode(damaged)]]));

    const saved = await store.load(run.taskId);
    expect(saved.problems).toMatchObject([{ file: key, line: 2, code: "SAVED_TASK" }]);
    expect(saved.result?.answer?.text).toBe("as text");
  });

  test("ends as it was stopped, with everything up to then", async () => {
    says(block("look()"));
    const stop = new AbortController();
    const run = agent([prints("seen")]).run("Look.", { signal: stop.signal });
    for await (const event of run) if (event.type === "step-ended") break;
    stop.abort();
    await run.result;

    const saved = await store.load(run.taskId);
    expect(saved).toMatchObject({ state: "cancelled", steps: [{ observation: "Observation:\nseen" }, {}] });
  });
});

describe("the file of a saved task", () => {
  test("brings it to another storage, whole", async () => {
    says(block("1/0"), block("final_answer(1)"));
    const run = agent([() => ({ error: pythonError({ pythonType: "ZeroDivisionError" }) }), answersWith(1)]).run(
      "Look.",
    );
    await run.result;
    const other = new TaskStore(memoryStorage());
    const text = await store.export(run.taskId);

    expect(await other.import(text)).toEqual(await store.load(run.taskId));
    expect(await other.load(run.taskId)).toEqual(await store.load(run.taskId));
    expect(await other.export(run.taskId)).toBe(text);
  });

  test("takes the artifacts along that the task saved, as far as there is room, and says which it does not", async () => {
    says(block("save()"), block("final_answer(1)"));
    const saves: ScriptedRun = ({ onCall }) => {
      for (const name of ["table.csv", "huge.bin", "gone.txt"]) {
        const call = { id: name, namespace: "artifacts" as const, name: "save", arguments: { name } };
        onCall(journalEntry({ ...call, outcome: { kind: "ok", elapsed: 1, summary: null } }));
      }
      return {};
    };
    const run = agent([saves, answersWith(1)]).run("Save.");
    await run.result;
    const bytes = new TextEncoder().encode("a,b");
    const source: ArtifactSource = {
      get: (name) => Promise.resolve(sizes.get(name) ?? null),
      loadBytes: () => Promise.resolve(bytes),
    };
    const sizes = new Map([
      ["table.csv", { size: 3, description: "Two columns" }],
      ["huge.bin", { size: 5_000_000, description: "" }],
    ]);
    const text = await store.export(run.taskId, { artifacts: source });
    const other = new TaskStore(memoryStorage());

    await other.import(text);

    const { attachments } = await other.load(run.taskId);
    expect(attachments).toEqual({
      artifacts: [{ name: "table.csv", description: "Two columns", bytes }],
      missing: [
        { name: "huge.bin", reason: "too large" },
        { name: "gone.txt", reason: "gone" },
      ],
    });
    // Passed on, it takes along what came with it, and never what its reader has under that name.
    const mine: ArtifactSource = { ...source, loadBytes: () => Promise.reject(new Error("It was read.")) };
    expect(await other.export(run.taskId, { artifacts: mine })).toBe(text);
    await other.delete(run.taskId);
    await expect(other.load(run.taskId)).rejects.toThrow(TaskNotFoundError);
  });

  test.each([
    ["a name that leads elsewhere", { name: "../secret", description: "", data: "" }],
    ["bytes that are none", { name: "a", description: "", data: "%" }],
    ["more than a file carries of one", { name: "a", description: "", data: "A".repeat(5_400_000) }],
  ])("is refused for an artifact with %s", async (_, artifact) => {
    says(block("final_answer(1)"));
    const run = agent([answersWith(1)]).run("Look.");
    await run.result;
    const [, ...events] = (await store.export(run.taskId)).split("\n");
    const header = '{"format":"vitrine-task","version":2}';

    const refused = store.import([header, JSON.stringify({ artifact }), ...events].join("\n"));

    await expect(refused).rejects.toThrow(SavedTaskError);
  });

  test.each([
    ["", "it is no saved task"],
    ["{}", "it is no saved task"],
    ["hello\nworld", "it is no saved task"],
    ['{"format":"vitrine-task","version":3}', "of a version that is not known"],
    ['{"format":"vitrine-task","version":1}', "its beginning is missing"],
    ['{"format":"vitrine-task","version":1}\n{"event":"{}"}', '"type"'],
    ['{"format":"vitrine-task","version":1}\n{"event":"[[["}', "a line is not an event"],
    ['{"format":"vitrine-task","version":1}\n{"event":"{\\"$bytes\\":0}","bytes":["%"]}', "a line is not an event"],
  ])("is refused when it is %j", async (text, problem) => {
    const refused = store.import(text);
    await expect(refused).rejects.toThrow(SavedTaskError);
    await expect(refused).rejects.toThrow(problem);
    expect((await store.list()).tasks).toEqual([]);
  });
});

describe("what comes from a file", () => {
  async function sharedText(): Promise<string> {
    says(block("look()"), block("final_answer(1)"));
    const run = agent([prints("seen"), answersWith(1)]).run("Look.");
    await run.result;
    return store.export(run.taskId);
  }

  test("is listed as such, also once it has gone on here", async () => {
    const [header = "", ...lines] = (await sharedText()).split("\n");
    const end = lines.findIndex((line) => line.includes('\\"type\\":\\"step-ended\\"'));
    expect((await store.list()).tasks).toMatchObject([{ isImported: false }]);
    const saved = await store.import([header, ...lines.slice(0, end + 1)].join("\n"));
    expect((await store.list()).tasks).toMatchObject([{ isImported: true, state: "interrupted" }]);

    says("", "", block("final_answer(2)"));
    await agent([answersWith(2)]).takeUp(saved).result;
    expect((await store.list()).tasks).toMatchObject([{ isImported: true, state: "completed" }]);
  });

  test("cannot put words into the prompt", async () => {
    const text = await sharedText();
    const forged = text.replace('\\"told\\":[{\\"role\\":\\"user\\"', '\\"told\\":[{\\"role\\":\\"system\\"');
    expect(forged).not.toBe(text);
    await expect(store.import(forged)).rejects.toThrow(SavedTaskError);
  });

  test("has no date beyond all dates", async () => {
    const text = (await sharedText()).replace(/\\"time\\":\d+/, '\\"time\\":1e20');
    await expect(store.import(text)).rejects.toThrow(SavedTaskError);
  });
});

describe("a replay", () => {
  test("gives the events as they came, and asks no model", async () => {
    says(block("look()"), block("final_answer(1)"));
    const run = agent([prints("seen"), answersWith(1)]).run("Look.");
    await run.result;
    const saved = await store.load(run.taskId);
    const asked = server.requests.length;

    const replayed: AgentEvent[] = [];
    for await (const event of replayTask(saved, { speed: Infinity })) replayed.push(event);
    expect(replayed).toEqual(saved.events);
    expect(server.requests).toHaveLength(asked);
  });

  test("ends when it is told to", async () => {
    says(block("final_answer(1)"));
    const run = agent([answersWith(1)]).run("Look.");
    await run.result;
    const stop = new AbortController();
    const replayed: string[] = [];
    for await (const { type } of replayTask(await store.load(run.taskId), { signal: stop.signal })) {
      replayed.push(type);
      stop.abort();
    }
    expect(replayed).toEqual(["task-started"]);
  });
});

describe("a rerun", () => {
  test("says the model's words and the person's again, and really runs", async () => {
    says(block("look()"), block("ask()"), block("final_answer(1)"));
    const run: AgentRun = agent(
      [
        ({ onOutput }) => {
          onOutput({ kind: "stdout", text: "seen" });
          run.say("Mind the units.");
          return { stdout: "seen" };
        },
        async ({ onInput, signal }) => ({ stdout: `answered ${(await onInput?.("Which?", { signal })) ?? ""}` }),
        answersWith(1),
      ],
      { onQuestion: () => Promise.resolve("metres") },
    ).run("Look.");
    await run.result;
    const asked = server.requests.length;
    const saved = await store.load(run.taskId);

    const codes: string[] = [];
    const again = rerunTask(saved, ({ model, onQuestion }) => {
      const session = scriptedSession([
        (_options, code) => {
          codes.push(code);
          return { stdout: "seen" };
        },
        async ({ onInput, signal }, code) => {
          codes.push(code);
          return { stdout: `answered ${(await onInput?.("Which?", { signal })) ?? ""}` };
        },
        (_options, code) => {
          codes.push(code);
          return { finalAnswer: { value: 2, text: "another answer", verifiedBy: null } };
        },
      ]);
      return new CodeAgent({ session, model, onQuestion });
    });
    await expect(again.result).resolves.toMatchObject({ state: "completed", output: "another answer" });
    expect(codes).toEqual(["look()", "ask()", "final_answer(1)"]);
    expect(server.requests).toHaveLength(asked);
  });

  test.each([
    ["dropped", { pruning: keepLastSteps(1) }],
    ["dropped, all of them", { pruning: keepLastSteps(0) }],
    ["cut", { pruning: pruneOldObservations({ keepLast: 1, maxLength: 5 }) }],
  ])("goes on where the model knows its older steps no more, for they are %s", async (_, { pruning }) => {
    says(block("look()"), block("look()"), block("look_again()"), block("final_answer(1)"));
    const runs = [prints("seen"), prints("seen too"), prints("seen again"), answersWith(1)];
    const run: AgentRun = agent(runs, { pruning, prunesEachStep: true }).run("Look.");
    for await (const event of run) if (event.type === "code" && event.step === 1) run.say("Mind the units.");
    await run.result;
    const saved = await store.load(run.taskId);

    const rerun = (again: readonly ScriptedRun[]) =>
      rerunTask(saved, ({ model }) => {
        return new CodeAgent({ session: scriptedSession(again), model, pruning, prunesEachStep: true });
      }).result;
    await expect(rerun(runs)).resolves.toMatchObject({ state: "completed", steps: { length: 4 } });
  });

  test("says what the person said before the model was asked at all", async () => {
    says(block("look()"), block("final_answer(1)"));
    const run = agent([prints("seen"), answersWith(1)]).run("Look.");
    run.say("In metres.");
    await run.result;
    const told = toldBefore(1);

    const again = rerunTask(await store.load(run.taskId), ({ model }) => {
      return new CodeAgent({ session: scriptedSession([prints("seen"), answersWith(1)]), model });
    });
    await expect(again.result).resolves.toMatchObject({ state: "completed" });
    expect(told).toBe("Look.\n\nIn metres.");
    expect(again.conversation.slice(0, 2)).toEqual(run.conversation.slice(0, 2));
  });

  test("of a task that was taken up goes on where it was cut short: that step comes to its end", async () => {
    says(block("look()"), block("pay()"));
    const stop = new AbortController();
    const pays: ScriptedRun = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          resolve({ error: pythonError({ code: "RUN_INTERRUPTED" }) });
        });
      });
    const memory = { values: [], observations: [], failedApproaches: [], variables: ["rows"] };
    const sees: ScriptedRun = () => ({ stdout: "seen", memory });
    const run: AgentRun = agent([sees, pays]).run("Pay.", { signal: stop.signal });
    for await (const event of run) if (event.type === "code" && event.step === 2) break;
    run.say("Mind the units.");
    stop.abort();
    await run.result;
    says("", "", block("look()"), block("final_answer(1)"));
    const looks: ScriptedRun = () => ({ memory: { ...memory, variables: [] } });
    const resumed = agent([looks, prints("paid"), answersWith(1)]).takeUp(await store.load(run.taskId));
    await resumed.result;
    expect(toldBefore(3)).toMatch(/interrupted[^]*Mind the units\.[^]*These names are gone: rows\./);

    const rerun = (...runs: readonly ScriptedRun[]) =>
      load(run).then((saved) =>
        rerunTask(saved, ({ model }) => new CodeAgent({ session: scriptedSession(runs), model })),
      );
    const again = await rerun(sees, prints("paid 5"), prints("paid"), answersWith(1));
    await expect(again.result).resolves.toMatchObject({ state: "completed", steps: { length: 4 } });
    const other = await rerun(sees, prints("paid 5"), prints("another thing"), answersWith(1));
    await expect(other.result).resolves.toMatchObject({
      state: "error",
      error: { code: "RECORDING_MISMATCH", step: 3 },
    });
  });

  test("of a task whose model was stopped as it spoke says the person's words where they were heard", async () => {
    says(block("look()"));
    const run = agent([prints("seen")]).run("Look.");
    await run.result;
    const saved = await cutOff(await load(run), ({ type, step }) => type === "step-started" && step === 2);

    says("", "", block("look_again()"), block("final_answer(1)"));
    const resumed: AgentRun = agent([prints("seen again"), answersWith(1)]).takeUp(saved);
    for await (const event of resumed) if (event.type === "code" && event.step === 3) resumed.say("Mind the units.");
    await resumed.result;

    const again = rerunTask(await load(run), ({ model }) => {
      return new CodeAgent({
        session: scriptedSession([prints("seen"), prints("seen again"), answersWith(1)]),
        model,
      });
    });
    await expect(again.result).resolves.toMatchObject({ state: "completed" });
  });

  test("of a task that was pruned ends where something else happens", async () => {
    says(block("look()"), block("look_again()"), block("final_answer(1)"));
    const options = { pruning: keepLastSteps(1), prunesEachStep: true };
    const run = agent([prints("seen"), prints("seen again"), answersWith(1)], options).run("Look.");
    await run.result;

    const again = rerunTask(await store.load(run.taskId), ({ model }) => {
      return new CodeAgent({ session: scriptedSession([prints("seen"), prints("something else")]), model, ...options });
    });
    await expect(again.result).resolves.toMatchObject({
      state: "error",
      error: { code: "RECORDING_MISMATCH", step: 2, actual: "Observation:\nsomething else" },
    });
  });

  test("of a task that continued another one knows what was said before", async () => {
    says(block("look()"), block("final_answer(1)"), block("final_answer(2)"));
    const first = agent([prints("seen"), answersWith(1)]).run("Look.");
    await first.result;
    const second = agent([answersWith(2)]).run("And now?", { after: await store.load(first.taskId) });
    await second.result;
    expect(toldBefore(3)).toBe("The answer that your code handed in:\nas text\n\nAnd now?");

    const again = rerunTask(await store.load(second.taskId), ({ model }) => {
      return new CodeAgent({ session: scriptedSession([answersWith(2)]), model });
    });
    await expect(again.result).resolves.toMatchObject({ state: "completed", steps: [{ number: 1 }] });
  });

  test("ends where something else happens than happened then", async () => {
    says(block("look()"), block("final_answer(1)"));
    const run = agent([prints("seen"), answersWith(1)]).run("Look.");
    await run.result;

    const again = rerunTask(await store.load(run.taskId), ({ model }) => {
      return new CodeAgent({ session: scriptedSession([prints("something else")]), model });
    });
    await expect(again.result).resolves.toMatchObject({ state: "error", error: { code: "RECORDING_MISMATCH" } });
  });

  test("is a transcript, for a model that repeats", async () => {
    says(block("look()"), block("final_answer(1)"));
    const run = agent([prints("seen"), answersWith(1)]).run("Look.");
    await run.result;
    expect(taskTranscript(await store.load(run.taskId))).toMatchObject({
      task: "Look.",
      by: "test-model",
      steps: [{ reply: block("look()"), observed: "Observation:\nseen" }, { reply: block("final_answer(1)") }],
      answer: "as text",
    });
  });
});

describe("a task that is taken up", () => {
  const memory = { values: [], observations: ["rows are sorted"], failedApproaches: [], variables: ["rows", "total"] };
  const remembers =
    (stdout: string): ScriptedRun =>
    () => ({ stdout, memory });
  /** A new interpreter, in which only `total` is there again. */
  const looks: ScriptedRun = ({ helpers }) => ({
    memory: { ...memory, observations: [...(helpers.observations ?? [])], variables: ["total"] },
  });

  test("goes on after the steps it had; none of them is run again", async () => {
    says(block("look()"), block("look_again()"), block("final_answer(1)"));
    const run = agent([remembers("seen"), remembers("seen again"), answersWith(1)]).run("Look.");
    await run.result;
    const saved = await cutOff(await store.load(run.taskId), ({ type, step }) => type === "step-ended" && step === 1);
    expect(saved).toMatchObject({ state: "interrupted", result: null });
    expect((await store.list()).tasks).toMatchObject([{ taskId: run.taskId, state: "interrupted" }]);

    says("", "", "", block("final_answer(2)"));
    const session = scriptedSession([looks, answersWith(2)]);
    const resumed = agent([], { session }).takeUp(saved);
    await expect(resumed.result).resolves.toMatchObject({
      taskId: run.taskId,
      state: "completed",
      usage: { modelCalls: 2 },
      steps: [{ number: 1, reply: block("look()") }, { number: 2 }],
    });
    expect(session.codes).toEqual(["", "final_answer(2)"]);
    expect(toldBefore(4)).toMatch(/^Observation:\nseen[^]*Python has started anew\. These names are gone: rows\./);
    expect(resumed.events.filter(({ type }) => type === "task-resumed")).toMatchObject([
      { gone: ["rows"], interrupted: null },
    ]);

    const whole = await store.load(run.taskId);
    expect(whole).toMatchObject({ state: "completed", steps: [{ number: 1 }, { number: 2 }] });
    expect(whole.events.map(({ sequence }) => sequence)).toEqual(
      whole.events.map(({ sequence }) => sequence).sort((one, other) => one - other),
    );
  });

  test("says of names that could not be looked for that nothing is known of them", async () => {
    says(block("look()"), "no answer");
    const run = agent([remembers("seen")], { maxSteps: 1 }).run("Look.");
    await run.result;
    const saved = await store.load(run.taskId);

    says("", block("final_answer(2)"));
    const broken: ScriptedRun = () => ({ lost: true, error: pythonError({ code: "WORKER_LOST", message: "gone" }) });
    const resumed = agent([], { maxSteps: 5, session: scriptedSession([broken, answersWith(2)]) }).takeUp(saved);
    await expect(resumed.result).resolves.toMatchObject({ state: "completed" });

    const unknown = memory.variables;
    expect(resumed.events.find(({ type }) => type === "task-resumed")).toMatchObject({ gone: [], unknown });
    const told = toldBefore(2);
    expect(told).toContain(`which of these names are still there: ${unknown.join(", ")}.`);
    expect(told).not.toContain("started anew");
    expect((await store.load(run.taskId)).events.find(({ type }) => type === "task-resumed")).toMatchObject({
      unknown,
    });
  });

  test("tells of a step that was interrupted which calls finished, and which may have, whatever the clock said", async () => {
    says(block("look()"), block("act()"), block("final_answer(1)"));
    const calls: ScriptedRun = (options, ...more) => {
      options.onCall(journalEntry({ id: "of an earlier step", runId: options.runId, name: "look" }));
      return remembers("seen")(options, ...more);
    };
    const acts: ScriptedRun = ({ onCall, onOutput, runId }) => {
      onOutput({ kind: "stdout", text: "acting" });
      onCall(journalEntry({ id: "a", runId, name: "send", arguments: { to: "Ada" } }));
      onCall(journalEntry({ id: "b", runId, name: "pay", arguments: { sum: 5 } }));
      return { stdout: "acting" };
    };
    const run = agent([calls, acts, answersWith(1)]).run("Look.");
    await run.result;
    const isCall = ({ type, step }: AgentEvent) => type === "call" && step === 2;
    const saved = await cutOff(await store.load(run.taskId), isCall);
    const runId = saved.events.findLast((event) => event.type === "code")?.runId ?? "";

    const entries: JournalEntry[] = [
      journalEntry({ id: "of another run", runId: "run-0", name: "elsewhere" }),
      journalEntry({ id: "of an earlier step", runId, name: "look", outcome: { kind: "unknown" } }),
      journalEntry({ id: "a", runId, name: "send", outcome: { kind: "ok", summary: "sent", elapsed: 3 } }),
      journalEntry({ id: "b", runId, name: "pay", arguments: { sum: 5 }, outcome: { kind: "unknown" } }),
      journalEntry({ id: "c", runId: "run-c", parent: "a", name: "log", outcome: { kind: "unknown" } }),
    ];
    says("", "", "", block("final_answer(2)"));
    const session = { ...scriptedSession([looks, answersWith(2)]), journal: { list: () => Promise.resolve(entries) } };
    const resumed = agent([], { session }).takeUp(saved);
    const result = await resumed.result;

    expect(toldBefore(4)).toBe(
      [
        "The task was interrupted before it could be told what came of this. It is not done again; what it did stays. " +
          "Names that it made may be gone.",
        'Calls that finished:\n- tools.send() -> "sent"',
        "Calls whose outcome is unknown. They may have taken effect: look before you make them again.\n" +
          '- tools.pay("sum":5)\n- tools.log()',
        "It had printed:\nacting",
        "Python has started anew. These names are gone: rows. " +
          "Files in /workspace, artifacts and skills are still there. Import and compute again what you need.",
      ].join("\n\n"),
    );
    expect(resumed.events.find(({ type }) => type === "task-resumed")).toMatchObject({
      interrupted: { step: 2, finished: [{ id: "a" }], unknown: [{ id: "b" }, { id: "c" }] },
    });
    expect(result).toMatchObject({ usage: { toolCalls: 2 }, steps: [{}, { run: null, code: "act()" }, {}] });
  });

  test("knows of calls that waited for a person or for their turn that they were not made", async () => {
    says(block("act()"), block("final_answer(1)"));
    const acts: ScriptedRun = ({ onCall, runId }) => {
      const call = (name: string, part: Partial<JournalEntry>) =>
        onCall(journalEntry({ id: name, runId, name, ...part }));
      call("mail", { approval: "asked" });
      call("queue", { course: { queue: { kind: "waiting" } } });
      call("again", { approval: "allowed" });
      call("again", { approval: "asked" });
      return {};
    };
    const run = agent([acts, answersWith(1)]).run("Look.");
    await run.result;
    const saved = await cutOff(await load(run), ({ type }) => type === "call");

    says("", "", block("final_answer(2)"));
    const resumed = agent([answersWith(2)]).takeUp(saved);
    await resumed.result;

    const { interrupted } = resumed.events.find((event) => event.type === "task-resumed") ?? {};
    expect(interrupted?.finished).toMatchObject([{ id: "mail" }, { id: "queue" }]);
    expect(interrupted?.unknown).toMatchObject([{ id: "again" }]);
    expect(toldBefore(3)).toContain("tools.mail was given up because its run was stopped. It had not begun");
  });

  /** Pays, and then does not end before it is stopped. */
  const paysAndWaits: ScriptedRun = ({ onCall, onOutput, signal, runId }) => {
    onOutput({ kind: "stdout", text: "paid" });
    const paid = journalEntry({ id: "a", runId, name: "pay" });
    onCall(paid);
    onCall({ ...paid, outcome: { kind: "ok", summary: "paid 5", elapsed: 3 } });
    const asked = journalEntry({ id: "b", runId, name: "send" });
    onCall(asked);
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        const code = "CALL_CANCELLED";
        onCall({ ...asked, outcome: { kind: "error", name: "ToolCallError", code, message: "given up", elapsed: 3 } });
        resolve({ stdout: "paid", error: pythonError({ code: "RUN_INTERRUPTED" }) });
      });
    });
  };
  const cut = { step: 1, finished: [{ id: "a" }], unknown: [{ id: "b", outcome: { kind: "unknown" } }] };
  const toldOfCut = [
    "The task was interrupted before it could be told what came of this. It is not done again; what it did stays. " +
      "Names that it made may be gone.",
    'Calls that finished:\n- tools.pay() -> "paid 5"',
    "Calls whose outcome is unknown. They may have taken effect: look before you make them again.\n- tools.send()",
    "It had printed:\npaid",
  ].join("\n\n");

  test("knows what the step had done in which it was stopped", async () => {
    says(block("pay()"));
    const stop = new AbortController();
    const run = agent([paysAndWaits]).run("Pay.", { signal: stop.signal });
    for await (const event of run) if (event.type === "call" && event.entry.id === "b") break;
    stop.abort();
    await expect(run.result).resolves.toMatchObject({ state: "cancelled", steps: [{ observation: toldOfCut }] });
    const saved = await store.load(run.taskId);
    expect(saved.conversation).toEqual(run.conversation);
    expect((await new TaskStore(memoryStorage()).import(await store.export(run.taskId))).steps).toEqual(saved.steps);

    says("", block("final_answer(2)"));
    const resumed = agent([answersWith(2)]).takeUp(saved);
    await expect(resumed.result).resolves.toMatchObject({ state: "completed" });
    expect(toldBefore(2)).toBe(toldOfCut);
    expect(resumed.events.find(({ type }) => type === "task-resumed")).toMatchObject({ interrupted: cut, told: null });
    expect(resumed.events.filter(({ type, step }) => type === "step-ended" && step === 1)).toHaveLength(1);

    says("", "", block("final_answer(3)"));
    await agent([answersWith(3)]).run("And now?", { after: run }).result;
    expect(toldBefore(3)).toBe(`${toldOfCut}\n\nAnd now?`);
  });

  test("knows what the step had done in which its time was over", async () => {
    says(block("pay()"));
    const run = agent([paysAndWaits], { budget: { time: 300 } }).run("Pay.");
    await expect(run.result).resolves.toMatchObject({ state: "budget_reached", error: { kind: "time" } });

    says("", block("final_answer(2)"));
    const resumed = agent([answersWith(2)]).takeUp(await store.load(run.taskId));
    await expect(resumed.result).resolves.toMatchObject({ state: "completed" });
    expect(toldBefore(2)).toBe(toldOfCut);
  });

  test("goes on where its model was speaking", async () => {
    says(block("look()"), block("final_answer(1)"));
    const run = agent([prints("seen"), answersWith(1)]).run("Look.");
    await run.result;
    const saved = await cutOff(await store.load(run.taskId), ({ type, step }) => type === "step-started" && step === 2);

    says("", "", block("final_answer(2)"));
    const resumed = agent([answersWith(2)]).takeUp(saved);
    await expect(resumed.result).resolves.toMatchObject({ state: "completed", steps: [{}, { code: null }, {}] });
    expect(toldBefore(3)).toBe("Observation:\nseen");
  });

  test.each([
    [5, undefined],
    [1, 5],
  ])(
    "that reached its limit needs a higher one, and then goes on: of the agent %o, of the task %o",
    async (all, own) => {
      says(block("look()"), "no answer");
      const run = agent([prints("seen")], { maxSteps: 1 }).run("Look.");
      await expect(run.result).resolves.toMatchObject({ state: "step_limit_reached" });

      says("", "", block("final_answer(2)"));
      const resumed = agent([answersWith(2)], { maxSteps: all }).takeUp(
        await store.load(run.taskId),
        own === undefined ? {} : { maxSteps: own },
      );
      await expect(resumed.result).resolves.toMatchObject({ state: "completed", output: "as text" });
    },
  );

  test("counts its budget from the beginning", async () => {
    says(block("look()"), block("look()"));
    const run = agent([prints("1"), prints("2")], { budget: { modelCalls: 2 } }).run("Look.");
    await expect(run.result).resolves.toMatchObject({ state: "budget_reached" });

    const saved = await store.load(run.taskId);
    const same = agent([], { budget: { modelCalls: 2 } }).takeUp(saved);
    await expect(same.result).resolves.toMatchObject({ state: "budget_reached" });
    expect(server.requests).toHaveLength(2);
  });

  test("has used the requests that failed, and the one that was under way", async () => {
    answers = [
      { kind: "status", status: 503, body: "" },
      { kind: "reply", text: block("look()") },
      { kind: "reply", text: block("final_answer(1)") },
    ];
    const run = agent([prints("seen"), answersWith(1)]).run("Look.");
    await run.result;
    const whole = await load(run);
    const usageAfter = async (isLast: (event: AgentEvent) => boolean) => (await cutOff(whole, isLast)).usage.modelCalls;

    expect(whole.usage.modelCalls).toBe(3);
    expect(await usageAfter(({ type, step }) => type === "step-started" && step === 2)).toBe(3);
    expect(await usageAfter(({ type, step }) => type === "model-ended" && step === 1)).toBe(2);
    expect(await usageAfter(({ type }) => type === "model-retry")).toBe(2);
  });

  test("has its one repair of an answer only once", async () => {
    says(block("final_answer('?')"), block("look()"));
    const answer = z.number();
    const first = agent([answersWith("?"), prints("seen")], { answer, maxSteps: 1 }).run("Look.");
    await first.result;
    const known = server.requests.length;
    says(...Array.from({ length: known }, () => ""), block("final_answer('!')"), block("final_answer('!!')"));
    const resumed = agent([answersWith("!"), answersWith("!!")], { answer, maxSteps: 9 }).takeUp(await load(first));
    await expect(resumed.result).resolves.toMatchObject({ state: "error", error: { code: "INVALID_FINAL_ANSWER" } });
    expect(server.requests).toHaveLength(known + 1);
  });

  test("has used no time while a person was asked something in the step that did not end", async () => {
    says(block("ask()"), block("final_answer(1)"));
    const asks: ScriptedRun = async ({ onInput, onCall, runId, signal }) => {
      await onInput?.("Which?", { signal });
      const call = journalEntry({ id: "a", runId, name: "pay" });
      const outcome = { kind: "ok", summary: null, elapsed: 3 } as const;
      onCall(call);
      onCall({ ...call, approval: "asked" });
      onCall({ ...call, approval: "allowed" });
      onCall({ ...call, approval: "allowed", outcome });
      return {};
    };
    const run = agent([asks, answersWith(1)], { onQuestion: () => Promise.resolve("metres") }).run("Ask.");
    await run.result;
    const { events, taskId } = await store.load(run.taskId);
    let time = 0;
    const timed = events.slice(0, events.findLastIndex(({ type }) => type === "call") + 1).map((event) => {
      const isAnswer =
        (event.type === "question" && event.answer !== null) ||
        (event.type === "call" && event.entry.approval === "allowed" && event.entry.outcome.kind === "pending");
      time += isAnswer ? 1_000_000 : 10;
      return { ...event, time };
    });

    const { state, usage } = savedTaskOf(timed, { taskId });

    expect(state).toBe("interrupted");
    // Between all of them, but for the two in which the person was waited for.
    expect(usage.time).toBe(10 * (timed.length - 1 - 2));
  });

  test("is not taken up by what it was before it went on: no step is run twice", async () => {
    says(block("look()"), "no answer");
    const run = agent([prints("seen")], { maxSteps: 1 }).run("Look.");
    await run.result;
    const saved = await store.load(run.taskId);
    says("", block("pay()"), block("final_answer(1)"));
    await agent([prints("paid"), answersWith(1)]).takeUp(saved).result;
    const kept = await store.load(run.taskId);

    const session = scriptedSession([prints("paid"), answersWith(1)]);
    const again = agent([], { session }).takeUp(saved);
    await expect(again.result).resolves.toMatchObject({ state: "error", error: { code: "TASK_NOT_RESUMABLE" } });
    expect(session.codes).toEqual([]);
    expect(await store.load(run.taskId)).toEqual(kept);

    await store.delete(run.taskId);
    const gone = agent([], { session }).takeUp(saved);
    await expect(gone.result).resolves.toMatchObject({ state: "error", error: { code: "TASK_NOT_RESUMABLE" } });
    expect((await store.list()).tasks).toEqual([]);
  });

  test("was not answered yet, and by the same kind of agent", async () => {
    says(block("final_answer(1)"));
    const run = agent([answersWith(1)]).run("Look.");
    await run.result;
    const saved = await store.load(run.taskId);
    expect(() => agent([]).takeUp(saved)).toThrow(TaskNotResumableError);
    expect(() => agent([]).takeUp({ ...saved, state: "cancelled", agent: "react" })).toThrow(/one of the react agent/);
  });
});
