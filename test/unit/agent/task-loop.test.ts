import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import {
  CodeAgent,
  keepLastSteps,
  noPruning,
  pruneOldObservations,
  type AgentEvent,
  type AgentRun,
  type CodeAgentOptions,
} from "../../../src/agent/index.js";
import { openaiModel, type Model, type ModelMessage } from "../../../src/model/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { AN_HOUR, leapingClock } from "../../leaping-clock.js";
import { errorBody, startModelServer, type ModelAnswer, type ModelServer } from "../../servers/model-server.js";
import { RUN } from "../../timeouts.mjs";
import { pythonError, scriptedSession, type ScriptedRun } from "./scripted-session.js";

const F = "```";
const block = (code: string): string => `${F}python\n${code}\n${F}`;
const reply = (text: string): ModelAnswer => ({ kind: "reply", text });
const status = (code: number, body = "", headers: Record<string, string> = {}): ModelAnswer => ({
  kind: "status",
  status: code,
  body,
  headers,
});
const prints =
  (stdout: string): ScriptedRun =>
  () => ({ stdout });
const answersWith =
  (value: number | string): ScriptedRun =>
  () => ({ finalAnswer: { value, text: String(value), verifiedBy: null } });

let server: ModelServer;
let answers: ModelAnswer[];

beforeEach(async () => {
  answers = [];
  server = await startModelServer(() => answers[server.requests.length - 1] ?? reply(block("look()")));
});
afterEach(() => server.close());

function model(): Model {
  return openaiModel({ baseURL: server.baseURL(), apiKey: "sk-test", model: "test-model", timeout: RUN });
}

function agent(runs: readonly ScriptedRun[], options: Partial<CodeAgentOptions> = {}): CodeAgent {
  return new CodeAgent({ session: scriptedSession(runs), model: model(), ...options });
}

