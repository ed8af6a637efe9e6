import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import { CodeAgent, type AgentEvent, type AgentRun, type CodeAgentOptions } from "../../../src/agent/index.js";
import { openaiModel, recordedModel, recordTranscript, type Model } from "../../../src/model/index.js";
import type { RunResult } from "../../../src/session/index.js";
import { errorBody, startModelServer, type ModelAnswer, type ModelServer } from "../../servers/model-server.js";
import { RUN, SHOWS } from "../../timeouts.mjs";
import { journalEntry, pythonError, scriptedSession, type ScriptedRun } from "./scripted-session.js";

const KEY = "sk-proj-1234567890abcdef";
const F = "```";
const block = (code: string): string => `${F}python\n${code}\n${F}`;

let server: ModelServer;
let answers: ModelAnswer[];

beforeEach(async () => {
  answers = [];
  server = await startModelServer(
    () => answers[server.requests.length - 1] ?? { kind: "reply", text: "Nothing more." },
  );
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const reply = (text: string, finishReason = "stop"): ModelAnswer => ({ kind: "reply", text, finishReason });

function model(timeout = RUN): Model {
  return openaiModel({ baseURL: server.baseURL(), apiKey: KEY, model: "test-model", timeout });
}

function agent(runs: readonly ScriptedRun[], options: Partial<CodeAgentOptions> = {}): CodeAgent {
  return new CodeAgent({ session: scriptedSession(runs), model: model(), retries: 0, ...options });
}

const prints =
  (stdout: string): ScriptedRun =>
  () => ({ stdout });
const answersWith =
  (value: number | string | null): ScriptedRun =>
  () => ({ finalAnswer: { value, text: value === null ? "None" : String(value), verifiedBy: null } });

async function eventsOf(run: AgentRun): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const last = <T>(list: readonly T[]): T | undefined => list.at(-1);

/** What the model was told last, before its call of that number (counted from 1). */
function toldBefore(call: number): string | undefined {
  return last(server.requests[call - 1]?.body.messages ?? [])?.content;
}

describe("a task", () => {
  test("ends with what the code hands to final_answer (T7)", async () => {
    answers = [reply(`I add.\n${block("final_answer(2 + 3)")}`)];
    const session = scriptedSession([answersWith(5)]);

    const result = await new CodeAgent({ session, model: model() }).run("Add 2 and 3.").result;

    expect(result).toMatchObject({
      state: "completed",
      answer: { value: 5, text: "5" },
      error: null,
      task: "Add 2 and 3.",
    });
    expect(result.steps).toHaveLength(1);
    expect(session.codes).toEqual(["final_answer(2 + 3)"]);
  });

  test("needs no tools (T1)", async () => {
    answers = [reply(block("final_answer(1)"))];

    const result = await agent([answersWith(1)], { session: scriptedSession([answersWith(1)], { tools: [] }) }).run(
      "Look.",
    ).result;

    expect(result).toMatchObject({ state: "completed", output: "1", error: null });
    expect(server.requests[0]?.body.messages[0]?.content).toContain("final_answer(");
  });

  test("tells the model what a step printed before it asks again (T9)", async () => {
    answers = [reply(block("print('seen')")), reply(block("final_answer(1)"))];

    const result = await agent([prints("seen\n"), answersWith(1)]).run("Look.").result;

    expect(result.steps.map(({ observation }) => observation)).toEqual(["Observation:\nseen", null]);
    expect(toldBefore(2)).toBe("Observation:\nseen");
    expect(server.requests[1]?.body.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  });

  test("asks again for code, at the cost of a step (T11)", async () => {
    answers = [reply("I would rather not."), reply(block("final_answer(1)"))];

    const result = await agent([answersWith(1)]).run("Look.").result;

    expect(toldBefore(2)).toBe("Please respond with a python block only.");
    expect(result.steps[0]).toMatchObject({ reply: "I would rather not.", code: null, run: null });
    expect(result).toMatchObject({ state: "completed", steps: { length: 2 } });
  });

  test("asks again after a reply without text, and sends no empty message (T12)", async () => {
    answers = [reply(""), reply(block("final_answer(1)"))];

    const result = await agent([answersWith(1)]).run("Look.").result;

    expect(result).toMatchObject({ state: "completed", steps: { length: 2 } });
    expect(server.requests[1]?.body.messages.every(({ content }) => content !== "")).toBe(true);
  });

  test("tells the model that only its first block was run (T16)", async () => {
    answers = [reply(`${block("print(1)")}\n${block("print(2)")}`), reply(block("final_answer(1)"))];

    await agent([prints("1"), answersWith(1)]).run("Look.").result;

    expect(toldBefore(2)).toMatch(
      /^Observation:\n1\n\nNote: only the first python block .* another one was ignored\.$/,
    );
  });

  test("runs nothing of a block that the server cut at the length limit", async () => {
    answers = [reply(`${F}python\ndelete_the_old()\nwrite_the_`, "length"), reply(block("final_answer(1)"))];
    const session = scriptedSession([answersWith(1)]);

    await new CodeAgent({ session, model: model() }).run("Look.").result;

    expect(session.codes).toEqual(["final_answer(1)"]);
    expect(toldBefore(2)).toMatch(/cut off at the length limit/);
  });

  test("goes on after an error, which the model is told (T20)", async () => {
    answers = [reply(block("1/0")), reply(block("final_answer(1)"))];
    const fails: ScriptedRun = () => ({
      error: pythonError({ pythonType: "ZeroDivisionError", message: "division by zero" }),
    });

    const result = await agent([fails, answersWith(1)]).run("Look.").result;

    expect(toldBefore(2)).toBe("Execution error: ZeroDivisionError: division by zero");
    expect(result.state).toBe("completed");
  });

  test("does not end with an answer whose block failed afterwards", async () => {
    answers = [reply(block("final_answer(1); 1/0")), reply(block("final_answer(2)"))];
    const fails: ScriptedRun = () => ({
      error: pythonError({}),
      finalAnswer: { value: 1, text: "1", verifiedBy: null },
    });

    expect(await agent([fails, answersWith(2)]).run("Look.").result).toMatchObject({ answer: { value: 2 } });
  });

  test("may end with None (T40)", async () => {
    answers = [reply(block("final_answer(None)"))];

    expect(await agent([answersWith(null)]).run("Look.").result).toMatchObject({
      state: "completed",
      answer: { value: null, text: "None" },
    });
  });

  test("stops at the step limit, with what was done (T59, T60)", async () => {
    answers = [reply(block("print(1)")), reply(block("print(2)")), reply(block("print(3)"))];

    const run = agent([prints("1"), prints("2"), prints("3")], { maxSteps: 3 }).run("Look.");
    const result = await run.result;

    expect(result).toMatchObject({
      state: "step_limit_reached",
      output: "",
      answer: null,
      error: {
        name: "StepLimitReached",
        code: "STEP_LIMIT_REACHED",
        message: expect.stringMatching(/^Exceeded max ReAct steps without an answer\. Steps taken: 3\./) as unknown,
        stepsTaken: 3,
        finalAttemptMade: false,
      },
      steps: { length: 3 },
    });
    expect(server.requests).toHaveLength(3);
    expect(run.events.find(({ type }) => type === "limit")).toMatchObject({ kind: "steps", limit: 3 });
  });

  test("stops at the task's own step limit, where it has one (T59)", async () => {
    answers = [reply(block("print(1)")), reply(block("print(2)"))];

    const run = agent([prints("1"), prints("2")], { maxSteps: 9 }).run("Look.", { maxSteps: 2 });

    expect(await run.result).toMatchObject({ state: "step_limit_reached", error: { stepsTaken: 2 } });
    expect(run.events[0]).toMatchObject({ type: "task-started", maxSteps: 2 });
    expect(() => agent([]).run("Look.", { maxSteps: -1 })).toThrow(expect.objectContaining({ field: "maxSteps" }));
  });

  test("asks nothing when no step is allowed (T61)", async () => {
    const result = await agent([], { maxSteps: 0 }).run("Look.").result;

    expect(result).toMatchObject({
      state: "step_limit_reached",
      error: { stepsTaken: 0, finalAttemptMade: false },
      steps: [],
    });
    expect(server.requests).toEqual([]);
  });

  test("may end at its last step (T62)", async () => {
    answers = [...[1, 2, 3].map((number) => reply(block(`print(${String(number)})`))), reply(block("final_answer(4)"))];

    const result = await agent([prints("1"), prints("2"), prints("3"), answersWith(4)], { maxSteps: 4 }).run("Look.")
      .result;

    expect(result).toMatchObject({
      state: "completed",
      output: "4",
      answer: { value: 4, source: "normal" },
      error: null,
      elapsed: expect.any(Number),
      steps: { length: 4 },
    });
  });

  test("asks at temperature 0, and without it where the model refuses it", async () => {
    answers = [
      { kind: "status", status: 400, body: errorBody("Unsupported value: 'temperature'.", { param: "temperature" }) },
      reply(block("final_answer(1)")),
    ];

    const run = agent([answersWith(1)]).run("Look.");

    expect(await run.result).toMatchObject({ state: "completed" });
    expect(server.requests.map(({ body }) => body.temperature)).toEqual([0, undefined]);
    expect(run.events.find(({ type }) => type === "notice")).toMatchObject({ notice: { code: "PARAMETER_REFUSED" } });
  });

  test("that says nothing is refused before anything happens", () => {
    expect(() => agent([]).run("  ")).toThrow(expect.objectContaining({ code: "AGENT_OPTIONS", field: "task" }));
    expect(() => agent([], { maxSteps: -1 })).toThrow(
      expect.objectContaining({ code: "AGENT_OPTIONS", field: "maxSteps" }),
    );
  });
});

describe("a model that fails", () => {
  const faults: { fault: string; answer: ModelAnswer; code: string }[] = [
    { fault: "401", answer: { kind: "status", status: 401, body: errorBody(`Bad key ${KEY}`) }, code: "MODEL_AUTH" },
    { fault: "429", answer: { kind: "status", status: 429, body: errorBody("Slow down.") }, code: "MODEL_RATE_LIMIT" },
    { fault: "500", answer: { kind: "status", status: 500, body: "" }, code: "MODEL_SERVER" },
    { fault: "nonsense", answer: { kind: "body", contentType: "text/html", body: "<p>Hi" }, code: "MODEL_RESPONSE" },
    { fault: "a dropped connection", answer: { kind: "drop", text: "Let me see" }, code: "MODEL_UNREACHABLE" },
  ];

  test.each(faults)(
    "with $fault ends the task in an error, and the steps before it are kept (T63)",
    async ({ answer, code }) => {
      answers = [reply(block("print(1)")), answer];
      const run = agent([prints("1")]).run("Look.");

      const result = await run.result;

      expect(result).toMatchObject({
        state: "error",
        answer: null,
        error: { code },
        steps: [{ observation: "Observation:\n1" }, {}],
      });
      expect(run.events.find(({ type }) => type === "error")).toMatchObject({
        code,
        step: 2,
        message: result.error?.message,
      });
      expect(JSON.stringify(run.events)).not.toContain(KEY);
    },
  );

  test("with no answer at all ends the task in an error once its time is over, and the steps before it are kept (T63)", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    answers = [reply(block("print(1)")), { kind: "silence" }];
    const run = agent([prints("1")], { model: model(10_000) }).run("Look.");

    await vi.waitUntil(() => server.requests.length === 2, { interval: 1, timeout: SHOWS });
    vi.advanceTimersByTime(10_000);

    expect(await run.result).toMatchObject({
      state: "error",
      answer: null,
      error: { code: "MODEL_TIMEOUT" },
      steps: [{ observation: "Observation:\n1" }, {}],
    });
    expect(run.events.find(({ type }) => type === "error")).toMatchObject({ code: "MODEL_TIMEOUT", step: 2 });
  });

  test("in the middle of a reply leaves what it said until then", async () => {
    answers = [{ kind: "drop", text: "Let me see" }];
    const run = agent([]).run("Look.");

    expect((await run.result).steps[0]?.reply).toBe("Let me see");
    expect(run.events.filter(({ type }) => type === "model-text").length).toBeGreaterThan(0);
  });
});

describe("a session that fails", () => {
  test("ends the task in an error", async () => {
    answers = [reply(block("print(1)"))];
    const closed: ScriptedRun = () => {
      throw new Error("The worker could not be started.");
    };

    expect(await agent([closed]).run("Look.").result).toMatchObject({
      state: "error",
      error: { message: "The worker could not be started." },
      steps: [{ code: "print(1)", run: null }],
    });
  });

  test("because it was closed ends the task and not only the step", async () => {
    answers = [reply(block("print(1)"))];
    const closed: ScriptedRun = () => ({
      error: pythonError({ code: "SESSION_CLOSED", message: "Session is closed" }),
      sessionFailed: true,
    });

    expect(await agent([closed]).run("Look.").result).toMatchObject({
      state: "error",
      error: { code: "TASK_SESSION" },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("before the first step ends the task in an error", async () => {
    const session = { ...scriptedSession([]), workspace: { list: () => Promise.reject(new Error("blocked")) } };

    const run = new CodeAgent({ session, model: model() }).run("Look.");

    expect(await run.result).toMatchObject({ state: "error", error: { message: "blocked" }, steps: [] });
    expect(run.events.map(({ type }) => type)).toEqual(["task-started", "error", "task-ended"]);
  });
});

describe("stopping a task", () => {
  test("ends the reply that is being streamed and keeps its beginning", async () => {
    answers = [{ kind: "stall", text: "Let me see" }];
    const stop = new AbortController();
    const run = agent([]).run("Look.", { signal: stop.signal });
    for await (const event of run) if (event.type === "model-text") stop.abort();

    const result = await run.result;

    expect(result).toMatchObject({ state: "cancelled", answer: null, error: null });
    expect("Let me see".startsWith(result.steps[0]?.reply ?? "?")).toBe(true);
    expect(run.events.some(({ type }) => type === "error")).toBe(false);
  });

  test.each(["resolves with the interrupted run", "rejects"])("interrupts the run, which then %s", async (how) => {
    answers = [reply(block("while True: pass"))];
    const stop = new AbortController();
    const interrupted: ScriptedRun = async ({ signal }) => {
      const aborted = new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      stop.abort();
      await aborted;
      if (how === "rejects") throw new Error("interrupted");
      return { stdout: "so far", error: pythonError({ code: "RUN_INTERRUPTED" }) };
    };

    const result = await agent([interrupted]).run("Look.", { signal: stop.signal }).result;

    expect(result).toMatchObject({ state: "cancelled", steps: [{ code: "while True: pass" }] });
    expect(result.steps[0]?.run?.stdout).toBe(how === "rejects" ? undefined : "so far");
    expect(server.requests).toHaveLength(1);
  });

  test("before it began asks nothing", async () => {
    const run = agent([]).run("Look.", { signal: AbortSignal.abort() });

    expect(await run.result).toMatchObject({ state: "cancelled", steps: [] });
    expect(server.requests).toEqual([]);
  });
});

describe("events", () => {
  const call = journalEntry({ id: "c1", name: "echo.shout" });
  const save = journalEntry({
    id: "c2",
    parent: "c1",
    namespace: "artifacts",
    name: "save",
    arguments: { name: "report.md" },
  });
  const busy: ScriptedRun = ({ onOutput, onCall }) => {
    onOutput({ kind: "stdout", text: "hello\n" });
    onCall(call);
    onCall(save);
    onCall({ ...save, outcome: { kind: "ok", summary: null, elapsed: 1 } });
    onCall({ ...call, outcome: { kind: "ok", summary: null, elapsed: 2 } });
    return { stdout: "hello\n", finalAnswer: { value: 1, text: "1", verifiedBy: null } };
  };

  test("tell the whole story in order", async () => {
    answers = [reply(block("work()"))];

    const events = await eventsOf(agent([busy]).run("Look."));

    const types = events.map(({ type }) => type).filter((type) => type !== "model-text");
    expect(types).toEqual([
      "task-started",
      "step-started",
      "model-ended",
      "code",
      "output",
      "call",
      "call",
      "call",
      "artifact",
      "call",
      "answer",
      "step-ended",
      "task-ended",
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    expect(events[0]).toMatchObject({ task: "Look.", model: { name: "test-model", kind: "openai" }, maxSteps: 10 });
  });

  test("hang together by ids and parent ids", async () => {
    answers = [reply(block("work()"))];
    const run = agent([busy]).run("Look.");

    const events = await eventsOf(run);

    const parents = new Map(events.map(({ id, parentId }) => [id, parentId]));
    const chain = (id: string): string[] => {
      const parent = parents.get(id);
      return parent === null || parent === undefined ? [id] : [id, ...chain(parent)];
    };
    const artifact = events.find(({ type }) => type === "artifact");
    const task = run.taskId;
    expect(artifact).toMatchObject({ name: "report.md", step: 1 });
    expect(chain(artifact?.id ?? "")).toEqual(["c2/artifact", "c2", "c1", `${task}/1/code`, `${task}/1`, task]);
    expect(new Set(events.filter(({ type }) => type === "model-text").map(({ id }) => id)).size).toBe(1);
    expect(events.every(({ taskId }) => taskId === task)).toBe(true);
  });

  test("can be read again, and by several, from the first one on", async () => {
    answers = [reply(block("work()"))];
    const run = agent([busy]).run("Look.");

    const [one, two] = await Promise.all([eventsOf(run), eventsOf(run)]);

    expect(two).toEqual(one);
    expect(await eventsOf(run)).toEqual(one);
    expect(last(one)).toMatchObject({ type: "task-ended", result: await run.result });
  });

  test("go on after a reader has left", async () => {
    answers = [reply(block("work()"))];
    const run = agent([busy]).run("Look.");

    for await (const event of run) if (event.type === "step-started") break;

    expect(await run.result).toMatchObject({ state: "completed" });
  });
});

describe("a recording of a task", () => {
  const look = `I look.\n${block("print(rows)")}`;
  const sum = block("final_answer(sum(rows))");

  async function record() {
    answers = [reply(look), reply(sum)];
    const recorder = recordTranscript(model());
    const result = await agent([prints("[1, 2, 3]"), answersWith(6)], { model: recorder }).run("Sum the rows.").result;
    const transcript = recorder.transcript({ answer: result.answer?.text ?? "" });
    return recordedModel({ transcripts: transcript === undefined ? [] : [transcript], pace: 0 });
  }

  test("replays with the same runs, and its answer is the one that was computed", async () => {
    const replay = await record();

    const result = await agent([prints("[1, 2, 3]"), answersWith(7)], { model: replay }).run("Sum the rows.").result;

    expect(result).toMatchObject({ state: "completed", answer: { value: 7 } });
    expect(replay.transcripts[0]).toMatchObject({ by: "test-model", answer: "6" });
  });

  test("stops where the data has changed, with an error that shows both", async () => {
    const replay = await record();
    const run = agent([prints("[1, 2, 4]")], { model: replay }).run("Sum the rows.");

    const result = await run.result;

    expect(result).toMatchObject({
      state: "error",
      answer: null,
      error: {
        code: "RECORDING_MISMATCH",
        step: 1,
        expected: "Observation:\n[1, 2, 3]",
        actual: "Observation:\n[1, 2, 4]",
      },
    });
    expect(run.events.find(({ type }) => type === "error")).toMatchObject({ step: 2, code: "RECORDING_MISMATCH" });
  });

  test("does not answer a task that was not recorded", async () => {
    const replay = await record();

    const result = await agent([], { model: replay }).run("Write a poem.").result;

    expect(result).toMatchObject({ state: "error", error: { code: "UNKNOWN_TASK", known: ["Sum the rows."] } });
  });
});

describe("pictures that the code drew", () => {
  const picture = (mime: string, size = 3, first = 137): RunResult["outputs"][number] => {
    const content = new Uint8Array(size);
    content[0] = first;
    return { kind: "display", source: "figure", data: { "text/plain": "<Figure>", [mime]: content } };
  };
  const Parts = z.looseObject({
    messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  });
  /** The last message of the request that follows a step which drew these. */
  async function shown(outputs: RunResult["outputs"], sees: boolean): Promise<unknown> {
    answers = [reply(block("draw()")), reply(block("final_answer(1)"))];
    const looking = openaiModel({ baseURL: server.baseURL(), apiKey: KEY, model: "test-model", sees });
    const runs: ScriptedRun[] = [() => ({ stdout: "drawn\n", outputs }), answersWith(1)];
    const result = await agent(runs, { model: looking }).run("Draw.").result;
    expect(result.state).toBe("completed");
    return Parts.parse(server.requests[1]?.json).messages.at(-1)?.content;
  }

  test("are image parts of the request for a model that sees, with the words before them", async () => {
    expect(await shown([picture("image/png"), picture("image/jpeg", 4, 255)], true)).toEqual([
      { type: "text", text: expect.stringMatching(/^Observation:\ndrawn/) },
      { type: "image_url", image_url: { url: "data:image/png;base64,iQAA" } },
      { type: "image_url", image_url: { url: "data:image/jpeg;base64,/wAAAA==" } },
    ]);
  });

  test("are words alone for one that does not", async () => {
    const content = await shown([picture("image/png")], false);

    expect(content).toEqual(expect.stringMatching(/^Observation:\ndrawn/));
    expect(content).not.toContain("base64");
  });

  test("are four at most, none larger than 4 MB, and of a form that models take", async () => {
    const many = [
      picture("image/svg+xml"),
      picture("image/png", 4_000_001),
      ...[1, 2, 3, 4, 5].map((first) => picture("image/png", 3, first)),
    ];

    const content = await shown(many, true);

    const urls = z
      .array(z.looseObject({ type: z.string(), image_url: z.object({ url: z.string() }).optional() }))
      .parse(content)
      .flatMap(({ image_url: image }) => (image === undefined ? [] : [image.url]));
    expect(urls).toEqual(["AQAA", "AgAA", "AwAA", "BAAA"].map((data) => `data:image/png;base64,${data}`));
  });
});
