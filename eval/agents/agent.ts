import type { Session } from "../../src/session/index.js";
import type { JournalEntry } from "../../src/dispatch/index.js";
import type { Model } from "../../src/model/index.js";
import type { Json } from "../checks.js";
import type { EvalTask } from "../task.js";

/** What an agent is given: a session with the task's files and tools, and the model. */
export interface EvalWork {
  readonly session: Session;
  readonly model: Model;
  readonly task: EvalTask;
  readonly signal: AbortSignal;
}

/** How it went. */
export interface EvalReport {
  readonly answer: Json;
  /** By name. */
  readonly artifacts: Readonly<Record<string, Uint8Array>>;
  /** Why there is no answer, or not all of it; null when the agent itself says that it is done. */
  readonly failure: string | null;
  /** Model calls and what they caused. */
  readonly steps: number;
  /** Under which the workspace keeps what was changed; of coding agents. */
  readonly taskId?: string;
  /** The journal's entries of the run in the order in which the page heard of them: each twice, begin and outcome. */
  readonly entries: readonly JournalEntry[];
}

/** One of the agents that are compared. */
export interface EvalAgent {
  /** As `--agent` and the transcripts call it. */
  readonly name: string;
  readonly title: string;
  /** Whether the journal shows all that it did, so that an ideal JSON agent can be derived from it. */
  readonly isCompared: boolean;
  /** Whether projects and batches can be given to it: it works in the workspace, and is a coding agent as well. */
  readonly worksOnFiles: boolean;
  readonly run: (work: EvalWork) => Promise<EvalReport>;
}

/** Steps that an agent may take for a task. For a project a coding agent has its own number of them. */
export const MOST_STEPS = 20;

/** A session, as far as it is looked at for what was saved. */
interface Saving {
  readonly artifacts: {
    readonly list: () => Promise<readonly { readonly name: string }[]>;
    readonly loadBytes: (name: string) => Promise<Uint8Array>;
  };
}

/** What the session keeps for the user, without the outputs that were too long to show. */
export async function savedArtifacts({ artifacts }: Saving): Promise<Record<string, Uint8Array>> {
  const saved = new Map<string, Uint8Array>();
  for (const { name } of await artifacts.list()) {
    if (!name.startsWith("outputs/")) saved.set(name, await artifacts.loadBytes(name));
  }
  // Not by assignment, to which `__proto__` is no name: an agent may choose any.
  return Object.fromEntries(saved);
}
