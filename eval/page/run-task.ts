import { taskDiffName } from "../../src/coding/index.js";
import { openaiModel, type Model, type ModelTool } from "../../src/model/index.js";
import { Session } from "../../src/session/index.js";
import { memoryStorage } from "../../src/storage/index.js";
import { agentNamed, type EvalReport } from "../agents/index.js";
import type { Json } from "../checks.js";
import { CallListener, type MadeCall } from "../made-calls.js";
import { writingProblems } from "../batches/check-writing.js";
import { workProblems } from "../projects/check-work.js";
import { judge, taskText, type EvalTask, type World } from "../task.js";
import { taskNamed } from "../tasks/index.js";
import type { WriteCodeOptions } from "../../src/write-code/index.js";
import { roleAddress, type WriterRole } from "../writer-roles.js";
import { functionsOf } from "./functions.js";

/** What is to be run, and where the model is. The key is not the page's business: the server adds it. */
export interface TaskRequest {
  readonly task: string;
  readonly agent: string;
  readonly baseURL: string;
  readonly model: string;
  /** Milliseconds after which the task is stopped. */
  readonly limit: number;
}

/** What came of it. */
export interface TaskRun {
  readonly answer: Json;
  /** What is wrong with the outcome; empty when the checker accepts it. */
  readonly problems: readonly string[];
  /** Why the agent did not come to an end by itself; null when it did. */
  readonly failure: string | null;
  readonly steps: number;
  /** Milliseconds, without opening the session. */
  readonly elapsed: number;
  /** All calls that the journal has of it. */
  readonly calls: readonly MadeCall[];
  /** As the agent was told. */
  readonly taskText: string;
  /** What can be called, in the form in which a JSON agent is told of it. */
  readonly functions: readonly ModelTool[];
  readonly files: readonly string[];
}

/** Runs one task with one agent in a session of its own. */
export async function runTask({ task: name, agent: agentName, baseURL, model, limit }: TaskRequest): Promise<TaskRun> {
  const task = taskNamed(name);
  const agent = agentNamed(agentName);
  const listener = new CallListener();
  const world: World = task.world?.() ?? { tools: [] };
  const session = await openSession(task, { world, listener, writeCode: writersOf(task, { baseURL, model }) });
  try {
    const functions = await functionsOf(session);
    const started = performance.now();
    const report = await agent.run({
      session,
      task,
      model: openaiModel({ baseURL, model }),
      signal: AbortSignal.timeout(limit),
    });
    const elapsed = performance.now() - started;
    const { answer, failure, steps, entries } = report;
    const calls = listener.calls(entries);
    return {
      answer,
      problems: await problemsOf(report, { task, world, session, calls }),
      failure,
      steps,
      elapsed,
      calls,
      taskText: taskText(task),
      functions,
      files: Object.values(task.files ?? {}),
    };
  } finally {
    await session.close();
  }
}

interface Ran {
  readonly task: EvalTask;
  readonly world: World;
  readonly session: Session;
  readonly calls: readonly MadeCall[];
}

async function problemsOf(report: EvalReport, { task, world, session, calls }: Ran): Promise<string[]> {
  const { answer, artifacts, taskId } = report;
  const effects = world.effects?.();
  const outcome = { answer, artifacts, ...(effects === undefined ? {} : { effects }) };
  if (task.batch !== undefined) {
    return [...judge(task, outcome), ...(await writingProblems(task.batch, { workspace: session.workspace, calls }))];
  }
  if (task.project === undefined) return judge(task, outcome);
  if (taskId === undefined) throw new TypeError(`${task.name} is for coding agents.`);
  const { [taskDiffName(taskId)]: difference, ...asked } = artifacts;
  return [
    ...judge(task, { ...outcome, artifacts: asked }),
    ...(await workProblems(task.project, { workspace: session.workspace, taskId, difference })),
  ];
}

interface Opening {
  readonly world: World;
  readonly listener: CallListener;
  readonly writeCode: WriteCodeOptions | null;
}

/** The model that is evaluated writes the files as well, and judges them. Null where no batch is asked for. */
function writersOf(
  { batch }: EvalTask,
  { baseURL, model }: Pick<TaskRequest, "baseURL" | "model">,
): WriteCodeOptions | null {
  if (batch === undefined) return null;
  const inRole = (role: WriterRole): Model => {
    const asked = openaiModel({ baseURL: roleAddress(baseURL, role), model });
    // The tool takes no two models of one name.
    return {
      name: `${model} (${role})`,
      kind: asked.kind,
      complete: (request, options) => asked.complete(request, options),
    };
  };
  return {
    models: [inRole("writer-1"), inRole("writer-2")],
    arbiter: inRole("arbiter"),
    fallback: inRole("fallback"),
  };
}

async function openSession(
  { files = {}, seeds = [] }: EvalTask,
  { world, listener, writeCode }: Opening,
): Promise<Session> {
  const session = await Session.open({
    storage: memoryStorage(),
    trust: "sandboxed",
    // For the next task, and for the programs of this one.
    spare: "one",
    tools: world.tools,
    seeds,
    middleware: [listener.stage],
    onApproval: () => ({ decision: "allow" }),
    ...(writeCode === null ? {} : { writeCode }),
  });
  for (const [path, text] of Object.entries(files)) {
    await session.workspace.write(path, new TextEncoder().encode(text));
  }
  return session;
}
