import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { ReactAgent, type AgentEvent, type AgentRun, type ReactAgentOptions } from "../../../src/agent/index.js";
import type { ApprovalAnswer, ApprovalRequest } from "../../../src/dispatch/index.js";
import type { Model } from "../../../src/model/index.js";
import { Session } from "../../../src/session/index.js";
import { indexedDBStorage, type StorageBackend } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { behind } from "../../agents/dictated-model.js";
import { AN_HOUR, leapingClock } from "../../leaping-clock.js";
import { dictatedScenario, type DictatedReply, type Dictation } from "../../servers/dictated-replies.js";
import { freshName } from "../storage/fresh-name.js";

/** A model behind the real server that says these things, whatever it is told. */
function dictated(
  replies: readonly DictatedReply[],
  { name = "dictated", refuses }: { name?: string; refuses?: Dictation["refuses"] } = {},
): Model {
  return behind(dictatedScenario(replies, refuses), name);
}

const json = (value: unknown): string => JSON.stringify(value);
const asks = (tool: string, given: Record<string, unknown> = {}): string => json({ tool, arguments: given });
const call = (id: string, name: string, given: Record<string, unknown> = {}) => ({ id, name, arguments: json(given) });

const rates = functionTool({
  name: "rates",
  description: "What one unit of a currency is worth in euro.",
  input: z.strictObject({ currency: z.string() }),
  hints: { readOnly: true },
  run: ({ currency }) => (currency === "USD" ? 0.5 : 1),
});
const stock = functionTool({
  name: "stock",
  description: "How many of an item there are.",
  input: z.strictObject({ item: z.string() }),
  run: async ({ item }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { item, count: 7 };
  },
});
const broken = functionTool({
  name: "broken",
  description: "Does not work.",
  input: z.strictObject({}),
  run: () => {
    throw new RangeError("no paper left");
  },
});
const mailed: string[] = [];
const mail = functionTool({
  name: "send_mail",
  description: "Sends a text to the office.",
  input: z.strictObject({ text: z.string() }),
  hints: { destructive: true },
  run: ({ text }) => {
    mailed.push(text);
    return null;
  },
});
let waiting: { readonly promise: Promise<void>; readonly resolve: () => void };
let sawStop = false;
const waits = functionTool({
  name: "wait",
  description: "Waits without end.",
  input: z.strictObject({}),
  run: (_, { signal }) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        sawStop = true;
        reject(new Error("stopped"));
      });
      waiting.resolve();
    }),
});

let storage: StorageBackend;
let session: Session;
let answer: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>;
const asked: ApprovalRequest[] = [];

beforeAll(async () => {
  storage = indexedDBStorage(freshName());
  session = await Session.open({
    storage,
    tools: [rates, stock, broken, mail, waits],
    onApproval: (request) => {
      asked.push(request);
      return answer(request);
    },
  });
});
afterAll(() => session.close());
beforeEach(() => {
  asked.length = mailed.length = 0;
  sawStop = false;
  answer = () => ({ decision: "allow" });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  waiting = {
    promise: promise.then(() => undefined),
    resolve: () => {
      resolve(undefined);
    },
  };
});

function solve(
  model: Model,
  options: Partial<ReactAgentOptions> = {},
  { signal }: { signal?: AbortSignal } = {},
): AgentRun {
  const agent = new ReactAgent({ session, model, retries: 0, ...options });
  return agent.run("How much are our lamps worth?", signal === undefined ? {} : { signal });
}

const ofType = <T extends AgentEvent["type"]>(run: AgentRun, type: T) =>
  run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
const observations = async (run: AgentRun) => (await run.result).steps.map(({ observation }) => observation);

