import type { FinishReason, ModelError, ModelMessage, ModelRequest, ModelToolCall } from "../model/index.js";
import type { AgentAnswer, AgentName, AgentNotice, AgentStep } from "./events.js";
import type { StepInProgress } from "./step.js";
import type { CallJournal } from "./take-up.js";

/** A reply of the model, whole. */
export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finishReason: FinishReason;
}

/** What came of a step. */
export type StepOutcome =
  | {
      readonly kind: "told";
      /** What the model is told, as a person reads it. */
      readonly observation: string;
      /** As the model reads it. */
      readonly messages: readonly ModelMessage[];
    }
  | { readonly kind: "answered"; readonly answer: AgentAnswer };

/** Tells something worth knowing that stops nothing. */
export type Notify = (notice: AgentNotice) => void;

/**
 * What makes one kind of agent: how it speaks to its model, and what it does with a reply. The loop around it asks,
 * retries, counts, records and stops.
 */
export interface AgentKind {
  readonly name: AgentName;
  /** The prompt, the same in every step. Asked for once, when the task begins. */
  systemPrompt(notify: Notify): Promise<string>;
  /**
   * Takes over what a task has done that goes on now, after {@link systemPrompt}.
   *
   * @returns names that the task had made and that are not there any more.
   */
  takeUp?(steps: readonly AgentStep[], signal: AbortSignal): Promise<readonly string[]>;
  /** The run by which the journal names the calls of the next step, after {@link systemPrompt}. */
  readonly callsRunId?: string | null;
  /** Where the calls of its session are noted, after {@link systemPrompt}. */
  readonly journal?: CallJournal | null;
  /** Frees what the task held. Called once, at its end. */
  close?(): Promise<void>;
  /** What goes to the model beside the messages. */
  request(): Omit<ModelRequest, "messages">;
  /** Does what the reply says. @throws whatever ends the task. */
  act(reply: ModelReply, step: StepInProgress, signal: AbortSignal): Promise<StepOutcome>;
  /**
   * Asks for the best answer when the steps are used up: what the model is told, and what its reply comes to. Without it
   * the task ends there.
   */
  readonly lastAttempt?:
    | {
        readonly message: string;
        readonly request: Omit<ModelRequest, "messages">;
        readonly read: (reply: ModelReply) => Promise<AgentAnswer | null>;
      }
    | undefined;
  /**
   * Finds another way to speak to a model that refused the one there was, and answers with the prompt for it; the model
   * is then asked again in the same step. Null: there is none, and the error ends the task.
   */
  adapt?(refusal: ModelError, notify: Notify): string | null;
}
