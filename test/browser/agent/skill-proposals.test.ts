import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import {
  agentTool,
  CodeAgent,
  ReactAgent,
  rerunTask,
  TaskStore,
  type AgentEvent,
  type AgentRun,
} from "../../../src/agent/index.js";
import type { ApprovalAnswer, ApprovalRequest } from "../../../src/dispatch/index.js";
import type { Model } from "../../../src/model/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool, ToolCallError } from "../../../src/tools/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block, F } from "../../agents/replies.js";

/** A reply that proposes a skill. */
function proposal(name: string, args: object, ...lines: string[]): string {
  return `${block(...lines)}\n${F}json\n${JSON.stringify({ name, arguments: args, reason: "Sums in euro." })}\n${F}`;
}

/** How often the tools were really called. */
let rateCalls: string[] = [];
const rates = functionTool({
  name: "rates",
  description: "What one unit of a currency is worth in euro.",
  input: z.object({ currency: z.string(), day: z.string().default("today") }),
  hints: { readOnly: true },
  run: ({ currency }) => {
    rateCalls.push(currency);
    if (currency === "XXX") throw new ToolCallError("rates", "no such currency");
    return { USD: 0.5, NOK: 0.1 }[currency] ?? 1;
  },
});

const mail = functionTool({
  name: "mail",
  description: "Sends a letter.",
  input: z.object({ text: z.string() }),
  hints: { destructive: true },
  run: () => "sent",
});

let session: Session;
let asked: ApprovalRequest[] = [];
let answer: ApprovalAnswer | Promise<ApprovalAnswer> = { decision: "allow" };
const storage = memoryStorage();

beforeAll(async () => {
  session = await Session.open({
    storage,
    tools: [rates, mail],
    spare: "one",
    onApproval: (request) => {
      asked.push(request);
      return request.name === "tools.mail" ? { decision: "deny", reason: "not today" } : answer;
    },
  });
});
afterAll(() => session.close());
beforeEach(async () => {
  asked = [];
  rateCalls = [];
  answer = { decision: "allow" };
  for (const { name } of (await session.skills.list()).skills) await session.skills.delete(name);
});

const solve = (model: Model): AgentRun =>
  new CodeAgent({ session, model, learnsSkills: true, retries: 0 }).run("What are 10 dollars in euro?");

const ofType = <T extends AgentEvent["type"]>(run: AgentRun, type: T) =>
  run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

const names = async () => (await session.skills.list()).skills.map(({ name }) => name);

const work = block('final_answer(10 * tools.rates(currency="USD"))');
const inEuro = [
  "def run(amount: float, currency: str) -> float:",
  '    """What an amount of another currency is in euro."""',
  '    return amount * tools.rates(currency=currency, day="today")',
];
const good = proposal("in_euro", { amount: 10, currency: "USD" }, ...inEuro);