function eventsOf<T extends AgentEvent["type"]>(run: AgentRun, type: T): Extract<AgentEvent, { type: T }>[] {
  return run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

/** What the model was told before its call of that number (counted from 1). */
const messagesOf = (call: number) => server.requests[call - 1]?.body.messages ?? [];
const toldBefore = (call: number) => messagesOf(call).at(-1)?.content;

describe("a model that fails for a while", () => {
  test("is asked again after the time that it names, and what it had said is dropped", async () => {
    answers = [
      { kind: "drop", text: "Half a thou" },
      status(429, errorBody("Slow down."), { "retry-after-ms": "20" }),
      reply(block("final_answer(1)")),
    ];
    const run = agent([answersWith(1)]).run("Look.");
    const result = await run.result;

    expect(result).toMatchObject({ state: "completed", steps: [{ reply: block("final_answer(1)") }] });
    expect(eventsOf(run, "model-retry")).toMatchObject([
      { attempt: 1, code: "MODEL_UNREACHABLE", step: 1 },
      { attempt: 2, code: "MODEL_RATE_LIMIT", delay: 20, step: 1 },
    ]);
    expect(result.usage.modelCalls).toBe(3);
  });

  test("is given up after the retries that are allowed", async () => {
    answers = [status(503), status(503), status(503)];
    const result = await agent([], { retries: 1 }).run("Look.").result;

    expect(result).toMatchObject({ state: "error", error: { code: "MODEL_SERVER" } });
    expect(server.requests).toHaveLength(2);
  });

  test("is not asked again where that would not help, or where it wants a wait longer than any task's", async () => {
    answers = [status(401, errorBody("No."))];
    await agent([]).run("Look.").result;
    expect(server.requests).toHaveLength(1);

    answers = [reply(""), status(429, errorBody("Tomorrow."), { "retry-after": "86400" })];
    expect(await agent([]).run("Look.").result).toMatchObject({ state: "error", error: { code: "MODEL_RATE_LIMIT" } });
    expect(server.requests).toHaveLength(2);
  });

  test("can be stopped while it is waited for", async () => {
    answers = [status(429, errorBody("Slow down."), { "retry-after": "30" })];
    const stop = new AbortController();
    const run = agent([]).run("Look.", { signal: stop.signal });
    for await (const event of run) if (event.type === "model-retry") stop.abort();

    expect(await run.result).toMatchObject({ state: "cancelled" });
  });
});

test("what is sent with a step begins with all that was sent with the one before, for the caches of providers", async () => {
  answers = [reply(block("one")), reply("Let me think."), reply(block("two")), reply(block("final_answer(1)"))];
  const fails: ScriptedRun = () => ({ error: pythonError({}) });
  await agent([prints("saw it"), fails, answersWith(1)]).run("Look.").result;

  expect(server.requests).toHaveLength(4);
  for (const call of [2, 3, 4]) {
    const before = messagesOf(call - 1);
    expect(messagesOf(call).slice(0, before.length)).toEqual(before);
    expect(messagesOf(call)).toHaveLength(before.length + 2);
  }
});

describe("a conversation that is too long", () => {
  const tooLong = status(
    400,
    errorBody("This model's maximum context length is 100 tokens.", { code: "context_length_exceeded" }),
  );

  test("is made shorter by the strategy, and the model is asked again", async () => {
    answers = [reply(block("a")), reply(block("b")), reply(block("c")), tooLong, reply(block("final_answer(1)"))];
    const runs = [prints("one"), prints("two"), prints("three"), answersWith(1)];
    const run = agent(runs, { pruning: keepLastSteps(1) }).run("Look.");
    const result = await run.result;

    expect(result).toMatchObject({ state: "completed", steps: { length: 4 } });
    expect(eventsOf(run, "pruned")).toMatchObject([{ step: 4, stepsKept: 1 }]);
    expect(
      messagesOf(5)
        .map(({ content }) => content)
        .slice(1),
    ).toEqual(["Look.", block("c"), "Observation:\nthree"]);
    // The beginning stays the same, for the caches of providers.
    expect(messagesOf(5)[0]).toEqual(messagesOf(1)[0]);
  });

  test("ends the task where nothing is left to leave out", async () => {
    answers = [tooLong];
    expect(await agent([]).run("Look.").result).toMatchObject({
      state: "error",
      error: { code: "MODEL_CONTEXT_TOO_LONG" },
    });
  });

  test("loses older steps and then the length of an observation where the strategy gains nothing", async () => {
    answers = [
      reply(block("a")),
      reply(block("b")),
      reply(block("c")),
      tooLong,
      tooLong,
      reply(block("final_answer(1)")),
    ];
    const runs = [1, 2, 3].map((letter) => prints(String(letter).repeat(9_000)));
    const run = agent([...runs, answersWith(1)]).run("Look.");

    expect(await run.result).toMatchObject({ state: "completed", steps: { length: 4 } });
    expect(eventsOf(run, "pruned")).toMatchObject([{ stepsKept: 1 }, { stepsKept: 1 }]);
    expect(messagesOf(5).slice(1)).toMatchObject([
      { content: "Look." },
      { content: block("c") },
      { content: `Observation:\n${"3".repeat(9_000)}` },
    ]);
    expect(toldBefore(6)).toMatch(/^Observation:\n3{2000,3000}\.\.\.$/);
  });

  test("ends the task where no observation can be cut any more", async () => {
    answers = [reply(block("a")), ...Array.from({ length: 20 }, () => tooLong)];
    const result = await agent([prints("1".repeat(9_000))]).run("Look.").result;

    expect(result).toMatchObject({ state: "error", error: { code: "MODEL_CONTEXT_TOO_LONG" } });
    expect(toldBefore(server.requests.length)).toMatch(/^Observation:\n1{100,200}\.\.\.$/);
    expect(server.requests.length).toBeLessThan(10);
  });

  test("stays as it is where nothing is to be pruned", async () => {
    answers = [reply(block("a")), reply(block("b")), tooLong];
    const result = await agent([prints("one"), prints("two")], { pruning: noPruning() }).run("Look.").result;

    expect(result).toMatchObject({ state: "error", error: { code: "MODEL_CONTEXT_TOO_LONG" } });
    expect(server.requests).toHaveLength(3);
  });

  test("is shorter without its old pictures", async () => {
    answers = [reply(block("a")), reply(block("b")), tooLong, reply(block("final_answer(1)"))];
    const picture = { kind: "display", source: "display", data: { "image/png": new Uint8Array(3_000) } } as const;
    const draws: ScriptedRun = () => ({ outputs: [picture] });
    const seeing = openaiModel({ baseURL: server.baseURL(), apiKey: "sk-test", model: "test-model", sees: true });
    const pruning = pruneOldObservations({ keepLast: 1, maxLength: 500 });
    const run = agent([draws, draws, answersWith(1)], { model: seeing, pruning }).run("Look.");

    expect(await run.result).toMatchObject({ state: "completed" });
    expect(eventsOf(run, "pruned")).toMatchObject([{ stepsKept: 2 }]);
    // What stands for a picture is said where it is not shown.
    const inWords = (call: number) => messagesOf(call).map(({ content }) => content.includes("(a picture"));
    expect(inWords(3)).toEqual([false, false, false, false, false, false]);
    expect(inWords(4)).toEqual([false, false, false, true, false, false]);
  });

  const eight = Array.from({ length: 8 }, (_, index) => prints(`saw ${String(index + 1)}`));

  test("pruned after every step, five of eight observations are kept (T74)", async () => {
    await agent(eight, { prunesEachStep: true, maxSteps: 9, retries: 0 }).run("Look.").result;

    const told = messagesOf(9).map(({ content }) => content);
    expect(told).toHaveLength(2 + 5 * 2);
    expect(told[1]).toBe("Look.");
    expect(told.at(-1)).toBe("Observation:\nsaw 8");
    expect(told[3]).toBe("Observation:\nsaw 4");
  });

  test("failing steps are pruned as well (T75)", async () => {
    const fails: ScriptedRun = () => ({ error: pythonError({}) });
    await agent(
      Array.from({ length: 8 }, () => fails),
      { prunesEachStep: true, maxSteps: 9 },
    ).run("Look.").result;

    expect(messagesOf(9)).toHaveLength(2 + 5 * 2);
  });

  test.each([
    ["no step (T76)", keepLastSteps(0), 0],
    ["all of them (T76)", keepLastSteps(100), 4],
    ["all of them", noPruning(), 4],
  ])("%s is kept", async (_, pruning, kept) => {
    await agent(eight, { pruning, prunesEachStep: true, maxSteps: 5 }).run("Look.").result;

    expect(messagesOf(5)).toHaveLength(2 + kept * 2);
    expect(messagesOf(5)[1]?.content).toBe("Look.");
  });

  test("observations of older steps are cut (T77)", () => {
    const strategy = pruneOldObservations({ keepLast: 1, maxLength: 50 });
    const step = { kind: "step", reply: { role: "assistant", content: "x" } } as const;
    const items = [1, 2, 3].map(() => ({ ...step, told: [{ role: "user", content: "o".repeat(500) } as const] }));

    const lengths = strategy(items).map((item) => (item.kind === "step" ? item.told[0]?.content.length : 0));
    expect(lengths).toEqual([53, 53, 500]);
  });
});

describe("a budget", () => {
  test("of model calls ends the task before one more", async () => {
    const run = agent([prints("1"), prints("2")], { budget: { modelCalls: 2 } }).run("Look.");

    expect(await run.result).toMatchObject({
      state: "budget_reached",
      error: { code: "BUDGET_REACHED", kind: "modelCalls", limit: 2 },
      steps: [{ observation: "Observation:\n1" }, { observation: "Observation:\n2" }],
    });
    expect(eventsOf(run, "limit")).toMatchObject([{ kind: "modelCalls", limit: 2 }]);
    expect(server.requests).toHaveLength(2);
  });

  const refusesTemperature = status(400, errorBody("Unsupported value: 'temperature'.", { param: "temperature" }));

  test("of model calls counts the requests that the server refused in that form", async () => {
    answers = [refusesTemperature, reply(block("final_answer(1)"))];
    const { state, usage } = await agent([answersWith(1)], { budget: { modelCalls: 3 } }).run("Look.").result;

    expect({ state, modelCalls: usage.modelCalls }).toEqual({ state: "completed", modelCalls: 2 });
    expect(server.requests).toHaveLength(2);
  });

  test("of model calls has no room for the same request in another form", async () => {
    answers = [refusesTemperature, reply(block("final_answer(1)"))];
    const result = await agent([answersWith(1)], { budget: { modelCalls: 1 } }).run("Look.").result;

    expect(result).toMatchObject({ state: "budget_reached", error: { kind: "modelCalls", limit: 1, used: 1 } });
    expect(result.usage).toMatchObject({ modelCalls: 1, inputTokens: 0, outputTokens: 0 });
    expect(server.requests).toHaveLength(1);
  });

  test("of tokens goes by the server's count, and of money by the prices", async () => {
    const prices = { input: 1_000_000, output: 2_000_000 };
    const { usage } = await agent([answersWith(1)], { prices }).run("Look.").result;
    expect(usage).toMatchObject({ inputTokens: 11, outputTokens: 7, isEstimated: false, money: 11 + 2 * 7 });

    const money = agent([prints("1")], { prices, budget: { money: 25 } }).run("Look.");
    expect(await money.result).toMatchObject({ error: { kind: "money" }, steps: { length: 1 } });
    const tokens = agent([prints("1")], { budget: { tokens: 18 } }).run("Look.");
    expect(await tokens.result).toMatchObject({ error: { kind: "tokens", limit: 18, used: 18 } });
  });

  test("of time ends what goes on", async () => {
    const waits: ScriptedRun = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          resolve({ stdout: "so far", error: pythonError({ code: "RUN_INTERRUPTED" }) });
        });
      });
    const result = await agent([waits], { budget: { time: 400 } }).run("Look.").result;

    expect(result).toMatchObject({ state: "budget_reached", error: { kind: "time", limit: 400 } });
    expect(result.steps[0]?.run?.stdout).toBe("so far");
  });

  test("of time does not count what a person takes", async () => {
    const leap = leapingClock();
    const asks: ScriptedRun = ({ onPause }) => {
      const resume = onPause();
      leap(AN_HOUR);
      resume();
      return { finalAnswer: { value: 1, text: "1", verifiedBy: null } };
    };
    const { state, usage, elapsed } = await agent([asks], { budget: { time: AN_HOUR } }).run("Look.").result;

    expect(state).toBe("completed");
    expect(elapsed).toBeGreaterThanOrEqual(AN_HOUR);
    expect(usage.time).toBeLessThan(AN_HOUR);
  });

  test("of time is named as such, whatever else is used up", async () => {
    const waits: ScriptedRun = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          resolve({ error: pythonError({ code: "RUN_INTERRUPTED" }) });
        });
      });
    const { error } = await agent([waits], { budget: { time: 400, modelCalls: 1 } }).run("Look.").result;

    expect(error).toMatchObject({ kind: "time" });
  });

  test("of tokens is not touched by a request that the server refused", async () => {
    answers = [status(503), reply(block("final_answer(1)"))];
    const { usage } = await agent([answersWith(1)]).run("Look.").result;

    expect(usage).toMatchObject({ modelCalls: 2, inputTokens: 11, outputTokens: 7, isEstimated: false });
  });

  test.each<[string, Partial<CodeAgentOptions>]>([
    ["budget", { budget: { tokens: -1 } }],
    ["budget", { budget: { money: 5 } }],
    ["maxSteps", { maxSteps: 1.5 }],
    ["limits", { limits: { outputBytes: -1 } }],
    ["limits", { limits: { outputBytes: NaN } }],
    ["limits", { limits: { heapGrowth: -1 } }],
    ["limits", { limits: { timeout: 3e9 } }],
    ["limits", { limits: { timeout: NaN } }],
    ["onQuestion", { imports: [], onQuestion: () => Promise.resolve("yes") }],
  ])("that cannot be kept is refused, and so is what else cannot: %s, %o", (field, options) => {
    expect(() => agent([], options)).toThrow(expect.objectContaining({ code: "AGENT_OPTIONS", field }));
  });
});

