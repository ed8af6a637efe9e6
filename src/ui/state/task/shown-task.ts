import type { Attachments, SavedTaskState, TaskResumed } from "../../../agent/index.js";
import type { Batches } from "./batches.js";

export type TaskState = "preparing" | "running" | SavedTaskState;

/** What a task's events are drawn for: it runs, or what was saved of it is shown, at once or as it came. */
export type TaskOrigin = "run" | "saved" | "replay";

/** What happened between the steps of a task. */
export type BetweenSteps =
  | { readonly kind: "said"; readonly id: string; readonly text: string }
  | { readonly kind: "resumed"; readonly resumed: TaskResumed };

/** A task that is drawn, before anything is known of its course. */
export interface ShownTask {
  readonly id: string;
  readonly task: string;
  /** `recorded model, scripted`, or the name of the model that is asked. */
  readonly modelLabel: string;
  readonly files?: readonly { readonly path: string; readonly size: number | null }[];
  /** Default: `run`. */
  readonly origin?: TaskOrigin;
  /** Milliseconds since 1970, of what was saved. */
  readonly savedFrom?: number | null;
  /** The artifacts of the file from which it came. */
  readonly attachments?: Attachments | null;
  /** Whether it came from a file that somebody shared: what it names is not the user's own. */
  readonly isImported?: boolean;
  /** What is known of the files that its calls have written. Default: what the journal has kept. */
  readonly batches?: Batches | null;
}
