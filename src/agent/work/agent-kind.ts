import type { FinishReason, ModelError, ModelMessage, ModelRequest, ModelToolCall } from "../../model/index.js";
import type { ObserveTool, TrialOptions, TrialSession } from "../../session/index.js";
import type { Tool } from "../../tools/index.js";
import type { CallJournal, TaskCallsOptions, ToolCalls } from "../agent-session.js";
import type { AgentAnswer, AgentName, AgentNotice, AgentStep } from "../events/events.js";
import type { StepInProgress } from "./step.js";
import type { TakenUp } from "./taken-up.js";

/** A reply of the model, whole. */
export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finishReason: FinishReason;
}

/** What came of a step. */
export type StepOutcome =
  | {
      readonly kind: "observed";
      /** What the model is told, as a person reads it. */
      readonly observation: string;
      /** As the model reads it. */
      readonly messages: readonly ModelMessage[];
    }
  | { readonly kind: "answered"; readonly answer: AgentAnswer };

/** What learning a skill needs of the task's session. */
export interface TrialAccess {
  /** The tools that the task sees. */
  tools(): Promise<readonly Tool[]>;
  openTrial(options: TrialOptions): Promise<TrialSession>;
  openCalls(options: TaskCallsOptions): SkillCalls;
  /** Modules that the task's code may import; undefined for the session's. */
  readonly imports: readonly string[] | undefined;
}

/** The calls by which a skill is saved. */
export type SkillCalls = Required<Pick<ToolCalls, "createSkill">> & Pick<ToolCalls, "close">;

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
   * @returns what has become of the names that the task had made.
   */
  takeUp?(steps: readonly AgentStep[], signal: AbortSignal): Promise<TakenUp>;
  /** The run by which the journal names the calls of the next step, after {@link systemPrompt}. */
  readonly callsRunId?: string | null;
  /** Where the calls of its session are noted, after {@link systemPrompt}. */
  readonly journal?: CallJournal | null;
  /** Has the task's calls of tools told, with their whole outcomes. Asked for before the task begins. */
  observeTools?(observe: ObserveTool): void;
  /** What skills are learned on, after {@link systemPrompt}; null where the session can try none. */
  readonly learning?: TrialAccess | null;
  /** Has the session save what belongs to the task, at its end. @returns the names of the artifacts. */
  finish?(): Promise<readonly string[]>;
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
