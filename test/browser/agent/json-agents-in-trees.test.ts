import { describe, expect, inject, test } from "vitest";

import {
  agentTool,
  CodeAgent,
  ReactAgent,
  type AgentEvent,
  type AgentResult,
  type AgentRun,
  type TaskSolver,
} from "../../../src/agent/index.js";
import { codegenTool } from "../../../src/codegen/index.js";
import type { ApprovalRequest } from "../../../src/dispatch/index.js";
import type { ChildSession, Session } from "../../../src/session/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";
import { files, SUMMARY } from "../codegen/programs.js";
import { RUN } from "../../timeouts.mjs";
import { useSessions } from "./agent-sessions.js";

const calls = (tool: string, given: Record<string, unknown>): string => JSON.stringify({ tool, arguments: given });
const asks = (name: string): string => calls(name, { task: "Go on." });
const answers = (answer: unknown): string => JSON.stringify({ answer });

const open = useSessions();

interface Worker {
  /** Its tasks, and the sessions that they were solved in. */
  readonly runs: readonly AgentRun[];
  readonly sessions: readonly ChildSession[];
}

/** An agent as a tool of the session's agents. */
function worker(session: Session, name: string, agent: (child: ChildSession) => TaskSolver): Worker {
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
      return agent(child);
    },
    onRun: (run) => runs.push(run),
  });
  session.tools.register(tool);
  return { runs, sessions };
}

const resultsOf = ({ runs }: Worker): Promise<AgentResult[]> => Promise.all(runs.map((run) => run.result));

