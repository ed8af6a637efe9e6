import { EventHistory, randomId } from "../protocol/index.js";
import type { AgentEvent, EventBody } from "./events.js";

/** Where a task's events belong that is solved in the course of another one. */
export interface EventPlaceAbove {
  readonly log: EventLog;
  /** The call, or what made it. */
  readonly parentId: string;
}

/**
 * The events of a task, kept for whoever reads them now or later. Those of a task that is solved in the course of another
 * one are among that one's too, up to the first task's, which counts them all.
 */
export class EventLog {
  readonly taskId = `task-${randomId()}`;
  /** What the task itself belongs to; null for one that a person gave. */
  readonly parentId: string | null;
  readonly #above: EventLog | null;
  readonly #history = new EventHistory<AgentEvent>();

  constructor(above: EventPlaceAbove | null = null) {
    this.parentId = above?.parentId ?? null;
    this.#above = above?.log ?? null;
  }

  get events(): readonly AgentEvent[] {
    return this.#history.events;
  }

  add(body: EventBody): void {
    const event = { ...body, taskId: this.taskId, sequence: this.#next(), time: Date.now() };
    this.#history.add(event);
    if (this.#above !== null) this.#above.#hear(event);
  }

  has(id: string): boolean {
    return this.events.some((event) => event.id === id);
  }

  #next(): number {
    return this.#above === null ? (this.events.at(-1)?.sequence ?? -1) + 1 : this.#above.#next();
  }

  #hear(event: AgentEvent): void {
    // What comes after a task has ended is no part of it.
    if (this.hasEnded) return;
    this.#history.add(event);
    if (this.#above !== null) this.#above.#hear(event);
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