describe("a skill that the model proposes after its task", () => {
  test("meets a call that a person denied as an error, which it may handle", async () => {
    const tries = (text: string) => [
      "try:",
      `    mail = tools.mail(text=${text})`,
      "except ToolNotAllowedError as error:",
      "    mail = error.reason",
    ];
    const skill = [
      "def run(text: str) -> str:",
      '    """Send a letter, or tell why not."""',
      ...tries("text").map((line) => `    ${line}`),
      "    return mail",
    ];
    const run = solve(
      dictated(block(...tries("'hello'"), "final_answer(mail)"), proposal("send", { text: "hello" }, ...skill)),
    );

    const { learned } = await run.result;

    expect(learned).toMatchObject({
      outcome: { kind: "saved" },
      trial: { value: "'not today'", answered: 1, refused: 0, calls: [{ name: "tools.mail", outcome: "raised" }] },
    });
  });

  test("is tried with the task's own answers, shown as a difference, saved once a person agrees, and called by the next task", async () => {
    const run = solve(dictated(work, good));

    const result = await run.result;

    expect(result).toMatchObject({ state: "completed", answer: { value: 5 }, usage: { modelCalls: 2, toolCalls: 1 } });
    expect(result.steps).toHaveLength(1);
    expect(result.learned).toMatchObject({
      outcome: { kind: "saved", version: 1 },
      proposal: { name: "in_euro", replaces: null, difference: expect.stringMatching(/^@@ -0,0 \+1,3 @@\n\+def run/) },
      trial: { value: "5.0", error: null, calls: [{ name: "tools.rates", outcome: "returned" }] },
    });
    expect(rateCalls).toEqual(["USD"]);
    expect(asked).toMatchObject([
      {
        name: "skills.create",
        caller: "agent",
        path: [{ taskId: run.taskId }],
        skill: { before: null, name: "in_euro" },
      },
    ]);
    expect(asked[0]?.skill?.notes.join(" ")).toMatch(/tried once.+no tool was really called.+returned 5\.0/);
    expect(ofType(run, "call").filter(({ entry }) => entry.name === "create")).toMatchObject([
      { entry: { outcome: { kind: "pending" } } },
      { entry: { approval: "asked" } },
      { entry: { approval: "allowed" } },
      { entry: { outcome: { kind: "ok" } }, parentId: `${run.taskId}/skill`, step: null },
    ]);
    expect((await session.skills.get("in_euro"))?.trust).toBe("sandboxed");

    const next = new CodeAgent({
      session,
      model: dictated(block('final_answer(skills.in_euro(amount=4, currency="NOK"))')),
    });
    expect(await next.run("And 4 crowns?").result).toMatchObject({ state: "completed", answer: { value: 0.4 } });
  });

  test("is not saved when the person says no, and why is noted", async () => {
    answer = { decision: "deny", reason: "too special" };

    const result = await solve(dictated(work, good)).result;

    expect(result).toMatchObject({
      state: "completed",
      learned: { outcome: { kind: "declined", reason: "too special" } },
    });
    expect(await names()).toEqual([]);
  });

  test("is sent back once with what is wrong: syntax, docstring, and calls that the task did not make", async () => {
    const broken = proposal("in_euro", {}, "def run(:", "    pass");
    const silent = proposal("in_euro", {}, "def run() -> int:", "    return 1");
    const other = proposal("in_euro", { amount: 10, currency: "NOK" }, ...inEuro);

    const mended = await solve(dictated(work, broken, good)).result;
    const undocumented = solve(dictated(work, silent, other));
    const rejected = await undocumented.result;

    expect(mended.learned?.outcome).toEqual({ kind: "saved", version: 1 });
    expect(ofType(undocumented, "skill-tried").map(({ problems }) => problems.join())).toEqual([
      expect.stringContaining("no docstring"),
      expect.stringMatching(/tools\.rates was called with .+NOK.+other arguments: \{"currency":"USD"\}/s),
    ]);
    expect(rejected).toMatchObject({
      state: "completed",
      learned: {
        outcome: { kind: "rejected" },
        trial: { calls: [{ outcome: "refused" }], error: { type: "ToolError" } },
      },
    });
    expect(rateCalls).toEqual(["USD", "USD"]);
    expect(asked).toHaveLength(1);
  });

  test("meets the errors of the task again, and one that swallows a refusal does not pass", async () => {
    const catches = block(
      "try:",
      '    tools.rates(currency="XXX")',
      "except ToolError as error:",
      "    final_answer(str(error))",
    );
    const same = proposal(
      "why_not",
      { currency: "XXX" },
      "def run(currency: str) -> str:",
      '    """Why a currency has no rate."""',
      "    try:",
      "        tools.rates(currency=currency)",
      "    except Exception as error:",
      "        return f'{type(error).__name__}: {error}'",
      "    return ''",
    );
    const swallows = proposal(
      "hidden",
      {},
      "def run() -> int:",
      '    """Hide a call."""',
      "    try:",
      '        tools.rates(currency="CHF")',
      "    except Exception:",
      "        pass",
      "    return 1",
    );

    const meets = await solve(dictated(catches, same)).result;
    const hides = await solve(dictated(work, swallows, "no skill")).result;

    expect(meets.learned).toMatchObject({ outcome: { kind: "saved" }, trial: { calls: [{ outcome: "raised" }] } });
    expect(meets.learned?.trial?.value).toContain(meets.answer?.text);
    expect(hides.learned).toMatchObject({
      outcome: { kind: "rejected" },
      trial: { value: "1", calls: [{ outcome: "refused" }] },
    });
    const lasting = swallows.replace(
      'tools.rates(currency="CHF")',
      'skills.create(name="x", source="def run(): pass")',
    );
    const lasts = await solve(dictated(work, lasting, "no skill")).result;
    expect(lasts.learned).toMatchObject({
      outcome: { kind: "rejected" },
      trial: { value: "1", calls: [{ name: "skills.create", outcome: "refused" }] },
    });
    expect(rateCalls).toEqual(["XXX", "USD", "USD"]);
  });

  test("writes nothing that stays in its trial, and sees what is there", async () => {
    await session.artifacts.save("rate.txt", "0.5");
    await session.skills.create({
      name: "double",
      source: 'def run(x: int) -> int:\n    """Twice."""\n    return 2 * x\n',
    });
    const writes = proposal(
      "keep",
      {},
      "def run() -> str:",
      '    """Keep a rate."""',
      "    artifacts.save('kept.txt', str(skills.double(x=2)))",
      "    open('/workspace/trial.txt', 'w').write('x')",
      "    return artifacts.load('rate.txt') + artifacts.load('kept.txt')",
    );
    answer = { decision: "deny" };

    const result = await solve(dictated(work, writes)).result;

    expect(result.learned).toMatchObject({ outcome: { kind: "declined" }, trial: { value: "'0.54'" } });
    expect((await session.artifacts.list()).map(({ name }) => name)).not.toContain("kept.txt");
    expect((await session.workspace.list()).map(({ path }) => path)).not.toContain("trial.txt");
  });

  test("replaces one of its name only when that is shown, and asks nothing where it is there already", async () => {
    const first = await solve(dictated(work, good)).result;
    const again = await solve(dictated(work, good)).result;
    const changed = good.replace("return amount", "return 1.0 * amount");
    const other = await solve(dictated(work, changed)).result;

    expect([first, again, other].map(({ learned }) => learned?.outcome.kind)).toEqual(["saved", "unchanged", "saved"]);
    expect(other.learned?.proposal?.difference).toContain("-    return amount * tools");
    expect(asked.map(({ skill }) => skill?.before?.includes("return amount"))).toEqual([undefined, true]);
  });
});

