import type { ConversationStep } from "../conversation/conversation.js";
import type { AgentStep, EventBody, InterruptedStep } from "../events/events.js";
import type { OpenStep } from "../events/task-fold.js";
import type { WorkLog } from "./event-log.js";

/** Ids of what an event is about and what that belongs to. */
export interface EventIds {
  readonly id: string;
  readonly parentId: string;
  readonly step: number;
}

/** Where what happens in a step is written. */
export type StepLog = Pick<WorkLog, "taskId" | "events" | "add">;

/** A step that is being taken: its record, and the ids of its events. */
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

  get ids(): EventIds {
    const { taskId } = this.#log;
    return { id: `${taskId}/${String(this.number)}`, parentId: taskId, step: this.number };
  }

  /** Of a part of the step. */
  part(name: string): EventIds {
    const { id } = this.ids;
    return { id: `${id}/${name}`, parentId: id, step: this.number };
  }

  /** Of something that has an id of its own. */
  below(id: string, parentId: string): EventIds {
    return { id, parentId, step: this.number };
  }

  /** Of a part that there may be several of. */
  next(name: string): EventIds {
    return this.part(`${name}-${String(this.#log.events.length)}`);
  }

  add(event: EventBody): void {
    this.#log.add(event);
  }
}
