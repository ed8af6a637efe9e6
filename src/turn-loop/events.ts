import type {
  Call,
  EventBase,
  EventBody,
  LimitReached,
  ModelEnded,
  ModelReasoning,
  ModelRetry,
  ModelText,
  Notice,
  Pruned,
  StepLog,
  TaskFailed,
  TaskUsage,
} from "../agent/index.js";
import type { ContextArtifact, Slot, TurnContract } from "../context/index.js";
import { EventHistory } from "../protocol/index.js";
import type { TurnDecision } from "./decision.js";
import type { TurnResult } from "./turn-result.js";
import type { Violation } from "./verify-call.js";

/**
 * What happens while a turn is worked on, in the order in which it happens. What is said of model, calls and limits is
 * said as agents say it; `step` is the round.
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
  | Call
  | LimitReached
  | TaskFailed;

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

export interface RoundStarted extends EventBase {
  readonly type: "round-started";
  /** The line that the model reads. */
  readonly budgetState: string;
  readonly isOverdraft: boolean;
}

export interface DecisionMade extends EventBase {
  readonly type: "decision";
  readonly decision: TurnDecision;
}

/** The decision is against the protocol. */
export interface ViolationFound extends EventBase {
  readonly type: "violation";
  readonly violation: Violation;
}

export interface MappingRefused extends EventBase {
  readonly type: "mapping-refused";
  readonly slotName: string;
  readonly sourcePath: string;
  readonly reason: string;
  readonly message: string;
}

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

export interface RoundEnded extends EventBase {
  readonly type: "round-ended";
  /** What the model is told. */
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

/** The events of one run of the loop, kept for whoever reads them now or later. */
export class TurnLog {
  readonly taskId: string;
  readonly #history = new EventHistory<TurnEvent>();

  constructor(taskId: string) {
    this.taskId = taskId;
  }

  get events(): readonly TurnEvent[] {
    return this.#history.events;
  }

  add(body: TurnEventBody): void {
    this.#history.add({ ...body, taskId: this.taskId, sequence: this.events.length, time: Date.now() });
  }

  end(): void {
    this.#history.end();
  }

  read(): AsyncGenerator<TurnEvent, void, void> {
    return this.#history.read();
  }

  /** For what asks the model, which knows the events of agents: those of them that belong here. */
  get ofModel(): StepLog {
    return {
      taskId: this.taskId,
      events: this.events,
      add: (body: EventBody) => {
        if (isOfModel(body)) this.add(body);
      },
    };
  }
}

const OF_MODEL = ["model-text", "model-reasoning", "model-retry", "model-ended", "pruned", "notice"] as const;
type OfModel = Extract<EventBody, { readonly type: (typeof OF_MODEL)[number] }>;

function isOfModel(body: EventBody): body is OfModel {
  return OF_MODEL.some((type) => type === body.type);
}
