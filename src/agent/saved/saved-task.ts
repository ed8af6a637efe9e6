import { Slices, type Problem } from "../../protocol/index.js";
import type { TaskUsage } from "../budget/budget.js";
import type { ConversationItem } from "../conversation/conversation.js";
import type { AgentEvent, AgentName, AgentResult, AgentStep, TaskStarted } from "../events/events.js";
import type { Attachments } from "./attachments.js";
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
  /** The artifacts that its file carried; null where it carried none, and for tasks of one's own. */
  readonly attachments: Attachments | null;
  /** What could not be read and is missing from it. */
  readonly problems: readonly Problem[];
}

/** What is known of a saved task beside its events. */
export interface SavedTaskParts {
  readonly taskId?: string;
  readonly attachments?: Attachments | null;
  readonly problems?: readonly Problem[];
}

/** @throws {SavedTaskError} when the events do not begin as a task does. */
export function savedTaskOf(events: readonly AgentEvent[], parts: SavedTaskParts = {}): SavedTask {
  const started = beginningOf(events, parts);
  const story = new TaskStory(started);
  for (const event of events) story.add(event);
  return taskOf(events, { started, story, parts });
}

/**
 * {@link savedTaskOf} that lets the page go on in between: of a long task there are thousands of events.
 *
 * @throws {SavedTaskError} when the events do not begin as a task does.
 */
export async function readSavedTask(events: readonly AgentEvent[], parts: SavedTaskParts = {}): Promise<SavedTask> {
  const started = beginningOf(events, parts);
  const story = new TaskStory(started);
  const slices = new Slices();
  for (const event of events) {
    await slices.rest();
    story.add(event);
  }
  return taskOf(events, { started, story, parts });
}

function beginningOf(events: readonly AgentEvent[], { taskId: wanted }: SavedTaskParts): TaskStarted {
  const begins = events.filter((event) => event.type === "task-started");
  // Tasks of other agents in its course are told among its events, and are not the task.
  const started = begins.find(({ taskId, parentId }) => (wanted === undefined ? parentId === null : taskId === wanted));
  if (started === undefined) throw new SavedTaskError("its beginning is missing");
  return started;
}

function taskOf(
  events: readonly AgentEvent[],
  {
    started,
    story,
    parts: { attachments = null, problems = [] },
  }: { readonly started: TaskStarted; readonly story: TaskStory; readonly parts: SavedTaskParts },
): SavedTask {
  const { taskId, task, agent, time: startedAt, after, before } = started;
  const { model, steps, conversation, usage, result } = story;
  const state: SavedTaskState = result?.state ?? (story.isAnswered ? "completed" : "interrupted");
  const whole = { taskId, task, agent, model, startedAt, after, before, state, result };
  return { ...whole, events, steps, conversation, usage, attachments, problems };
}
