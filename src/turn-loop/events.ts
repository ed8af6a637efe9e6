import type {
  AgentEvent,
  Call,
  EventBase,
  EventLog,
  LimitReached,
  ModelEnded,
  ModelReasoning,
  ModelRetry,
  ModelText,
  Notice,
  ProgramTold,
  Pruned,
  TaskFailed,
  TaskUsage,
} from "../agent/index.js";
import type { ContextArtifact, Slot } from "../context/index.js";
import type { TurnContract } from "../contract/index.js";
import type { TurnDecision } from "./decision.js";
import type { TurnResult } from "./turn-result.js";
import type { Violation } from "./verify-call.js";

/**
 * What happens while a turn is worked on, in the order in which it happens. What is said of model, calls and limits is
 * said as agents say it; `step` is the round. Those of agents that are called there, who have task ids of their own, are
 * among them.
 */
export type TurnEvent =
  | TurnStarted
  | ContractSet
  | RoundStarted
  | DecisionMade
  | ViolationFound
  | MappingRefused
  | SlotFilled
  | ArtifactMade
  | WrapUpStarted
  | RoundEnded
  | TurnEnded
  | ModelText
  | ModelReasoning
  | ModelRetry
  | ModelEnded
  | Pruned
  | Notice
  | ProgramTold
  | Call
  | LimitReached
  | TaskFailed
  | AgentEvent;

/** The first event of every turn. */
export interface TurnStarted extends EventBase {
  readonly type: "turn-started";
  readonly turnId: string;
  readonly prompt: string;
  readonly model: { readonly name: string; readonly kind: string };
  /** Whether it goes on with a turn that was begun before. */
  readonly isReopened: boolean;
}

/** What the turn promises, by whoever asked for it or by the model. */
export interface ContractSet extends EventBase {
  readonly type: "contract";
  readonly contract: TurnContract;
  readonly from: "caller" | "model";
}

/** A round begins. */
export interface RoundStarted extends EventBase {
  readonly type: "round-started";
  /** The line that the model reads. */
  readonly budgetState: string;
  readonly isOverdraft: boolean;
}

/** The model has decided what the round does. */
export interface DecisionMade extends EventBase {
  readonly type: "decision";
  readonly decision: TurnDecision;
}

/** The decision is against the protocol. */
export interface ViolationFound extends EventBase {
  readonly type: "violation";
  readonly violation: Violation;
}

/** A slot was not filled. */
export interface MappingRefused extends EventBase {
  readonly type: "mapping-refused";
  readonly slotName: string;
  readonly sourcePath: string;
  readonly reason: string;
  readonly message: string;
}

/** A slot was filled. */
export interface SlotFilled extends EventBase {
  readonly type: "slot-filled";
  readonly slot: Slot;
}

/** A call made something, or failed to: then it has an error. */
export interface ArtifactMade extends EventBase {
  readonly type: "artifact-made";
  readonly artifact: ContextArtifact;
}

/** The turn is about to be left with open slots and artifacts that could fill them: one round for mapping. */
export interface WrapUpStarted extends EventBase {
  readonly type: "wrap-up";
  readonly openSlots: readonly string[];
}

/** A round is over, and this is what the next one is told of it. */
export interface RoundEnded extends EventBase {
  readonly type: "round-ended";
  /** What the model is told; empty where it is told nothing, because the turn was left or broken off in the round. */
  readonly told: string;
  readonly usage: TaskUsage;
}

/** The last. */
export interface TurnEnded extends EventBase {
  readonly type: "turn-ended";
  readonly result: TurnResult;
}

type Unstamped<E> = E extends TurnEvent ? Omit<E, "taskId" | "sequence" | "time"> : never;
export type TurnEventBody = Unstamped<TurnEvent>;

/** The events of one run of the loop. */
export type TurnLog = EventLog<TurnEventBody>;
