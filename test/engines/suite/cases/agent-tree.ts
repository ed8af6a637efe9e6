import { z } from "zod";

import {
  agentTool,
  CodeAgent,
  functionTool,
  ReactAgent,
  type AgentEvent,
  type AgentRun,
  type ChildSession,
  type Session,
  type TaskSolver,
} from "../../../../src/index.js";
import { block } from "../../../agents/replies.js";
import { dictated } from "../dictated.js";
import { differ, type PageCase } from "../engine-case.js";

interface Worker {
  /** Its tasks, and the sessions that they were solved in. */
  readonly runs: readonly AgentRun[];
  readonly sessions: readonly ChildSession[];
}

/** An agent as a tool of the session's agents. */
function worker(session: Session, name: string, agent: (child: ChildSession) => TaskSolver): Worker {
  const runs: AgentRun[] = [];
  const sessions: ChildSession[] = [];
  session.tools.register(
    agentTool({
      name,
      description: `The agent ${name}.`,
      session,
      storage: "parent",
      agent: (child) => {
        sessions.push(child);
        return agent(child);
      },
      onRun: (run) => runs.push(run),
    }),
  );
  return { runs, sessions };
}

function ofType<T extends AgentEvent["type"]>(run: AgentRun, type: T): Extract<AgentEvent, { type: T }>[] {
  return run.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

const codesOf = async (sessions: readonly ChildSession[]): Promise<unknown[]> =>
  Promise.all(sessions.map(async (session) => (await session.run("1")).error?.code));

const callOf = (name: string): string => `tools.${name}(task="Go on.")`;

/** Agents as tools of agents: interpreters inside one another, one budget, one tree of events, one Stop. */
export const agentTreeCases: readonly PageCase[] = [
  {
    id: "tree-1",
    title:
      "a JSON agent asks a code agent, which asks a JSON agent: the answer comes up, events are one tree, use adds up",
    needs: ["sync_calls"],
    inChromium: "agent/json-agents-in-trees.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      const asks = (tool: string, given: Readonly<Record<string, string>>): string =>
        JSON.stringify({ tool, arguments: given });
      session.tools.register(
        functionTool({
          name: "worth",
          description: "What one unit of a currency is worth in euro.",
          input: z.object({ currency: z.string() }),
          run: () => 0.5,
        }),
      );
      const clerk = worker(session, "clerk", (child) => {
        const model = dictated(asks("worth", { currency: "USD" }), JSON.stringify({ answer: [0.5] }));
        return new ReactAgent({ session: child, model });
      });
      const manager = worker(session, "manager", (child) => {
        const model = dictated(block("found = tools.clerk(task='A dollar?')", "final_answer({'euro': found[0]})"));
        return new CodeAgent({ session: child, model });
      });
      const model = dictated(asks("manager", { task: "Go on." }), JSON.stringify({ answer: "half a euro" }));
      const run = new ReactAgent({ session, model }).run("A dollar in euro?");
      const { state, answer, steps, usage } = await run.result;

      const [root, middle, leaf] = ofType(run, "task-started");
      const begun = ofType(run, "call").filter(({ entry }) => entry.outcome.kind === "pending");
      const known = new Set<string | null>([null]);
      const orphans = run.events.filter(({ id, parentId }) => {
        known.add(id);
        return !known.has(parentId);
      });
      return [
        ...differ("how it ended", [state, answer?.value], ["completed", "half a euro"]),
        ...differ("what the root was told", steps[0]?.observation, "Observation: {'euro': 0.5}"),
        ...differ("what was used", [usage.modelCalls, usage.toolCalls], [5, 3]),
        ...differ(
          "who called what",
          begun.map(({ taskId, entry }) => [taskId, entry.name]),
          [
            [root?.taskId, "manager"],
            [middle?.taskId, "clerk"],
            [leaf?.taskId, "worth"],
          ],
        ),
        ...differ("below what the tasks are", [middle?.parentId, leaf?.parentId], [begun[0]?.id, begun[1]?.id]),
        ...differ("events that hang below nothing", orphans.length, 0),
        ...differ(
          "the ends",
          ofType(run, "task-ended").map(({ taskId }) => taskId),
          [leaf?.taskId, middle?.taskId, root?.taskId],
        ),
        ...differ("the sessions below", await codesOf([...manager.sessions, ...clerk.sessions]), [
          "SESSION_CLOSED",
          "SESSION_CLOSED",
        ]),
      ];
    },
  },
  {
    id: "tree-2",
    title: "a budget that the agent below uses up ends both, whatever the code above does about it",
    needs: ["sync_calls"],
    inChromium: "agent/several-agents.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      const endless = Array.from({ length: 4 }, (_, index) => block(`print(${String(index)})`));
      const below = worker(
        session,
        "spender",
        (child) => new CodeAgent({ session: child, model: dictated(...endless) }),
      );
      const caught = block("try:", `    ${callOf("spender")}`, "except Exception as error:", "    print(error)");
      const model = dictated(caught, ...endless);
      const run = new CodeAgent({ session, model, budget: { modelCalls: 3 } }).run("Go.");
      const { state, error, usage } = await run.result;
      const inner = await below.runs[0]?.result;
      return [
        ...differ("how both ended", [state, inner?.state], ["budget_reached", "budget_reached"]),
        ...differ("the error", error !== null && "code" in error && error.code, "BUDGET_REACHED"),
        ...differ("what was used", [usage.modelCalls, inner?.usage.modelCalls], [3, 2]),
        ...differ(
          "who was told of the limit",
          ofType(run, "limit").map(({ taskId }) => taskId),
          [below.runs[0]?.taskId, run.taskId],
        ),
        ...differ("the session below", await codesOf(below.sessions), ["SESSION_CLOSED"]),
      ];
    },
  },
  {
    id: "tree-3",
    title: "Stop ends the endless code of the agent below and the task above, and the session goes on",
    needs: ["sync_calls"],
    inChromium: "agent/several-agents.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      const loops = dictated(block("print('on')", "while True: pass"));
      const below = worker(session, "looper", (child) => new CodeAgent({ session: child, model: loops }));
      const stop = new AbortController();
      const model = dictated(block(`final_answer(${callOf("looper")})`));
      const run = new CodeAgent({ session, model }).run("Go.", { signal: stop.signal });
      for await (const { type } of run) if (type === "output") stop.abort();
      const { state } = await run.result;
      const inner = await below.runs[0]?.result;
      const next = await session.run("1 + 1");
      return [
        ...differ("how both ended", [state, inner?.state], ["cancelled", "cancelled"]),
        ...differ("the last event", run.events.at(-1)?.taskId, run.taskId),
        ...differ("the session below", await codesOf(below.sessions), ["SESSION_CLOSED"]),
        ...differ("the next value", next.value, 2),
      ];
    },
  },
];
