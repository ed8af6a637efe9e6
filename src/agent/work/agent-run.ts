import type { ConversationItem } from "../conversation/conversation.js";
import type { AgentEvent, AgentResult } from "../events/events.js";

/**
 * A task that was started. Iterate over it for its events, from the first one
 * on, as often as you like; leaving a loop does not stop the task, its signal
 * does.
 */
export interface AgentRun extends AsyncIterable<AgentEvent> {
  readonly taskId: string;
  /** The events so far, those of agents that worked as tools of this one included: `taskId` tells whose. */
  readonly events: readonly AgentEvent[];
  /** What was said and done so far, as the model knows it, the tasks before this one included. */
  readonly conversation: readonly ConversationItem[];
  /** How the task ended. Never rejects. */
  readonly result: Promise<AgentResult>;
  /**
   * Tells the model something while it works; it reads it before its next step. A task that has ended is not continued
   * by it: start another one with `after`.
   *
   * @throws {TaskEndedError}
   */
  say(text: string): void;
}