test("a task can be stopped while its session is still being opened, which is closed once it is open", async () => {
  let letOpen: () => void = () => undefined;
  const opening = new Promise<void>((resolve) => {
    letOpen = resolve;
  });
  let opened = 0;
  let closed = 0;
  const stop = new AbortController();
  const open = async () => {
    opened += 1;
    stop.abort();
    await opening;
    return { ...scriptedSession([]), close: () => Promise.resolve(void (closed += 1)) };
  };
  const run = new CodeAgent({ session: open, model: model() }).run("Look.", { signal: stop.signal });

  expect(await run.result).toMatchObject({ state: "cancelled", steps: [] });
  letOpen();
  await opening;
  await new Promise((resolve) => setTimeout(resolve));
  expect([opened, closed]).toEqual([1, 1]);
});

test("a task that is stopped before it has begun leaves no session open", async () => {
  let open = 0;
  const session = () => {
    open += 1;
    return Promise.resolve({ ...scriptedSession([]), close: () => Promise.resolve(void (open -= 1)) });
  };
  const stop = new AbortController();
  const run = new CodeAgent({ session, model: model() }).run("Look.", { signal: stop.signal });
  stop.abort();

  expect(await run.result).toMatchObject({ state: "cancelled", steps: [] });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(open).toBe(0);
});

