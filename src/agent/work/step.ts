import type { ConversationStep } from "../conversation/conversation.js";
import type { AgentStep, EventBody, InterruptedStep } from "../events/events.js";

/** A step as it is filled in, so that what it got done is there whatever happens next. */
export type OpenStep = { -readonly [Field in keyof AgentStep]: AgentStep[Field] };

/** Ids of what an event is about and what that belongs to. */
export interface EventPlace {
  readonly id: string;
  readonly parentId: string;
  readonly step: number;
}

/** Where a step tells what happens in it. */
export interface StepLog {
  readonly taskId: string;
  readonly events: readonly unknown[];
  add(event: EventBody): void;
}

/** A step that is being taken: its record, and its place in the task's events. */
export class StepInProgress {
  readonly record: OpenStep;
  readonly #log: StepLog;
  /** As the model remembers it, once its reply is whole. */
  remembered: ConversationStep | null = null;
  /** What is known of its calls, where it is cut short. */
  interrupted: InterruptedStep | null = null;

  constructor(log: StepLog, number: number, record: Partial<AgentStep> = {}) {
    this.#log = log;
    const nothing = { code: null, run: null, observation: null, usage: null };
    this.record = { reply: "", reasoning: "", toolCalls: [], ...nothing, ...record, number };
  }

  get number(): number {
    return this.record.number;
  }

  get place(): EventPlace {
    const { taskId } = this.#log;
    return { id: `${taskId}/${String(this.number)}`, parentId: taskId, step: this.number };
  }

  /** The place of a part of the step. */
  part(name: string): EventPlace {
    const { id } = this.place;
    return { id: `${id}/${name}`, parentId: id, step: this.number };
  }

  /** The place of something that has an id of its own. */
  below(id: string, parentId: string): EventPlace {
    return { id, parentId, step: this.number };
  }

  /** The place of a part that there may be several of. */
  next(name: string): EventPlace {
    return this.part(`${name}-${String(this.#log.events.length)}`);
  }

  add(event: EventBody): void {
    this.#log.add(event);
  }
}
