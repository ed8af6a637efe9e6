import { CodeAgent, type AgentRun, type CodeAgentOptions } from "../../../src/agent/index.js";
import { recordedModel, type Model } from "../../../src/model/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { shippedSeeds, shippedTasks, type ShippedTask } from "../../../src/ui/tasks/index.js";

/** A session as the page opens it: sealed, with the repository's tools and skills, and a user who allows what is asked. */
export function openTaskSession(): Promise<Session> {
  return Session.open({
    storage: memoryStorage(),
    trust: "sandboxed",
    seeds: shippedSeeds,
    onApproval: () => ({ decision: "allow" }),
  });
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
  const model = recordedModel({ transcripts: [task.transcript], pace: 0 });
  return new CodeAgent({ session, model, ...options }).run(task.task);
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
