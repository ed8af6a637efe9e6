import { EventHistory, randomId } from "../../protocol/index.js";
import type { AgentEvent, EventBody } from "../events/events.js";

/** A log that keeps the events of tasks in the course of its own, and counts them with its own. */
export interface LogAbove {
  readonly hasEnded: boolean;
  /** The sequence of the event that comes next. */
  next(): number;
  keep(event: AgentEvent): void;
}

/** Where a task's events belong that is solved in the course of another one, or of a turn. */
export interface EventPlaceAbove {
  readonly log: LogAbove;
  /** The call, or what made it. */
  readonly parentId: string;
}

/**
 * The events of a task, kept for whoever reads them now or later. Those of a task that is solved in the course of another
 * one are among that one's too, up to the first task's, which counts them all.
 */
export class EventLog implements LogAbove {
  readonly taskId: string;
  /** What the task itself belongs to; null for one that a person gave. */
  readonly parentId: string | null;
  readonly #above: LogAbove | null;
  readonly #history = new EventHistory<AgentEvent>();
  #listener: (event: AgentEvent) => void = () => undefined;

  /** @param earlier - a task that goes on, with its events until now. */
  constructor({
    above = null,
    earlier,
  }: {
    readonly above?: EventPlaceAbove | null;
    readonly earlier?: { readonly taskId: string; readonly events: readonly AgentEvent[] } | undefined;
  } = {}) {
    this.taskId = earlier?.taskId ?? `task-${randomId()}`;
    this.parentId = above?.parentId ?? null;
    this.#above = above?.log ?? null;
    for (const event of earlier?.events ?? []) this.#history.add(event);
  }

  /** `listener` hears each event from now on, as it is added, those of tasks in the course of this one included. */
  listen(listener: (event: AgentEvent) => void): void {
    this.#listener = listener;
  }

  get events(): readonly AgentEvent[] {
    return this.#history.events;
  }

  add(body: EventBody): void {
    this.keep({ ...body, taskId: this.taskId, sequence: this.next(), time: Date.now() });
  }

  /** The latest event about that. */
  find(id: string): AgentEvent | undefined {
    return this.events.findLast((event) => event.id === id);
  }

  next(): number {
    return this.#above?.next() ?? (this.events.at(-1)?.sequence ?? -1) + 1;
  }

  keep(event: AgentEvent): void {
    this.#history.add(event);
    this.#listener(event);
    // What comes after a task has ended is no part of it.
    if (this.#above !== null && !this.#above.hasEnded) this.#above.keep(event);
  }

  end(): void {
    this.#history.end();
  }

  get hasEnded(): boolean {
    return this.#history.hasEnded;
  }

  read(): AsyncGenerator<AgentEvent, void, void> {
    return this.#history.read();
  }
}