test("a tool call that nobody offered is not kept without an answer: servers refuse such a conversation", async () => {
  const calls: Model = {
    name: "calls",
    kind: "recorded",
    async *complete({ messages }) {
      seen.push(messages);
      yield { type: "text", text: await Promise.resolve(block("look()")) };
      yield { type: "tool-call", call: { id: "c1", name: "python", arguments: "{}" } };
      yield { type: "done", finishReason: "tool-calls", usage: null };
    },
  };
  const seen: (readonly ModelMessage[])[] = [];
  await new CodeAgent({ session: scriptedSession([prints("1"), answersWith(1)]), model: calls }).run("Look.").result;

  expect(seen[1]?.[2]).toEqual({ role: "assistant", content: block("look()") });
});

describe("a person", () => {
  test("may say something while the agent works, which the model reads before its next step", async () => {
    answers = [reply(block("a")), reply(block("final_answer(1)"))];
    const run: AgentRun = agent([
      () => {
        run.say("Only the northern shops.");
        return { stdout: "seen" };
      },
      answersWith(1),
    ]).run("Look.");
    await run.result;

    expect(toldBefore(2)).toBe("Observation:\nseen\n\nOnly the northern shops.");
    expect(eventsOf(run, "user-message")).toMatchObject([{ text: "Only the northern shops." }]);
    expect(() => {
      run.say("Too late.");
    }).toThrow(expect.objectContaining({ code: "TASK_ENDED" }));
  });

  test("may go on after an answer: the model knows what was said before, and what its code computed", async () => {
    answers = [reply(block("final_answer(1)")), reply(block("final_answer(2)"))];
    const worker = agent([answersWith(1), answersWith(2)]);
    const first = worker.run("Count the shops.");
    await first.result;
    const second = worker.run("And in the south?", { after: first });

    expect(await second.result).toMatchObject({ state: "completed", answer: { value: 2 } });
    expect(
      messagesOf(2)
        .map(({ role, content }) => [role, content])
        .slice(1),
    ).toEqual([
      ["user", "Count the shops."],
      ["assistant", block("final_answer(1)")],
      ["user", "The answer that your code handed in:\n1\n\nAnd in the south?"],
    ]);
    expect(eventsOf(second, "task-started")).toMatchObject([{ after: first.taskId }]);
  });

  test("is told when the run has ended that wanted to know something, and the task goes on", async () => {
    answers = [reply(block("input('Which year?')")), reply(block("final_answer(1)"))];
    const lost: ScriptedRun = async ({ onInput }) => {
      await expect(onInput?.("Which year?", { signal: AbortSignal.abort(new Error("lost")) })).rejects.toThrow("lost");
      return { error: pythonError({ code: "WORKER_LOST" }), lost: true };
    };
    const run = agent([lost, answersWith(1)], {
      onQuestion: (_question, { signal }) => Promise.reject(signal.reason as Error),
    }).run("Look.");

    expect(await run.result).toMatchObject({ state: "completed" });
    expect(eventsOf(run, "question")).toMatchObject([{ answer: null }]);
  });

  test("is asked what the code wants to know, and the events tell", async () => {
    answers = [reply(block("input('Which year?')"))];
    const asks: ScriptedRun = async ({ onInput, signal }) => ({
      finalAnswer: { value: (await onInput?.("Which year?", { signal })) ?? "", text: "2025", verifiedBy: null },
    });
    const asked: string[] = [];
    const run = agent([asks], {
      onQuestion: (question, { id }) => {
        asked.push(id);
        return Promise.resolve(`${question} 2025`);
      },
    }).run("Look.");

    expect((await run.result).answer?.value).toBe("Which year? 2025");
    const [id] = asked;
    expect(eventsOf(run, "question")).toMatchObject([
      { id, question: "Which year?", answer: null },
      { id, question: "Which year?", answer: "Which year? 2025" },
    ]);
  });
});

