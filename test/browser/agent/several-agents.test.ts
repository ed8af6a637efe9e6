import { describe, expect, test, vi } from "vitest";
import { z } from "zod";

import {
  agentTool,
  CodeAgent,
  type AgentEvent,
  type AgentResult,
  type AgentRun,
  type AgentToolOptions,
  type CodeAgentOptions,
} from "../../../src/agent/index.js";
import { codegenTool, type CodegenResult } from "../../../src/codegen/index.js";
import type { ApprovalRequest } from "../../../src/dispatch/index.js";
import type { Model } from "../../../src/model/index.js";
import type { ChildOptions, ChildSession, Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool, type ToolAdapter } from "../../../src/tools/index.js";
import { behind, dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";
import { AN_HOUR, leapingClock } from "../../leaping-clock.js";
import { files, SUMMARY } from "../codegen/programs.js";
import { RUN, untilAnswered } from "../../timeouts.mjs";
import { useSessions } from "./agent-sessions.js";

const open = useSessions();

interface Sub {
  readonly tool: ToolAdapter;
  /** Its tasks, and the sessions that they were solved in. */
  readonly runs: readonly AgentRun[];
  readonly sessions: readonly ChildSession[];
  result(index?: number): Promise<AgentResult>;
}

/** An agent as a tool, whose model says these things. */
function sub(
  session: Session,
  name: string,
  model: Model,
  {
    agent = {},
    ...options
  }: Partial<Omit<AgentToolOptions, "agent">> & { readonly agent?: Partial<CodeAgentOptions> } = {},
): Sub {
  const runs: AgentRun[] = [];
  const sessions: ChildSession[] = [];
  const tool = agentTool({
    name,
    description: `The agent ${name}.`,
    session,
    storage: "parent",
    trust: "local",
    agent: (child) => {
      sessions.push(child);
      return new CodeAgent({ session: child, model, ...agent });
    },
    onRun: (run) => runs.push(run),
    ...options,
  });
  session.tools.register(tool);
  const result = async (index = 0): Promise<AgentResult> => {
    const run = runs[index];
    if (run === undefined) throw new Error(`${name} has had no task of number ${String(index)}.`);
    return run.result;
  };
  return { tool, runs, sessions, result };
}

const callOf = (name: string) => `tools.${name}(task="Go on.")`;
const asks = (name: string) => block(`final_answer(${callOf(name)})`);

function ofType<T extends AgentEvent["type"]>(run: AgentRun, type: T): Extract<AgentEvent, { type: T }>[] {
  return run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

async function expectClosed(sessions: readonly ChildSession[]): Promise<void> {
  expect(sessions.length).toBeGreaterThan(0);
  for (const child of sessions) expect((await child.run("1")).error).toMatchObject({ code: "SESSION_CLOSED" });
}

describe("an agent that works as a tool of another", () => {
  test("solves its task in a session of its own with the caller's tools, and its answer is the call's value", async () => {
    const session = await open();
    const expert = sub(session, "expert", dictated(block("own = 1", "final_answer(tools.rates(currency='USD'))")));
    const model = dictated(
      block("worth = tools.expert(task='A dollar?')", "final_answer([worth * 10, 'own' in dir()])"),
    );

    const run = new CodeAgent({ session, model }).run("Ten dollars in euro?");
    const { state, answer, usage } = await run.result;

    expect(state).toBe("completed");
    expect(answer?.value).toEqual([5, false]);
    expect(await expert.result()).toMatchObject({ task: "A dollar?", state: "completed", answer: { value: 0.5 } });
    await expectClosed(expert.sessions);
    const below = await expert.result();
    expect(below.usage).toMatchObject({ modelCalls: 1, toolCalls: 1 });
    expect(usage).toMatchObject({ modelCalls: 2, toolCalls: 2 });
    expect(usage.inputTokens).toBeGreaterThan(below.usage.inputTokens);
    const [own, inner] = ofType(run, "model-ended");
    expect(usage.outputTokens).toBe((own?.usage.outputTokens ?? 0) + (inner?.usage.outputTokens ?? 0));
  });

  test("tells its events in the tree of the task that a person gave", async () => {
    const session = await open();
    sub(session, "clerk", dictated(block("print('hello')"), block("final_answer(tools.rates(currency='USD'))")));
    sub(session, "manager", dictated(asks("clerk")));

    const run = new CodeAgent({ session, model: dictated(asks("manager")) }).run("Go.");
    const heard: AgentEvent[] = [];
    for await (const event of run) heard.push(event);

    expect(heard).toEqual(run.events);
    expect(heard.map(({ sequence }) => sequence)).toEqual(heard.map((_, index) => index));
    const known = new Set<string>();
    const orphans = heard.filter(({ id, parentId }) => {
      known.add(id);
      return parentId !== null && !known.has(parentId);
    });
    expect(orphans).toEqual([]);
    expect(heard.filter(({ parentId }) => parentId === null).map(({ type }) => type)).toEqual([
      "task-started",
      "task-ended",
    ]);

    const [root, manager, clerk] = ofType(run, "task-started");
    const calls = ofType(run, "call").filter(({ entry }) => entry.outcome.kind === "pending");
    expect(calls.map(({ taskId, entry }) => [taskId, entry.name])).toEqual([
      [root?.taskId, "manager"],
      [manager?.taskId, "clerk"],
      [clerk?.taskId, "rates"],
    ]);
    expect([manager?.parentId, clerk?.parentId]).toEqual([calls[0]?.id, calls[1]?.id]);
    expect(calls[2]?.parentId).toBe(`${clerk?.taskId ?? ""}/2/code`);
    expect(ofType(run, "task-ended").map(({ taskId }) => taskId)).toEqual([
      clerk?.taskId,
      manager?.taskId,
      root?.taskId,
    ]);
    expect(heard.at(-1)?.type).toBe("task-ended");
    const ofClerk = heard.filter(({ taskId }) => taskId === clerk?.taskId);
    expect(ofClerk.filter(({ type }) => type === "step-started").map(({ step }) => step)).toEqual([1, 2]);
  });

  test("works without a running task as well, on its own account", async () => {
    const session = await open();
    const expert = sub(session, "expert", dictated(block("final_answer(7)")), { budget: { time: 60_000 } });

    const { value, error } = await session.run(callOf("expert"));

    expect(error).toBeNull();
    expect(value).toBe(7);
    expect((await expert.result()).usage).toMatchObject({ modelCalls: 1, toolCalls: 0 });
    expect(expert.runs[0]?.events[0]).toMatchObject({ type: "task-started", parentId: null, sequence: 0 });
    await expectClosed(expert.sessions);
  });

  test("fails as a call that the caller's model can read when it finds no answer", async () => {
    const session = await open();
    const expert = sub(session, "expert", dictated(block("print(1)")), { agent: { maxSteps: 1 } });
    const model = dictated(
      block(
        "try:",
        `    ${callOf("expert")}`,
        "except ToolCallError as error:",
        "    print(error.code, error.state)",
        "    raise",
      ),
      block("final_answer('alone')"),
    );

    const { answer, steps } = await new CodeAgent({ session, model }).run("Go.").result;

    expect(answer?.value).toBe("alone");
    expect(steps[0]?.observation).toContain("AGENT_TASK step_limit_reached");
    expect(steps[0]?.observation).toContain("The agent expert ended without an answer after 1 steps");
    await expectClosed(expert.sessions);
  });

  test("keeps its answer where its session cannot be closed, and the caller's events tell of that", async () => {
    const session = await open();
    const stubborn = {
      openChild: async (options: ChildOptions): Promise<ChildSession> => {
        const child = await session.openChild(options);
        vi.spyOn(child, "close").mockRejectedValueOnce(new Error("it will not"));
        return child;
      },
    };
    sub(session, "expert", dictated(block("final_answer(7)")), { session: stubborn });

    const run = new CodeAgent({ session, model: dictated(asks("expert")) }).run("Go.");

    expect(await run.result).toMatchObject({ state: "completed", answer: { value: 7 } });
    expect(ofType(run, "notice")).toMatchObject([
      {
        taskId: run.taskId,
        parentId: ofType(run, "call")[0]?.id,
        notice: { code: "SESSION_NOT_CLOSED", message: expect.stringMatching(/agent expert.*it will not/) },
      },
    ]);
  });

  test("takes input of a form of its own", async () => {
    const session = await open();
    const asked: string[] = [];
    session.tools.register(
      agentTool({
        name: "convert",
        description: "Converts money.",
        session,
        storage: "parent",
        input: z.object({ amount: z.number(), currency: z.string().default("USD") }),
        task: ({ amount, currency }) => `${String(amount)} ${currency} in euro?`,
        agent: (child) => new CodeAgent({ session: child, model: dictated(block("final_answer(1)")) }),
        onRun: (run) => void run.result.then(({ task }) => asked.push(task)),
      }),
    );

    await session.run("tools.convert(amount=3)");
    const { error } = await session.run("tools.convert(amount='three')");

    expect(asked).toEqual(["3 USD in euro?"]);
    expect(error?.message).toContain("amount");
  });
});

describe("one budget", () => {
  const endless = Array.from({ length: 8 }, (_, index) => block(`print(${String(index)})`));

  test("that is used up in the leaf ends the root, whatever its code does about it", async () => {
    const session = await open();
    const worker = sub(session, "worker", dictated(...endless));
    const caught = block("try:", `    ${callOf("worker")}`, "except Exception as error:", "    print(error)");
    const run = new CodeAgent({ session, model: dictated(caught, ...endless), budget: { modelCalls: 3 } }).run("Go.");

    const { state, error, usage } = await run.result;

    expect(state).toBe("budget_reached");
    expect(error).toMatchObject({ code: "BUDGET_REACHED", kind: "modelCalls", limit: 3 });
    expect(usage.modelCalls).toBe(3);
    expect(await worker.result()).toMatchObject({
      state: "budget_reached",
      error: { limit: 3 },
      usage: { modelCalls: 2 },
    });
    expect(ofType(run, "limit").map(({ taskId }) => taskId)).toEqual([worker.runs[0]?.taskId, run.taskId]);
    await expectClosed(worker.sessions);
  });

  test("counts the leaf's tool calls in the root's", async () => {
    const session = await open();
    const worker = sub(session, "worker", dictated(block("for i in range(9): tools.rates(currency='USD')")));
    const model = dictated(asks("worker"), ...endless);

    const { state, error, usage } = await new CodeAgent({ session, model, budget: { toolCalls: 3 } }).run("Go.").result;

    expect(state).toBe("budget_reached");
    expect(error).toMatchObject({ kind: "toolCalls", limit: 3 });
    expect(usage.toolCalls).toBe(3);
    expect((await worker.result()).usage.toolCalls).toBe(2);
  });

  test("may be narrower for the agent below, which then ends alone", async () => {
    const session = await open();
    const worker = sub(session, "worker", dictated(...endless), { agent: { budget: { modelCalls: 2 } } });
    const model = dictated(asks("worker"), block("final_answer('alone')"));

    const { state, usage, steps } = await new CodeAgent({ session, model }).run("Go.").result;

    expect(state).toBe("completed");
    expect(usage.modelCalls).toBe(4);
    expect(await worker.result()).toMatchObject({ state: "budget_reached", error: { limit: 2 } });
    expect(steps[0]?.observation).toContain("budget of model calls is used up (2 of 2)");
  });

  test("has time that a leaf's work uses, and that a person's answer does not", async () => {
    const WORK = 5000;
    const leap = leapingClock();
    const work = functionTool({
      name: "work",
      description: "Works for a while.",
      input: z.object({}),
      run: () => {
        leap(WORK);
        return null;
      },
    });
    const session = await open({
      timeout: null,
      approvals: { "tools.rates": "ask" },
      onApproval: () => {
        leap(AN_HOUR);
        return { decision: "allow" };
      },
    });
    session.tools.register(work);
    const worker = sub(session, "worker", dictated(block("tools.work()", "final_answer(tools.rates(currency='USD'))")));

    const { usage, elapsed, answer } = await new CodeAgent({ session, model: dictated(asks("worker")) }).run("Go.")
      .result;

    expect(answer?.value).toBe(0.5);
    const below = await worker.result();
    for (const one of [{ usage, elapsed }, below]) {
      expect(one.elapsed).toBeGreaterThanOrEqual(AN_HOUR + WORK);
      expect(one.usage.time).toBeGreaterThanOrEqual(WORK);
      expect(one.usage.time).toBeLessThan(AN_HOUR);
    }
  });

  test("counts the model calls of codegen, which has none where there is no room", async () => {
    const session = await open({ timeout: RUN });
    const results: CodegenResult[] = [];
    const program = files(
      `await set_progress(artifact={"name": "summary", "type": "inline", "format": "markdown", "value": "# Found"})\nawait done()`,
    );
    const onResult = (result: CodegenResult) => results.push(result);
    session.tools.register(codegenTool({ session, model: dictated(program), onResult }));
    const calls = `made = tools.codegen_python(output_contract=${JSON.stringify(SUMMARY)}, instruction="Do it.")`;
    const model = dictated(block(calls, "final_answer(made['ok'])"));

    const roomy = await new CodeAgent({ session, model }).run("Go.").result;
    const tight = await new CodeAgent({ session, model, budget: { modelCalls: 1 } }).run("Go.").result;

    expect(roomy).toMatchObject({
      state: "completed",
      answer: { value: true },
      usage: { modelCalls: 2, toolCalls: 1 },
    });
    expect(roomy.usage.inputTokens).toBe(
      (roomy.steps[0]?.usage?.inputTokens ?? 0) + (results[0]?.usage?.inputTokens ?? NaN),
    );
    expect(results[1]).toMatchObject({ ok: false, attempts: 1, error: { error: "budget_reached" } });
    expect(tight.usage.modelCalls).toBe(1);
  });

  test("counts codegen's repair as well, and without room for one keeps what was made", async () => {
    const session = await open({ timeout: RUN });
    const results: CodegenResult[] = [];
    const made = `set_progress(artifact={"summary": {"type": "inline", "value": "# Found"}})`;
    const contract = { ...SUMMARY, other: SUMMARY.summary };
    const writer = dictated(files(`${made}\ndone()`), files(`${made.replace("summary", "other")}\n${made}\ndone()`));
    const onResult = (result: CodegenResult) => results.push(result);
    session.tools.register(codegenTool({ session, model: writer, onResult }));
    const calls = `made = tools.codegen_python(output_contract=${JSON.stringify(contract)}, instruction="Do it.")`;
    const model = dictated(block(calls, "final_answer(made['ok'])"));

    const roomy = await new CodeAgent({ session, model }).run("Go.").result;
    await new CodeAgent({ session, model, budget: { modelCalls: 2 } }).run("Go.").result;

    expect(roomy).toMatchObject({ answer: { value: true }, usage: { modelCalls: 3 } });
    expect(results[0]).toMatchObject({ ok: true, attempts: 2 });
    expect(results[1]).toMatchObject({ status: "partial", attempts: 2, error: { error: "budget_reached" } });
    expect(results[1]?.items[0]).toMatchObject({ artifactId: "summary", output: { text: "# Found" } });
  });

  test("whose time is over ends the leaf's code as well", async () => {
    const session = await open({ timeout: null });
    const worker = sub(session, "worker", dictated(block("while True: pass")));
    const model = dictated(asks("worker"));

    const { state, error } = await new CodeAgent({ session, model, budget: { time: 4000 } }).run("Go.").result;

    expect(state).toBe("budget_reached");
    expect(error).toMatchObject({ kind: "time", limit: 4000 });
    expect((await worker.result()).state).toMatch(/^(budget_reached|cancelled)$/);
    await expectClosed(worker.sessions);
  });

  test("is that of an agent, too, that a generated program calls", async () => {
    const session = await open({ timeout: RUN });
    const worker = sub(session, "worker", dictated(block("final_answer('found')")), { trust: "sandboxed" });
    const program = files(
      `found = ${callOf("worker")}\nawait set_progress(artifact={"name": "summary", "type": "inline", "format": "markdown", "value": found})\nawait done()`,
    );
    session.tools.register(codegenTool({ session, model: dictated(program) }));
    const calls = `made = tools.codegen_python(output_contract=${JSON.stringify(SUMMARY)}, instruction="Do it.")`;
    const model = dictated(block(calls, "final_answer(made['items'][0]['output'])"));

    const run = new CodeAgent({ session, model }).run("Go.");
    const { answer, usage } = await run.result;

    expect(answer?.text).toContain("found");
    expect(usage).toMatchObject({ modelCalls: 3, toolCalls: 2 });
    const [, below] = ofType(run, "task-started");
    const call = ofType(run, "call").find(({ entry }) => entry.name === "worker");
    expect(below).toMatchObject({ taskId: worker.runs[0]?.taskId, parentId: call?.id });
    // The task knows the program from its contract to its end, below the call that asked for it.
    const told = ofType(run, "program");
    expect(new Set(told.map(({ news }) => news.kind))).toEqual(
      new Set(["begun", "writing", "text", "written", "running", "handed-in", "ran", "progress", "slot", "ended"]),
    );
    const asked = ofType(run, "call").find(({ entry }) => entry.name === "codegen_python");
    expect(told[0]).toMatchObject({ parentId: asked?.id, step: 1, taskId: run.taskId });
    expect(call?.parentId).toBe(told.find(({ news }) => news.kind === "running")?.id);
    expect(told.find(({ news }) => news.kind === "slot")?.news).toMatchObject({
      slot: "summary",
      state: "filled",
      output: { kind: "inline", text: "found" },
    });
    expect(run.events.at(-1)?.type).toBe("task-ended");
  });
});

describe("the clock of the run that waits for an agent", () => {
  test("stands still, though it goes on for a tool without time of its own", async () => {
    const wait = functionTool({
      name: "wait",
      description: "Never answers.",
      input: z.object({}),
      run: () => new Promise<number>(() => undefined),
    });
    const session = await open({ tools: [wait] });
    sub(session, "worker", dictated(block("import time", "time.sleep(6)", "final_answer(1)")), { timeout: RUN });

    const asked = await session.run(callOf("worker"), { timeout: 5000 });
    const waited = await session.run("tools.wait()", { timeout: 500 });

    expect(asked).toMatchObject({ value: 1, error: null });
    expect(waited.error).toMatchObject({ code: "RUN_TIMEOUT" });
  });

  test("goes on when the agent has ended", async () => {
    const session = await open({ timeout: 5000 });
    sub(session, "worker", dictated(block("final_answer(1)")), { timeout: RUN });

    const { error, stdout } = await session.run(`print(${callOf("worker")})\nwhile True: pass`);

    expect(stdout).toBe("1\n");
    expect(error).toMatchObject({ code: "RUN_TIMEOUT" });
  });

  test("goes on for what the code computes beside the agent, and for a sleep", async () => {
    // Opening the agent's session takes as long as it takes, and the clock stands still meanwhile.
    const begun = functionTool({
      name: "begun",
      description: "Comes back when the worker's model speaks.",
      input: z.object({ tasks: z.number() }),
      run: ({ tasks }) =>
        vi.waitUntil(() => worker.runs[tasks - 1]?.events.some(({ type }) => type === "model-text"), untilAnswered),
    });
    const session = await open({ timeout: 2500, tools: [begun] });
    const worker = sub(session, "worker", behind("stalls"), { budget: { time: Infinity } });
    const beside = (tasks: number, then: string): string =>
      [
        "import asyncio, time",
        `work = asyncio.ensure_future(tools.worker.call_async(task="Go on."))`,
        `await tools.begun.call_async(tasks=${String(tasks)})`,
        then,
      ].join("\n");

    const computes = await session.run(beside(1, "while True: pass"));
    const sleeps = await session.run(beside(2, "time.sleep(3600)"));

    for (const { error, lost } of [computes, sleeps]) {
      expect(error).toMatchObject({ code: "RUN_TIMEOUT" });
      expect(lost).toBe(false);
    }
    expect([(await worker.result(0)).state, (await worker.result(1)).state]).toEqual(["cancelled", "cancelled"]);
  });

  test("does not bound the agent, whose own time does", async () => {
    const session = await open({ timeout: 2500 });
    const worker = sub(session, "worker", dictated(block("while True: pass")), {
      timeout: null,
      budget: { time: 4000 },
    });

    const { error } = await session.run(callOf("worker"));

    expect(await worker.result()).toMatchObject({ state: "budget_reached", error: { kind: "time", limit: 4000 } });
    expect(error).toMatchObject({ pythonType: "ToolCallError" });
    expect(error?.message).toContain("budget of time is used up");
    await expectClosed(worker.sessions);
  });
});

describe("stopping the root", () => {
  /** Stops the task when `isTime` says so of an event, and tells how it ended. */
  async function stopped(
    session: Session,
    first: string,
    isTime: (event: AgentEvent, run: AgentRun) => boolean,
  ): Promise<{ result: AgentResult; run: AgentRun }> {
    const stop = new AbortController();
    const run = new CodeAgent({ session, model: dictated(asks(first)) }).run("Go.", { signal: stop.signal });
    for await (const event of run) {
      if (!stop.signal.aborted && isTime(event, run)) stop.abort();
    }
    return { result: await run.result, run };
  }

  test("ends the code of a leaf that would go on for ever, and closes every session", async () => {
    const session = await open({ timeout: null });
    const clerk = sub(session, "clerk", dictated(block("print('on')", "while True: pass")));
    const manager = sub(session, "manager", dictated(asks("clerk")));

    const { result, run } = await stopped(session, "manager", ({ type }) => type === "output");

    expect(result.state).toBe("cancelled");
    expect((await clerk.result()).state).toBe("cancelled");
    expect((await manager.result()).state).toBe("cancelled");
    expect(ofType(run, "task-ended").map(({ result: ended }) => ended.state)).toEqual(Array(3).fill("cancelled"));
    expect(run.events.at(-1)).toMatchObject({ type: "task-ended", taskId: run.taskId });
    await expectClosed([...clerk.sessions, ...manager.sessions]);
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("ends the reply that a leaf's model streams", async () => {
    const session = await open({ timeout: null });
    const clerk = sub(session, "clerk", behind("stalls"));
    const manager = sub(session, "manager", dictated(asks("clerk")));

    const { result } = await stopped(
      session,
      "manager",
      (event) => event.type === "model-text" && event.text.includes("Let"),
    );

    expect(result.state).toBe("cancelled");
    expect(await clerk.result()).toMatchObject({ state: "cancelled", steps: [{ code: null }] });
    await expectClosed([...clerk.sessions, ...manager.sessions]);
  });

  test("ends what works in parallel", async () => {
    const session = await open({ timeout: null });
    const worker = sub(session, "worker", dictated(block("print('on')", "while True: pass")));
    const both = block(
      "import asyncio",
      `await asyncio.gather(*[tools.worker.call_async(task=str(i)) for i in range(2)])`,
    );
    const stop = new AbortController();
    const run = new CodeAgent({ session, model: dictated(both) }).run("Go.", { signal: stop.signal });
    for await (const { type } of run) {
      const working = new Set(ofType(run, "output").map(({ taskId }) => taskId));
      if (type === "output" && working.size === 2) stop.abort();
    }

    expect((await run.result).state).toBe("cancelled");
    expect([(await worker.result(0)).state, (await worker.result(1)).state]).toEqual(["cancelled", "cancelled"]);
    await expectClosed(worker.sessions);
  });
});

describe("an agent below another is no freer", () => {
  test("what its code asks for is asked at the root, with the agents on the way", async () => {
    const asked: ApprovalRequest[] = [];
    const session = await open({
      approvals: { "tools.rates": "ask" },
      onApproval: (request) => {
        asked.push(request);
        return { decision: "deny", reason: "Not today." };
      },
    });
    const tries = block(
      "try:",
      "    tools.rates(currency='USD')",
      "except ToolNotAllowedError as error:",
      "    final_answer(str(error))",
    );
    sub(session, "clerk", dictated(tries));
    sub(session, "manager", dictated(asks("clerk")));

    const run = new CodeAgent({ session, model: dictated(asks("manager")) }).run("Go.");
    const { answer } = await run.result;

    expect(answer?.text).toContain("Not today.");
    const [root, manager, clerk] = ofType(run, "task-started");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ name: "tools.rates", inAgentRun: true, trust: "local" });
    expect(asked[0]?.path).toEqual([
      { name: "code", taskId: root?.taskId, callId: null },
      { name: "manager", taskId: manager?.taskId, callId: manager?.parentId },
      { name: "clerk", taskId: clerk?.taskId, callId: clerk?.parentId },
    ]);
    await session.run("tools.rates(currency='USD')");
    expect(asked[1]?.path).toEqual([]);
  });

  test("its trust is never weaker than its caller's, which may be an agent below the root", async () => {
    const answer = dictated(block("final_answer(1)"));
    const sealed = await open({ trust: "sandboxed" });
    sub(sealed, "loose", answer, { trust: "local" });
    const refused = await sealed.run(callOf("loose"));
    expect(refused.error?.message).toContain("cannot be local");

    const local = await open();
    const loose = sub(local, "loose", answer);
    const tries = block("try:", `    ${callOf("loose")}`, "except Exception as error:", "    final_answer(str(error))");
    sub(local, "strict", dictated(tries), { trust: "sandboxed" });

    expect((await local.run(callOf("loose"))).value).toBe(1);
    expect((await local.run(callOf("strict"))).value).toContain("cannot be local");
    expect(loose.sessions.map(({ trust }) => trust)).toEqual(["local"]);
  });

  test("sees of the tools what its caller sees, and what its scope leaves", async () => {
    const session = await open();
    const lists = dictated(block("final_answer(sorted(tool.name for tool in tools.list()))"));
    sub(session, "narrow", lists, { scope: { names: ["rates"] } });
    sub(session, "wide", lists);

    const scope = { names: ["wide", "narrow"] };
    expect((await session.run(callOf("wide"), { scope })).value).toEqual(["narrow", "wide"]);
    expect((await session.run(callOf("narrow"), { scope })).value).toEqual([]);
    expect((await session.run(callOf("narrow"))).value).toEqual(["rates"]);
  });

  test("goes only so deep, and the model is told so", async () => {
    const session = await open();
    const again = block(
      "try:",
      `    found = ${callOf("again")}`,
      "except ToolCallError as error:",
      "    found = [error.code, str(error)]",
      "final_answer(found)",
    );
    const deeper = sub(session, "again", dictated(again), { spread: { depth: 2 } });

    const { answer } = await new CodeAgent({ session, model: dictated(again) }).run("Go.").result;

    expect(answer?.value).toEqual(["AGENT_DEPTH", expect.stringContaining("2 agents are inside one another here")]);
    expect(deeper.runs).toHaveLength(2);
    await expectClosed(deeper.sessions);
  });

  test("goes no deeper by a tool that would allow it", async () => {
    const session = await open();
    const lax = sub(session, "lax", dictated(block("final_answer(1)")), { spread: { depth: 9 } });
    const tries = block(
      "try:",
      `    ${callOf("lax")}`,
      "except ToolCallError as error:",
      "    final_answer(error.code)",
    );
    sub(session, "strict", dictated(tries), { spread: { depth: 1 } });

    const { answer } = await new CodeAgent({ session, model: dictated(asks("strict")) }).run("Go.").result;

    expect(answer?.value).toBe("AGENT_DEPTH");
    expect(lax.runs).toEqual([]);
  });

  test("is only one of so many at once, and of so many in a task", async () => {
    const session = await open();
    const worker = sub(session, "worker", dictated(block("final_answer(1)")), { spread: { open: 2, perTask: 3 } });
    const four = block(
      "import asyncio",
      "async def ask(i):",
      "    try:",
      "        return await tools.worker.call_async(task=str(i))",
      "    except ToolCallError as error:",
      "        return [error.code, error.limit]",
      "final_answer([await asyncio.gather(*[ask(i) for i in range(3)]), await ask(3), await ask(4)])",
    );

    const { answer } = await new CodeAgent({ session, model: dictated(four) }).run("Go.").result;

    expect(answer?.value).toEqual([[1, 1, ["AGENT_FAN_OUT", 2]], 1, ["AGENT_FAN_OUT", 3]]);
    expect(worker.runs).toHaveLength(3);
  });

  test("keeps what it stores where its tool says: with its caller, or in a place of its own", async () => {
    const session = await open();
    await session.artifacts.save("given", "from the caller");
    const own = memoryStorage();
    const counts = dictated(
      block("seen = sorted(a.name for a in artifacts.list())", "artifacts.save('made', 1)", "final_answer(seen)"),
    );
    sub(session, "apart", counts, { storage: own });
    sub(session, "fresh", counts, { storage: () => memoryStorage() });
    sub(session, "beside", counts, { storage: "parent" });

    expect((await session.run(callOf("apart"))).value).toEqual([]);
    expect((await session.run(callOf("apart"))).value).toEqual(["made"]);
    expect([(await session.run(callOf("fresh"))).value, (await session.run(callOf("fresh"))).value]).toEqual([[], []]);
    expect((await session.artifacts.list()).map(({ name }) => name)).toEqual(["given"]);
    expect((await session.run(callOf("beside"))).value).toEqual(["given"]);
    expect((await session.artifacts.list()).map(({ name }) => name).sort()).toEqual(["given", "made"]);
  });
});