describe("a JSON agent in a sealed session", () => {
  const steps = [
    asks("stock", { item: "lamp" }),
    json({ scratchpad: "Now the rate.", tool: "rates", arguments: { currency: "USD" } }),
    json({ answer: 3.5 }),
  ];

  test("parsed: calls tools step by step; its calls are in the journal as an agent's, and in the events", async () => {
    const run = solve(dictated(steps), { toolCallingMode: "parsed" });
    const result = await run.result;

    expect(result).toMatchObject({ state: "completed", answer: { value: 3.5, text: "3.5" } });
    expect(await observations(run)).toEqual([
      "Observation: {'item': 'lamp', 'count': 7}",
      "Scratchpad noted: Now the rate.\n\nObservation: 0.5",
      null,
    ]);
    const told = ofType(run, "call");
    expect(told.map(({ entry, step }) => [entry.name, entry.outcome.kind, step])).toEqual([
      ["stock", "pending", 1],
      ["stock", "ok", 1],
      ["rates", "pending", 2],
      ["rates", "ok", 2],
    ]);
    expect(told[0]?.parentId).toBe(`${run.taskId}/1/reply`);
    const runIds = new Set(told.map(({ entry }) => entry.runId));
    expect(runIds.size).toBe(1);
    const kept = (await session.journal.list()).filter(({ runId }) => runIds.has(runId));
    expect(kept.map(({ name, caller, outcome }) => [name, caller, outcome.kind])).toEqual([
      ["stock", "agent", "ok"],
      ["rates", "agent", "ok"],
    ]);
  });

  test("structured: the same with replies that a schema holds", async () => {
    const wrapped = steps.map((step) => `{"reply": ${step}}`);
    const run = solve(dictated(wrapped), { toolCallingMode: "structured" });

    expect(await run.result).toMatchObject({ state: "completed", answer: { value: 3.5 }, usage: { toolCalls: 2 } });
    expect(ofType(run, "notice")).toEqual([]);
  });

  test("structured: a server that takes no schema is asked without, which is told", async () => {
    const run = solve(dictated(steps, { refuses: "schema" }), { toolCallingMode: "structured" });

    expect(await run.result).toMatchObject({ state: "completed", answer: { value: 3.5 } });
    expect(ofType(run, "notice")[0]?.notice).toMatchObject({ code: "PARAMETER_REFUSED", parameter: "responseSchema" });
  });

  test("native: several calls of one reply are made and answered in order", async () => {
    const replies = [
      { calls: [call("a", "rates", { currency: "USD" }), call("b", "broken"), call("c", "stock", { item: "lamp" })] },
      "They are worth 3.5 euro.",
    ];
    const run = solve(dictated(replies), { toolCallingMode: "native" });

    expect(await run.result).toMatchObject({ state: "completed", output: "They are worth 3.5 euro." });
    expect((await observations(run))[0]).toBe(
      "Observation: 0.5\n\nError: ToolError: no paper left\n\nObservation: {'item': 'lamp', 'count': 7}",
    );
    expect(run.conversation[1]).toMatchObject({
      reply: { toolCalls: [{ id: "a" }, { id: "b" }, { id: "c" }] },
      told: [{ toolCallId: "a" }, { toolCallId: "b" }, { toolCallId: "c" }],
    });
  });

  test("auto: a server that knows no tools is asked for JSON in the same step, which is told", async () => {
    const run = solve(dictated(steps, { name: "llama-tiny", refuses: "tools" }));

    expect(await run.result).toMatchObject({ state: "completed", answer: { value: 3.5 }, steps: { length: 3 } });
    expect(ofType(run, "notice")).toMatchObject([{ step: 1, notice: { code: "TOOL_CALLING_MODE" } }]);
  });

  test("goes on after a tool that there is not, arguments that do not fit and a tool that raises (T88, T89, T90)", async () => {
    const replies = [
      asks("rate"),
      asks("rates"),
      asks("rates", { currency: 5, more: 1 }),
      asks("broken"),
      steps[2] ?? "",
    ];
    const run = solve(dictated(replies), { toolCallingMode: "parsed" });

    expect(await observations(run)).toEqual([
      "Error: Unknown tool 'rate'. Tools: rates, stock, broken, send_mail, wait.",
      "Error: ArgError: Required parameter 'currency' is missing",
      "Error: ArgError: Unknown parameter 'more'. It takes: currency",
      "Error: ToolError: no paper left",
      null,
    ]);
  });

  test("offers what its scope says, and nothing else can be called", async () => {
    const run = solve(dictated([asks("send_mail", { text: "hi" }), steps[2] ?? ""]), { scope: { names: ["rates"] } });

    expect((await observations(run))[0]).toBe("Error: Unknown tool 'send_mail'. Tools: rates.");
    expect(mailed).toEqual([]);
  });

  test("works while code runs in the session, and runs none itself", async () => {
    const running = session.run("import time\ntime.sleep(30)\n'slept'");
    const run = solve(dictated(steps));

    expect(await run.result).toMatchObject({ state: "completed" });
    expect(session.state).toBe("running");
    session.interrupt();
    expect(await running).toMatchObject({ ok: false });
  });
});

describe("approvals", () => {
  const sends = asks("send_mail", { text: "Seven lamps." });
  const done = json({ answer: "done" });

  test("a destructive tool is asked about, as an agent's call; a denial is told and the task goes on", async () => {
    answer = () => ({ decision: "deny", reason: "not today" });
    const run = solve(dictated([sends, done]));

    expect((await observations(run))[0]).toBe("Error: ToolError: tools.send_mail was not allowed: not today");
    expect(await run.result).toMatchObject({ state: "completed", output: "done" });
    expect(asked).toMatchObject([
      { name: "tools.send_mail", caller: "agent", inAgentRun: true, arguments: { text: "Seven lamps." } },
    ]);
    expect(mailed).toEqual([]);
    expect(ofType(run, "call").at(-1)?.entry).toMatchObject({ approval: "denied", outcome: { kind: "error" } });
  });

  test("what a person wants remembered for the run holds for the task, and no longer", async () => {
    answer = () => ({ decision: "allow", remember: "run" });

    await solve(dictated([sends, `[${sends}, ${sends}]`, done])).result;
    expect([asked.length, mailed.length]).toEqual([1, 3]);
    await solve(dictated([sends, done])).result;
    expect([asked.length, mailed.length]).toEqual([2, 4]);
  });

  test("the task's time stands still while a person is asked", async () => {
    const leap = leapingClock();
    answer = () => {
      leap(AN_HOUR);
      return { decision: "allow" };
    };

    const result = await solve(dictated([sends, done]), { budget: { time: AN_HOUR } }).result;

    expect(result).toMatchObject({ state: "completed" });
    expect(mailed).toEqual(["Seven lamps."]);
    expect(result.elapsed).toBeGreaterThanOrEqual(AN_HOUR);
    expect(result.usage.time).toBeLessThan(AN_HOUR);
  });
});