describe("the answer", () => {
  const form = z.object({ total: z.number() });

  test("that does not have the form is sent back once", async () => {
    answers = [reply(block("final_answer('no')")), reply(block("final_answer({'total': 1})"))];
    const fits: ScriptedRun = () => ({
      finalAnswer: { value: { total: 1 }, text: "{'total': 1}", verifiedBy: "added up twice" },
    });
    const result = await agent([answersWith("no"), fits], { answer: form }).run("Look.").result;

    expect(result).toMatchObject({
      state: "completed",
      answer: { value: { total: 1 }, verifiedBy: "added up twice", source: "normal" },
      output: "{'total': 1}",
    });
    expect(toldBefore(2)).toMatch(/^Your final answer does not have the form that was asked for: .*expected object/);
  });

  test("that is sent back is told with what else its code did (T64)", async () => {
    answers = [reply(`${block("final_answer('no')")}\n${block("more()")}`), reply(block("final_answer({'total': 1})"))];
    const refused: ScriptedRun = () => ({
      finalAnswer: { value: "no", text: "no", verifiedBy: null },
      stdout: "seen\n",
      signals: [{ type: "uncertain", message: "a" }],
      memory: { values: [{ name: "r", shown: "42" }], observations: [], failedApproaches: [], variables: [] },
    });
    const fits: ScriptedRun = () => ({ finalAnswer: { value: { total: 1 }, text: "", verifiedBy: null } });
    await agent([refused, fits], { answer: form }).run("Look.").result;

    expect(toldBefore(2)).toMatch(
      /^Your final answer does not have the form .*\n.*\n\nObservation:\nseen\n\n\[UNCERTAIN\] a\n\nNote: only the first .*\n\n## Working Memory\n\n### Stored Values\n- r: 42$/,
    );
  });

  test("that has not the form again ends the task", async () => {
    answers = [reply(block("final_answer('no')")), reply(block("final_answer('never')"))];
    const schema = { type: "object", required: ["total"] };

    expect(
      await agent([answersWith("no"), answersWith("never")], { answer: schema }).run("Look.").result,
    ).toMatchObject({
      state: "error",
      error: { code: "INVALID_FINAL_ANSWER", rawContent: "never" },
    });
  });

  test("is cut as text, and whole as a value (T49)", async () => {
    const long = "a".repeat(20_000);
    const { answer } = await agent([answersWith(long)]).run("Look.").result;

    expect(answer?.text).toBe(`${"a".repeat(10_000)}\n[OUTPUT TRUNCATED]`);
    expect(answer?.value).toBe(long);
  });
});