function ofType<T extends AgentEvent["type"]>(run: AgentRun, type: T): Extract<AgentEvent, { type: T }>[] {
  return run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

async function expectClosed(...workers: readonly Worker[]): Promise<void> {
  const sessions = workers.flatMap((each) => each.sessions);
  expect(sessions).toHaveLength(workers.length);
  for (const child of sessions) expect((await child.run("1")).error).toMatchObject({ code: "SESSION_CLOSED" });
}

describe("a JSON agent that asks a code agent, which asks a JSON agent", () => {
  const seesAnswer = dictated(asks("manager"), answers("half a euro"));

  /** The code agent in the middle, and the JSON agent below it, which asks a tool. */
  function staff(session: Session): { readonly manager: Worker; readonly clerk: Worker } {
    const asksRates = dictated(calls("rates", { currency: "USD" }), answers([0.5]));
    const clerk = worker(session, "clerk", (child) => new ReactAgent({ session: child, model: asksRates }));
    const delegates = dictated(block("found = tools.clerk(task='A dollar?')", "final_answer({'euro': found[0]})"));
    const manager = worker(session, "manager", (child) => new CodeAgent({ session: child, model: delegates }));
    return { manager, clerk };
  }

  test("is told the value of its answer, and all three are one tree of events and one budget", async () => {
    const session = await open();
    const { manager, clerk } = staff(session);

    const run = new ReactAgent({ session, model: seesAnswer }).run("A dollar in euro?");
    const { state, answer, steps, usage } = await run.result;

    expect([state, answer?.value]).toEqual(["completed", "half a euro"]);
    expect(steps[0]?.observation).toBe("Observation: {'euro': 0.5}");
    expect(await resultsOf(manager)).toMatchObject([{ state: "completed", answer: { value: { euro: 0.5 } } }]);
    expect(await resultsOf(clerk)).toMatchObject([{ task: "A dollar?", state: "completed", answer: { value: [0.5] } }]);
    expect(usage).toMatchObject({ modelCalls: 5, toolCalls: 3 });
    const [below] = await resultsOf(clerk);
    expect(below?.usage).toMatchObject({ modelCalls: 2, toolCalls: 1 });

    const [root, middle, leaf] = ofType(run, "task-started");
    const begun = ofType(run, "call").filter(({ entry }) => entry.outcome.kind === "pending");
    expect(begun.map(({ taskId, entry }) => [taskId, entry.name])).toEqual([
      [root?.taskId, "manager"],
      [middle?.taskId, "clerk"],
      [leaf?.taskId, "rates"],
    ]);
    expect([root?.parentId, middle?.parentId, leaf?.parentId]).toEqual([null, begun[0]?.id, begun[1]?.id]);
    const known = new Set<string | null>([null]);
    const orphans = run.events.filter(({ id, parentId }) => {
      known.add(id);
      return !known.has(parentId);
    });
    expect(orphans).toEqual([]);
    const ended = ofType(run, "task-ended").map(({ taskId }) => taskId);
    expect(ended).toEqual([leaf?.taskId, middle?.taskId, root?.taskId]);
    expect(run.events.at(-1)).toMatchObject({ type: "task-ended", taskId: run.taskId });
    await expectClosed(manager, clerk);
  });

  test("is asked at the root about the leaf's call, with the agents on the way", async () => {
    const asked: ApprovalRequest[] = [];
    const session = await open({
      approvals: { "tools.rates": "ask" },
      onApproval: (request) => {
        asked.push(request);
        return { decision: "deny", reason: "Not today." };
      },
    });
    const { clerk } = staff(session);

    const run = new ReactAgent({ session, model: seesAnswer }).run("A dollar in euro?");
    await run.result;

    const [root, middle, leaf] = ofType(run, "task-started");
    expect(asked).toMatchObject([{ name: "tools.rates", inAgentRun: true }]);
    expect(asked[0]?.path).toEqual([
      { name: "react", taskId: root?.taskId, callId: null },
      { name: "manager", taskId: middle?.taskId, callId: middle?.parentId },
      { name: "clerk", taskId: leaf?.taskId, callId: leaf?.parentId },
    ]);
    const [below] = await resultsOf(clerk);
    expect(below?.steps[0]?.observation).toContain("Not today.");
  });

  test("ends with it when the budget is used up in the leaf", async () => {
    const session = await open();
    const { manager, clerk } = staff(session);

    const run = new ReactAgent({ session, model: seesAnswer, budget: { modelCalls: 3 } }).run("A dollar in euro?");
    const { state, error, usage } = await run.result;

    expect(state).toBe("budget_reached");
    expect(error).toMatchObject({ code: "BUDGET_REACHED", kind: "modelCalls", limit: 3 });
    expect(usage.modelCalls).toBe(3);
    expect(await resultsOf(clerk)).toMatchObject([{ state: "budget_reached", usage: { modelCalls: 1 } }]);
    await expectClosed(manager, clerk);
  });
});

test("a JSON agent whose program calls a tool tells of that call once, below the program", async () => {
  const session = await open({ timeout: RUN });
  const program = files(
    "worth = tools.rates(currency='USD')\n" +
      'await set_progress(artifact={"name": "summary", "type": "inline", "format": "markdown", "value": str(worth)})\n' +
      "await done()",
  );
  session.tools.register(codegenTool({ session, model: dictated(program) }));
  const asksProgram = calls("codegen_python", { output_contract: SUMMARY, instruction: "Do it." });

  const run = new ReactAgent({ session, model: dictated(asksProgram, answers("done")) }).run("Go.");
  const { state, usage } = await run.result;

  expect([state, usage.toolCalls]).toEqual(["completed", 2]);
  const begun = ofType(run, "call").filter(({ entry }) => entry.outcome.kind === "pending");
  expect(begun.map(({ entry }) => entry.name)).toEqual(["codegen_python", "rates"]);
  expect(begun[1]?.parentId).toBe(ofType(run, "program").find(({ news }) => news.kind === "running")?.id);
});

describe("stopping a JSON agent", () => {
  test("ends the code of the agent below it, which would go on for ever", async () => {
    const session = await open({ timeout: null });
    const endless = dictated(block("print('on')", "while True: pass"));
    const clerk = worker(session, "clerk", (child) => new CodeAgent({ session: child, model: endless }));
    const stop = new AbortController();
    const model = dictated(asks("clerk"), answers("never"));

    const run = new ReactAgent({ session, model }).run("Go.", { signal: stop.signal });
    for await (const { type } of run) if (type === "output") stop.abort();

    expect(await run.result).toMatchObject({ state: "cancelled", answer: null });
    expect(await resultsOf(clerk)).toMatchObject([{ state: "cancelled", answer: null }]);
    const ended = ofType(run, "task-ended").map(({ taskId, result }) => [taskId, result.state]);
    expect(ended).toEqual([
      [clerk.runs[0]?.taskId, "cancelled"],
      [run.taskId, "cancelled"],
    ]);
    await expectClosed(clerk);
    expect((await session.run("1 + 1")).value).toBe(2);
  });
});

describe("an agent below another reaches no other hosts", () => {
  const [near = "", far = ""] = inject("toolServers");
  const api = (name: string, base: string): string =>
    `name: ${name}\ntype: http\nbase_url: ${base}/open\nrecipes:\n  read: {path: text, response: text}\n`;
  const curl =
    "name: curl\ncommand: curl\nschema:\n  positional: [{name: flag}, {name: address}]\n" +
    "recipes:\n  get: {params: {address: {required: true}}, preset: {flag: -sS}}\n";
  const seeds = [
    { file: "tools/inside.yaml", text: api("inside", near) },
    { file: "tools/outside.yaml", text: api("outside", far) },
    { file: "tools/curl.yaml", text: curl },
  ];
  const refusal = expect.stringContaining("is not among those that this session may talk to") as string;

  test("neither by HTTP tools nor by curl, whether code or JSON asks for it", async () => {
    const session = await open({ seeds, allowedHosts: [new URL(near).host] });
    const tries = block(
      "def failure(call, **given):",
      "    try:",
      "        return call(**given)",
      "    except Exception as error:",
      "        return str(error)",
      `final_answer([tools.inside.read(), failure(tools.outside.read), tools.curl.get(address='${near}/open/text'),`,
      `    failure(tools.curl.get, address='${far}/open/text')])`,
    );
    const coder = worker(session, "coder", (child) => new CodeAgent({ session: child, model: dictated(tries) }));
    const asked = dictated(calls("inside.read", {}), calls("outside.read", {}), answers("done"));
    const asker = worker(session, "asker", (child) => new ReactAgent({ session: child, model: asked }));

    await new ReactAgent({ session, model: dictated(asks("coder"), asks("asker"), answers("both")) }).run("Go.").result;

    expect(await resultsOf(coder)).toMatchObject([{ answer: { value: ["grüße\n", refusal, "grüße\n", refusal] } }]);
    const [below] = await resultsOf(asker);
    expect(below?.steps.map(({ observation }) => observation)).toEqual(["Observation: grüße\n", refusal, null]);
  });
});
