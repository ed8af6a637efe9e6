import { afterEach, beforeEach, describe, expect, test } from "vitest";

import {
  CodeAgent,
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
import type { JournalEntry } from "../../../src/dispatch/index.js";
import { openaiModel } from "../../../src/model/index.js";
import { Tuple, type Value } from "../../../src/protocol/index.js";
import { memoryStorage, StorageFullError, type StorageBackend } from "../../../src/storage/index.js";
import { startModelServer, type ModelAnswer, type ModelServer } from "../../servers/model-server.js";
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
  const model = openaiModel({ baseURL: server.baseURL(), apiKey: "sk-test", model: "test-model", timeout: 10_000 });
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
      write: (entries) =>
        refuses([...entries.keys()]) ? Promise.reject(new StorageFullError(1)) : whole.write(entries),
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

  test.each([
    ["", "it is no saved task"],
    ["{}", "it is no saved task"],
    ["hello\nworld", "it is no saved task"],
    ['{"format":"vitrine-task","version":2}', "of a version that is not known"],
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
        async ({ onInput }) => ({ stdout: `answered ${(await onInput?.("Which?")) ?? ""}` }),
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
        async ({ onInput }, code) => {
          codes.push(code);
          return { stdout: `answered ${(await onInput?.("Which?")) ?? ""}` };
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

  test("of a task that continued another one knows what was said before", async () => {
    says(block("look()"), block("final_answer(1)"), block("final_answer(2)"));
    const first = agent([prints("seen"), answersWith(1)]).run("Look.");
    await first.result;
    const second = agent([answersWith(2)]).run("And now?", { after: first });
    await second.result;

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

  test("tells of a step that was interrupted which calls finished, and which may have", async () => {
    says(block("look()"), block("act()"), block("final_answer(1)"));
    const acts: ScriptedRun = ({ onCall, onOutput, runId }) => {
      onOutput({ kind: "stdout", text: "acting" });
      onCall(journalEntry({ id: "a", runId, name: "send", arguments: { to: "Ada" } }));
      onCall(journalEntry({ id: "b", runId, name: "pay", arguments: { sum: 5 } }));
      return { stdout: "acting" };
    };
    const run = agent([remembers("seen"), acts, answersWith(1)]).run("Look.");
    await run.result;
    const isCall = ({ type, step }: AgentEvent) => type === "call" && step === 2;
    const saved = await cutOff(await store.load(run.taskId), isCall);
    const runId = saved.events.findLast((event) => event.type === "code")?.runId ?? "";

    const startedAt = Date.now();
    const entries: JournalEntry[] = [
      journalEntry({ id: "of another run", runId: "run-0", name: "elsewhere" }),
      journalEntry({ startedAt, id: "a", runId, name: "send", outcome: { kind: "ok", summary: "sent", elapsed: 3 } }),
      journalEntry({ startedAt, id: "b", runId, name: "pay", arguments: { sum: 5 }, outcome: { kind: "unknown" } }),
      journalEntry({ startedAt, id: "c", runId: "run-c", parent: "a", name: "log", outcome: { kind: "unknown" } }),
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

  test("that reached its limit needs a higher one, and then goes on", async () => {
    says(block("look()"), "no answer");
    const run = agent([prints("seen")], { maxSteps: 1 }).run("Look.");
    await expect(run.result).resolves.toMatchObject({ state: "step_limit_reached" });

    says("", "", block("final_answer(2)"));
    const resumed = agent([answersWith(2)], { maxSteps: 5 }).takeUp(await store.load(run.taskId));
    await expect(resumed.result).resolves.toMatchObject({ state: "completed", output: "as text" });
  });

  test("counts its budget from the beginning", async () => {
    says(block("look()"), block("look()"));
    const run = agent([prints("1"), prints("2")], { budget: { modelCalls: 2 } }).run("Look.");
    await expect(run.result).resolves.toMatchObject({ state: "budget_reached" });

    const saved = await store.load(run.taskId);
    const same = agent([], { budget: { modelCalls: 2 } }).takeUp(saved);
    await expect(same.result).resolves.toMatchObject({ state: "budget_reached" });
    expect(server.requests).toHaveLength(2);
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
