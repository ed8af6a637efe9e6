import { MODEL_PRICES, TASK_BUDGET, type CallJournal, type ModelPrices, type TaskBudget } from "../agent/index.js";
import type { NewFile, ReactContext } from "../context/index.js";
import type { Model } from "../model/index.js";
import { optionCheck } from "../options/index.js";
import type { Value } from "../protocol/index.js";
import type { ClientOptions, SessionClient } from "../session/index.js";
import type { Skill } from "../skills/index.js";
import { TOOL_SCOPE, type CallingTask, type ToolScope } from "../tools/index.js";
import type { SlotBudget } from "./slot-budgets.js";

/** What the loop needs of a session. `Session` has it all. */
export interface TurnSession {
  client(options: ClientOptions): SessionClient;
  readonly tools: { settled(): Promise<void> };
  readonly skills: { get(name: string): Promise<Skill | null> };
  /** Where its calls are noted: what a turn is told by whose page went in the middle of a call. */
  readonly journal?: CallJournal;
}

/** What a decision loop is made of. */
export interface DecisionLoopOptions {
  /** Whose tools, rules, journal and approvals the calls go through. */
  readonly session: TurnSession;
  /** What the loop works on. Its storage is where everything is kept. */
  readonly context: ReactContext;
  /** Decides. */
  readonly model: Model;
  /** Decides where the model before it said that a regular one will do. Default: `model`. */
  readonly regularModel?: Model;
  /**
   * What one run may use beside the budgets of its slots. The loop's model calls and tool calls count, those that programs
   * and agents make in their course, and what tools ask models for that count in the task of their caller, as codegen and
   * agents do.
   */
  readonly budget?: TaskBudget;
  readonly prices?: ModelPrices;
  /** How often a model that failed for a while is asked again, round by round. Default 2. */
  readonly retries?: number;
  /** The tools that the model may call. Default: all that the session's code sees. */
  readonly scope?: ToolScope;
  /** Tools whose results are sources, by the last part of their names. Default: as for codegen. */
  readonly citableTools?: readonly string[];
  /** Tokens of a decision. Default 4,000. */
  readonly maxTokens?: number;
  /** Added to the end of the system prompt. */
  readonly systemSuffix?: string;
}

/** What a turn is about: a new one, or one that goes on. */
export type TurnRequest =
  | {
      /** What the user said. */
      readonly prompt: string;
      readonly attachments?: readonly NewFile[];
      /**
       * What the turn promises: slot → `{type: "inline", format, description}` or `{type: "file", mime, filename_hint,
       * description}`; `{}` for nothing but words. Default: the model is asked, in one call.
       */
      readonly contract?: Value;
      /** By slot. */
      readonly budgets?: Readonly<Record<string, SlotBudget>>;
    }
  | {
      /** A turn of the context that is taken up again, with all that it has and has used up. */
      readonly turnId: string;
      /** In the place of what was granted to a slot: the rounds that were used before count in it. */
      readonly budgets?: Readonly<Record<string, SlotBudget>>;
    };

/** What ends a turn early, and the task that it is a part of. */
export interface TurnCallOptions {
  /** Stops it: the reply that streams, or the call. What was made until then is kept. */
  readonly signal?: AbortSignal;
  /** The task of an agent that the turn belongs to, a tool's `context.task`: what the turn uses counts in its budget too. */
  readonly task?: CallingTask | undefined;
}

export const checkLoopOptions = optionCheck<DecisionLoopOptions>("new DecisionLoop", {
  session: "object",
  context: "object",
  model: "object",
  regularModel: "object?",
  budget: TASK_BUDGET,
  prices: MODEL_PRICES,
  retries: "number?",
  scope: TOOL_SCOPE,
  citableTools: "array?",
  maxTokens: "number?",
  systemSuffix: "string?",
});
export const checkTurnRequest = optionCheck<TurnRequest>("loop.run", {
  prompt: "string?",
  attachments: "array?",
  contract: "any?",
  budgets: "object?",
  turnId: "string?",
});
export const checkTurnOptions = optionCheck<TurnCallOptions>("loop.run", { signal: "object?", task: "object?" });