test("a task that is stopped while the person is asked about its skill keeps its answer", async () => {
  const stop = new AbortController();
  const never = Promise.withResolvers<ApprovalAnswer>();
  answer = never.promise;
  const agent = new CodeAgent({ session, model: dictated(work, good), learnsSkills: true });
  const run = agent.run("What are 10 dollars in euro?", { signal: stop.signal });
  for await (const event of run) if (event.type === "call" && event.entry.approval === "asked") stop.abort();

  expect(await run.result).toMatchObject({
    state: "completed",
    answer: { value: 5 },
    learned: { outcome: { kind: "stopped" } },
  });
  expect(await names()).toEqual([]);
});

describe("a task that proposes nothing", () => {
  test("is one that failed, one whose model sees no skill, and one whose budget is used up; the answer is the same", async () => {
    const failed = new CodeAgent({ session, model: dictated("just words"), maxSteps: 1, learnsSkills: true }).run(
      "Fail.",
    );
    const none = await solve(dictated(work, "no skill: that was a single call.")).result;
    const bad = await solve(dictated(work, "Here you are!", "Well.")).result;
    const spent = new CodeAgent({
      session,
      model: dictated(work, good),
      budget: { modelCalls: 1 },
      learnsSkills: true,
    });
    const poor = await spent.run("What are 10 dollars in euro?").result;

    expect((await failed.result).learned).toBeUndefined();
    expect(none).toMatchObject({ state: "completed", learned: { outcome: { kind: "none" } } });
    expect(bad).toMatchObject({
      state: "completed",
      answer: { value: 5 },
      learned: { outcome: { kind: "rejected" }, proposal: null },
    });
    expect(poor).toMatchObject({
      state: "completed",
      answer: { value: 5 },
      learned: { outcome: { kind: "failed", code: "BUDGET_REACHED" } },
    });
    expect(asked).toEqual([]);
  });
});