describe("an end in the middle", () => {
  test("a stop gives up the call under way; the calls before it stay, those after it are not made", async () => {
    const stop = new AbortController();
    const list = `[${asks("stock", { item: "lamp" })}, ${asks("wait")}, ${asks("send_mail", { text: "late" })}]`;
    const run = solve(dictated([list]), {}, { signal: stop.signal });
    await waiting.promise;
    stop.abort();

    const result = await run.result;

    expect(result).toMatchObject({ state: "cancelled", answer: null, steps: { length: 1 } });
    expect(sawStop).toBe(true);
    expect(mailed).toEqual([]);
    expect(result.steps[0]?.observation?.split("\n\n")).toEqual([
      "Observation: {'item': 'lamp', 'count': 7}",
      expect.stringMatching(/^Error: ToolError: tools\.wait was given up/),
      "Error: ToolError: it was not called, because the task was stopped",
      expect.stringMatching(/^Calls whose outcome is unknown\. [^\n]*\n- tools\.wait\([^\n]*$/),
    ]);
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("the budget of time gives up the call under way", async () => {
    const run = solve(dictated([asks("wait")]), { budget: { time: 1500 } });

    expect(await run.result).toMatchObject({ state: "budget_reached", error: { kind: "time" } });
    expect(sawStop).toBe(true);
  });

  test("one call more than the budget has is refused, and ends the task", async () => {
    const run = solve(dictated([`[${asks("rates", { currency: "USD" })}, ${asks("stock", { item: "lamp" })}]`]), {
      budget: { toolCalls: 1 },
    });

    expect(await run.result).toMatchObject({
      state: "budget_reached",
      error: { kind: "toolCalls", limit: 1 },
      usage: { toolCalls: 1 },
    });
    expect(ofType(run, "limit")).toMatchObject([{ kind: "toolCalls" }]);
  });

  test("a session that is closed meanwhile ends the task", async () => {
    const own = await Session.open({ storage: indexedDBStorage(freshName()), tools: [waits] });
    const run = new ReactAgent({ session: own, model: dictated([asks("wait")]) }).run("Wait.");
    await waiting.promise;
    await own.close();

    expect(await run.result).toMatchObject({ state: "error", error: { code: "SESSION_CLOSED" } });
  });

  test("a session of its own is closed with the task", async () => {
    const opened: Session[] = [];
    const agent = new ReactAgent({
      session: async () => {
        const own = await Session.open({ storage: indexedDBStorage(freshName()), tools: [rates] });
        opened.push(own);
        return own;
      },
      model: dictated([asks("rates", { currency: "USD" }), json({ answer: 1 })]),
    });

    expect(await agent.run("What is a dollar?").result).toMatchObject({ state: "completed" });
    expect(opened.map(({ state }) => state)).toEqual(["closed"]);
  });
});

describe("a tool that session code defined", () => {
  beforeAll(async () => {
    const { error } = await session.run(
      [
        "from vitrine import tool",
        "@tool",
        "def worth(count: int, currency: str) -> float:",
        '    """What so many are worth in euro."""',
        "    return count * tools.rates(currency=currency)",
      ].join("\n"),
    );
    expect(error).toBeNull();
  });

  test("is offered and called; what it calls is told below it, and counts", async () => {
    const model = dictated([asks("worth", { count: 7, currency: "USD" }), json({ answer: 3.5 })]);
    const run = solve(model);
    const result = await run.result;

    expect(result.steps[0]?.observation).toBe("Observation: 3.5");
    expect(result.usage.toolCalls).toBe(2);
    const [outer, inner] = ofType(run, "call");
    expect(inner).toMatchObject({ parentId: outer?.id, entry: { name: "rates" } });
  });

  test("is bound by the task's budget in what it calls", async () => {
    const model = dictated([asks("worth", { count: 7, currency: "USD" })]);

    const result = await solve(model, { budget: { toolCalls: 1 } }).result;

    expect(result).toMatchObject({ state: "budget_reached", error: { kind: "toolCalls" } });
    expect(result.steps[0]?.observation).toMatch(/^Error: ToolError: .*budget of tool calls is used up/);
  });
});
