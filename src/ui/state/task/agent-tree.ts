import { onOneLine } from "../text/call-text.js";
import { formatCount } from "../text/format.js";
import type { Wanted } from "../questions/wanted.js";
import { SAVED_STATE_NAMES } from "./saved-tasks.js";
import type { TaskState } from "./shown-task.js";
import type { TaskView } from "./task-view.js";

/** How a task stands, in words. */
export const TASK_STATE_NAMES: Readonly<Record<TaskState, string>> = { ...SAVED_STATE_NAMES, preparing: "Begins" };

/** The same as a mark and its class. */
function stateMark(state: TaskState): { readonly mark: string; readonly kind: string } {
  switch (state) {
    case "completed":
      return { mark: "✓", kind: "done" };
    case "preparing":
    case "running":
      return { mark: "·", kind: "running" };
    case "interrupted":
      return { mark: "?", kind: "unknown" };
    case "cancelled":
    case "step_limit_reached":
    case "budget_reached":
    case "error":
      return { mark: "×", kind: "failed" };
  }
}

/** How an agent stands: a mark, its class and words. @param waiting - what waits for the user's word. */
export function agentStanding(
  view: TaskView,
  waiting?: Wanted,
): ReturnType<typeof stateMark> & { readonly text: string } {
  const wanted = view.active && view.origin === "run" ? wantedOfYou(view, waiting) : null;
  if (wanted !== null) return { mark: "?", kind: "running", text: wanted };
  return { ...stateMark(view.state), text: TASK_STATE_NAMES[view.state] };
}

/** What an agent waits for the user to do; null where it waits for nobody. */
function wantedOfYou({ taskId, steps }: TaskView, waiting: Wanted | undefined): string | null {
  if (waiting !== undefined && waiting.path.at(-1)?.taskId === taskId) return `Waits for you to ${waiting.deed}`;
  const question = steps.at(-1)?.asked?.question;
  if (question === undefined) return null;
  return question === "" ? "Waits for your answer" : `Waits for your answer: ${onOneLine(question)}`;
}

/** An agent that takes part in a task, with those that it has called. */
export interface AgentNode {
  readonly view: TaskView;
  readonly name: string;
  readonly below: readonly AgentNode[];
}

/** The agents of a task, from the one that a person gave it to. */
export function agentTree(view: TaskView): AgentNode {
  const name = view.name ?? (view.agent === "react" ? "JSON agent" : "Code agent");
  return { view, name, below: view.below.map(agentTree) };
}

/** How far an agent is and what it used, those below it included: `2 steps · 1,200 tokens (estimated)`. */
export function agentFacts({ steps, usage }: TaskView): string {
  const tokens = usage === null ? 0 : usage.inputTokens + usage.outputTokens;
  return [
    formatCount(steps.length, "step"),
    usage === null || tokens === 0 ? "" : `${formatCount(tokens, "token")}${usage.isEstimated ? " (estimated)" : ""}`,
    usage === null || usage.toolCalls === 0 ? "" : formatCount(usage.toolCalls, "tool call"),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