describe("skills.create in an agent's task", () => {
  const source = "def run() -> int:\\n    '''One.'''\\n    return 1\\n";
  const creates = block(`skills.create(name="one", source="${source}")`, "final_answer(skills.one())");

  test("asks a person with both sources, whoever of the agent makes it, and not where a rule allows it", async () => {
    const agent = (own: Session) => new CodeAgent({ session: own, model: dictated(creates, creates) });
    await session.skills.create({ name: "one", source: "def run() -> int:\n    return 0\n" });
    await using_(
      () => Session.open({ storage: memoryStorage(), spare: "one", approvals: { "skills.create": "allow" } }),
      async (free) => {
        expect(await agent(free).run("Save one.").result).toMatchObject({ state: "completed", answer: { value: 1 } });
      },
    );

    await agent(session).run("Save one.").result;

    expect(asked).toMatchObject([
      {
        name: "skills.create",
        skill: {
          name: "one",
          description: "One.",
          before: "def run() -> int:\n    return 0\n",
          notes: ["It is called as skills.one()."],
        },
      },
    ]);
  });
});

describe("the record of a task that learned", () => {
  test("is read back with its events, and a rerun says the same and learns the same", async () => {
    const tasks = new TaskStore(storage);
    const model = dictated(work, good.replace("def run(", "def run(:"), good);
    const run = new CodeAgent({ session, model, tasks, learnsSkills: true }).run("What are 10 dollars in euro?");
    const result = await run.result;
    await session.skills.delete("in_euro");

    const saved = await tasks.load(run.taskId);
    const again = await rerunTask(
      saved,
      ({ model: words, onQuestion }) => new CodeAgent({ session, learnsSkills: true, model: words, onQuestion }),
    ).result;

    expect(saved.problems).toEqual([]);
    expect(saved.result).toMatchObject({ state: "completed", learned: result.learned, usage: result.usage });
    expect(saved.steps.map(({ reply }) => reply)).toEqual([work]);
    expect(saved.conversation).toEqual(run.conversation);
    expect(saved.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["skill-asked", "skill-proposed", "skill-tried", "skill-ended"]),
    );
    expect(again).toMatchObject({ state: "completed", answer: { value: 5 }, learned: { outcome: { kind: "saved" } } });
    expect(again.usage.modelCalls).toBe(3);
  });
});

test("an agent that calls tools itself learns by what they answered it", async () => {
  const calls = { calls: [{ id: "c1", name: "rates", arguments: '{"currency":"USD"}' }] };
  const agent = new ReactAgent({
    session,
    model: dictated(calls, "5 euro", good),
    toolCallingMode: "native",
    learnsSkills: true,
  });

  const result = await agent.run("What are 10 dollars in euro?").result;

  expect(result).toMatchObject({
    state: "completed",
    learned: { outcome: { kind: "saved" }, trial: { value: "5.0" } },
  });
  expect(rateCalls).toEqual(["USD"]);
});

test("an agent that works as a tool learns in its own session, and its question names the way to it", async () => {
  session.tools.register(
    agentTool({
      name: "helper",
      description: "Knows about money.",
      session,
      storage: "parent",
      agent: (child) => new CodeAgent({ session: child, model: dictated(work, good), learnsSkills: true }),
    }),
  );
  const asks = block('final_answer(tools.helper(task="What are 10 dollars in euro?"))');

  const result = await new CodeAgent({ session, model: dictated(asks) }).run("Ask the helper.").result;

  expect(result).toMatchObject({ state: "completed", answer: { value: 5 } });
  expect(asked.map(({ name, path }) => [name, path.map((agent) => agent.name)])).toEqual([
    ["skills.create", ["code", "helper"]],
  ]);
  expect(await names()).toEqual(["in_euro"]);
});

async function using_(open: () => Promise<Session>, use: (session: Session) => Promise<void>): Promise<void> {
  const own = await open();
  try {
    await use(own);
  } finally {
    await own.close();
  }
}
