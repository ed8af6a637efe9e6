import { CodeAgent, type AgentRun, type CodeAgentOptions } from "../../../src/agent/index.js";
import { codingAgent } from "../../../src/coding/index.js";
import {
  recordedModel,
  type CompleteOptions,
  type Model,
  type ModelChunk,
  type ModelRequest,
  type Transcript,
} from "../../../src/model/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { DEFAULT_LIMITS } from "../../../src/ui/state/session/task-limits.js";
import { writersOf } from "../../../src/ui/state/session/recorded-writers.js";
import { taskTools, writingTool } from "../../../src/ui/state/task/shared-work.js";
import {
  shippedSeeds,
  shippedTasks,
  type ShippedTask,
  type TranscriptsOfWriters,
} from "../../../src/ui/tasks/index.js";

/** Who answers the agents below a task, and writes its programs. */
let modelBelow: Model = recordedModel({ transcripts: [] });

export function answerBelow(model: Model): void {
  modelBelow = model;
}

export const SPEAKERS = ["plain", "thorough", "arbiter"] as const satisfies readonly (keyof TranscriptsOfWriters)[];

/** Who writes the files of a task, and who chooses between what they wrote: those who answer at the moment of a request. */
class Writer implements Model {
  readonly kind = "recorded";
  readonly name = "hand";
  answers: Model = recordedModel({ transcripts: [] });

  complete(request: ModelRequest, options?: CompleteOptions): AsyncIterable<ModelChunk> {
    return this.answers.complete(request, options);
  }
}

export const writers = { plain: new Writer(), thorough: new Writer(), arbiter: new Writer() };

/**
 * A session as the page opens it: sealed, with the repository's tools and skills, those in whose course models work, and a
 * user who allows what is asked.
 */
export async function openTaskSession(): Promise<Session> {
  const session = await Session.open({
    storage: memoryStorage(),
    trust: "sandboxed",
    packages: [{ folder: new URL("/test/wheels/", location.href).href }],
    seeds: shippedSeeds,
    onApproval: () => ({ decision: "allow" }),
  });
  const work = {
    session,
    model: () => modelBelow,
    limits: () => DEFAULT_LIMITS,
    onQuestion: (question: string) => Promise.reject(new Error(`Nobody is there to be asked: ${question}`)),
    isRecorded: true,
  };
  for (const tool of taskTools(work)) session.tools.register(tool);
  for (const tool of writingTool(session, writersOf(writers))) session.tools.register(tool);
  return session;
}

export function taskNamed(id: string): ShippedTask {
  const task = shippedTasks.find((candidate) => candidate.id === id);
  if (task === undefined) throw new Error(`There is no task ${id}.`);
  return task;
}

/** Puts the task's files into the workspace, as the page does before it starts one. */
export async function layOutFiles(session: Session, { files }: ShippedTask): Promise<void> {
  for (const { path, url } of files) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url} answers ${String(response.status)}.`);
    await session.workspace.write(path, new Uint8Array(await response.arrayBuffer()));
  }
}

/** Gives the task to an agent that is driven by its recording. */
export async function replay(
  session: Session,
  task: ShippedTask,
  options: Pick<CodeAgentOptions, "check"> = {},
): Promise<AgentRun> {
  await layOutFiles(session, task);
  const below = task.below.map(({ transcript }) => transcript);
  const model = recordedModel({ transcripts: [task.transcript, ...below], pace: 0 });
  answerBelow(model);
  const said = await task.writers();
  for (const name of SPEAKERS) writers[name].answers = recordedModel({ transcripts: said[name], pace: 0 });
  return agentFor(task, { session, model, ...options }).run(task.task);
}

/** The agent that solves the task on the page. */
export function agentFor(
  { isCoding }: ShippedTask,
  options: Omit<CodeAgentOptions, "session"> & { readonly session: Session },
): CodeAgent {
  return isCoding ? codingAgent(options) : new CodeAgent(options);
}

/** Characters by which what is asked below a task is known again, though its end has changed. */
const BEGINNING = 120;

/** Whether both are recordings of the same, perhaps in another wording of its end. */
export function isSameTask(one: Pick<Transcript, "task">, other: Pick<Transcript, "task">): boolean {
  const begins = ({ task }: Pick<Transcript, "task">): string => task.replace(/\s+/g, " ").slice(0, BEGINNING);
  return begins(one) === begins(other);
}

/** A model that says to what is asked below a task what was said at its recording, whatever has happened. */
export function speakerBelow(transcripts: readonly Transcript[]): Model {
  return {
    name: "hand",
    kind: "recorded",
    async *complete({ messages }) {
      const [first, ...rest] = messages.filter(({ role }) => role !== "system");
      const task = await Promise.resolve(typeof first?.content === "string" ? first.content : "");
      const transcript = transcripts.find((candidate) => isSameTask(candidate, { task }));
      const replies = rest.filter(({ role }) => role === "assistant").length;
      yield { type: "text", text: transcript?.steps[replies]?.reply ?? `Nothing is recorded for: ${task}` };
      yield { type: "done", finishReason: "stop", usage: null };
    },
  };
}

/** A model that says these things in turn, whatever it is told. */
export function speaker(replies: readonly string[]): Model {
  const left = [...replies];
  return {
    name: "hand",
    kind: "recorded",
    async *complete() {
      yield { type: "text", text: await Promise.resolve(left.shift() ?? "") };
      yield { type: "done", finishReason: "stop", usage: null };
    },
  };
}
