import type { Problem } from "../../protocol/index.js";
import type { TaskUsage } from "../budget.js";
import type { ConversationItem } from "../conversation.js";
import type { AgentEvent, AgentName, AgentResult, AgentStep, TaskStarted } from "../events.js";
import { SavedTaskError } from "./errors.js";
import { TaskStory } from "./task-story.js";

/** How a saved task stands: how it ended, or `interrupted` when it did not come to its end. */
export type SavedTaskState = AgentResult["state"] | "interrupted";

/** A task as it was saved: its events, and what they come to. */
export interface SavedTask {
  readonly taskId: string;
  readonly task: string;
  readonly agent: AgentName;
  readonly model: TaskStarted["model"];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The task that it continued; null where it stood alone. */
  readonly after: string | null;
  /** What was said before it. */
  readonly before: readonly ConversationItem[];
  readonly state: SavedTaskState;
  /** Null for one that was interrupted. */
  readonly result: AgentResult | null;
  readonly events: readonly AgentEvent[];
  readonly steps: readonly AgentStep[];
  /** What was said and done, as the model knows it, `before` included. */
  readonly conversation: readonly ConversationItem[];
  readonly usage: TaskUsage;
  /** What could not be read and is missing from it. */
  readonly problems: readonly Problem[];
}

/** @throws {SavedTaskError} when the events do not begin as a task does. */
export function savedTaskOf(
  events: readonly AgentEvent[],
  { taskId: wanted, problems = [] }: { readonly taskId?: string; readonly problems?: readonly Problem[] } = {},
): SavedTask {
  const begins = events.filter((event) => event.type === "task-started");
  // Tasks of other agents in its course are told among its events, and are not the task.
  const started = begins.find(({ taskId, parentId }) => (wanted === undefined ? parentId === null : taskId === wanted));
  if (started === undefined) throw new SavedTaskError("its beginning is missing");
  const story = new TaskStory(started);
  for (const event of events) story.add(event);
  const { taskId, task, agent, time: startedAt, after, before } = started;
  const { model, steps, conversation, usage, result } = story;
  const state: SavedTaskState = result?.state ?? (story.isAnswered ? "completed" : "interrupted");
  const whole = { taskId, task, agent, model, startedAt, after, before, state, result };
  return { ...whole, events, steps, conversation, usage, problems };
}