describe("what the model is told", () => {
  test("the signals of its code, which the result sums up with their steps (T64)", async () => {
    answers = [reply(block("uncertain('a')")), reply(block("final_answer(1)"))];
    const doubts: ScriptedRun = ({ onOutput }) => {
      onOutput({ kind: "signal", type: "uncertain", message: "a" });
      return { stdout: "seen", signals: [{ type: "uncertain", message: "a" }], valueRepr: "[UNCERTAIN] a" };
    };
    const run = agent([doubts, answersWith(1)]).run("Look.");
    const result = await run.result;

    expect(toldBefore(2)).toBe("Observation:\nseen\n\n[UNCERTAIN] a");
    expect(result.signals).toEqual([{ step: 1, type: "uncertain", message: "a" }]);
    expect(eventsOf(run, "signal")).toMatchObject([{ step: 1, signal: { type: "uncertain", message: "a" } }]);
  });

  test("its memory, with what failed in the steps before (T68, T71, T72)", async () => {
    answers = [reply(block("1/0")), reply(block("1/0")), reply(block("print(2)")), reply(block("final_answer(1)"))];
    const memory = { values: [{ name: "r", shown: "42" }], observations: [], failedApproaches: [], variables: [] };
    const failures: (readonly string[])[] = [];
    const fails: ScriptedRun = ({ helpers }) => {
      failures.push(helpers.failures);
      return { error: pythonError({ pythonType: "KeyError", message: "'x'" }), memory };
    };
    await agent([fails, fails, () => ({ stdout: "2", memory }), answersWith(1)]).run("Look.").result;

    const stored = "## Working Memory\n\n### Stored Values\n- r: 42";
    expect(toldBefore(2)).toBe(`Execution error: KeyError: 'x'\n\n${stored}`);
    const failed = "### Failed Approaches (avoid these)\n- Step 1: KeyError: 'x'";
    expect(toldBefore(3)).toBe(`Execution error: KeyError: 'x'\n\n${stored}\n\n${failed}`);
    expect(toldBefore(4)).toBe(
      `Observation:\n2\n\n${stored}\n\n### Failed Approaches (avoid these)\n- Steps 1, 2: KeyError: 'x'`,
    );
    expect(failures).toEqual([[], ["Step 1: KeyError: 'x'"]]);
  });

  test("nothing of a memory that is empty (T73)", async () => {
    await agent([prints("1"), answersWith(1)]).run("Look.").result;

    expect(toldBefore(2)).toBe("Observation:\n1");
  });

  test("what the tools that its code calls say of themselves, when it has failed (T21, T22)", async () => {
    const add = functionTool({
      name: "add",
      description: "Adds two numbers.",
      input: z.object({ a: z.number() }),
      run: ({ a }) => a,
    });
    const fails: ScriptedRun = () => ({ error: pythonError({}), namedTools: [{ tool: "add", callable: null }] });
    const session = scriptedSession([fails, answersWith(1)], { tools: [add.tool] });
    await new CodeAgent({ session, model: model() }).run("Look.").result;

    expect(toldBefore(2)).toContain("\n\nHint - tools.add() docstring:\nAdds two numbers.");
  });

  test("a step that took too long, which is remembered as an approach that failed (T53)", async () => {
    const times: ScriptedRun = () => ({ error: pythonError({ code: "RUN_TIMEOUT" }), stdout: "so far", timeout: 200 });
    await agent([times, prints("1"), answersWith(1)]).run("Look.").result;

    expect(toldBefore(2)).toBe("Execution timed out after 0.2s\n\nOutput before the error:\nso far");
    expect(toldBefore(3)).toContain("- Step 1: Timeout");
  });

  test.each([
    [200, 200],
    [0, null],
    [-1, null],
  ])("a time limit of %d milliseconds is %s for the run (T56)", async (timeout, given) => {
    let seen: number | null | undefined;
    const looks: ScriptedRun = (options) => {
      seen = options.timeout;
      return { finalAnswer: { value: 1, text: "1", verifiedBy: null } };
    };
    await agent([looks], { limits: { timeout } }).run("Look.").result;

    expect(seen).toBe(given);
  });

  test("a mistake in its syntax (T33)", async () => {
    const fails: ScriptedRun = () => ({ error: pythonError({ pythonType: "SyntaxError", message: "invalid syntax" }) });
    await agent([fails, answersWith(1)]).run("Look.").result;

    expect(toldBefore(2)).toMatch(/^Syntax error in code: invalid syntax/);
  });

  test("the rules of a prompt file, or the built-in ones where it cannot be used (T80)", async () => {
    const promptFile = { file: "rules.md", text: "Use {helpers} well.\n" };
    await agent([answersWith(1)], { promptFile }).run("Look.").result;
    expect(messagesOf(1)[0]?.content).toMatch(/^Use .*well\./);

    const unusable = [
      { file: "rules.pdf", text: "x" },
      { file: "rules.md", text: " \n" },
    ];
    for (const [index, file] of unusable.entries()) {
      const run = agent([answersWith(1)], { promptFile: file }).run("Look.");
      await run.result;
      expect(messagesOf(index + 2)[0]?.content).toMatch(/^You solve tasks by writing Python/);
      expect(eventsOf(run, "notice")).toMatchObject([{ notice: { code: "PROMPT_FILE" } }]);
    }
  });

  test("the prompt names tools, imports, signals, the memory's helpers and the suffix (T79)", async () => {
    await agent([answersWith(1)], { imports: ["math"], systemSuffix: "Answer in Norwegian." }).run("Look.").result;

    const prompt = messagesOf(1)[0]?.content;
    const names = ["uncertain(", "explore(", "commit(", "store(", "recall(", "observe("];
    for (const part of [...names, "Only these may be imported: math.", "Answer in Norwegian."]) {
      expect(prompt).toContain(part);
    }
  });

  test("what the session allows to import, where the agent has no list of its own (T79)", async () => {
    const session = { ...scriptedSession([answersWith(1)]), imports: ["json"] };
    await agent([], { session }).run("Look.").result;

    expect(messagesOf(1)[0]?.content).toContain("Only these may be imported: json.");
  });
});
