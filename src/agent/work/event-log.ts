import { EventHistory, randomId } from "../../protocol/index.js";
import type { EventBase, EventBody } from "../events/events.js";

type Stamp = Pick<EventBase, "taskId" | "sequence" | "time">;

/** A log that also keeps the events of the work inside its own, and counts them with its own. */
interface OuterLog<Body> {
  readonly hasEnded: boolean;
  /** The sequence of the next event. */
  next(): number;
  keep(event: Body & Stamp): void;
}

/** The log of a work, as those see it that write the events of agents into it. */
export interface WorkLog extends OuterLog<EventBody> {
  readonly taskId: string;
  /** What the work itself belongs to; null for one that a person gave. */
  readonly parentId: string | null;
  readonly events: readonly EventBase[];
  add(body: EventBody): void;
  /** The latest event about that. */
  find(id: string): EventBase | undefined;
}

/** Where the events of what a call began belong. */
export interface CallEvents<Log = WorkLog> {
  readonly log: Log;
  /** The call, or what made it. */
  readonly parentId: string;
  readonly step: number | null;
}

/** What a log is opened with. */
export interface EventLogOptions<Body> {
  /** Where the work is inside another one: that one's log. */
  readonly outer?: { readonly log: OuterLog<Body>; readonly parentId: string } | null;
  /** Default: a new one. */
  readonly taskId?: string | undefined;
  /** Of a task that goes on: its events until now. */
  readonly events?: readonly (Body & Stamp)[] | undefined;
}

/**
 * The events of a work, kept for readers now and later. Those of work inside another one are in that one's log too, up to
 * the outermost, which counts them all.
 */
export class EventLog<Body extends Omit<EventBase, keyof Stamp> = EventBody> {
  readonly taskId: string;
  /** What the work itself belongs to; null for one that a person gave. */
  readonly parentId: string | null;
  readonly #outer: OuterLog<Body> | null;
  readonly #history = new EventHistory<Body & Stamp>();
  #listener: (event: Body & Stamp) => void = () => undefined;

  constructor({ outer = null, taskId = `task-${randomId()}`, events = [] }: EventLogOptions<Body> = {}) {
    this.taskId = taskId;
    this.parentId = outer?.parentId ?? null;
    this.#outer = outer?.log ?? null;
    for (const event of events) this.#history.add(event);
  }

  /** `listener` hears each event from now on, as it is added, those of work inside this one included. */
  listen(listener: (event: Body & Stamp) => void): void {
    this.#listener = listener;
  }

  get events(): readonly (Body & Stamp)[] {
    return this.#history.events;
  }

  add(body: Body): void {
    this.keep({ ...body, taskId: this.taskId, sequence: this.next(), time: Date.now() });
  }

  /** The latest event about that. */
  find(id: string): (Body & Stamp) | undefined {
    return this.events.findLast((event) => event.id === id);
  }

  next(): number {
    return this.#outer?.next() ?? (this.events.at(-1)?.sequence ?? -1) + 1;
  }

  keep(event: Body & Stamp): void {
    this.#history.add(event);
    this.#listener(event);
    // What comes after the outer work has ended is no part of it.
    if (this.#outer !== null && !this.#outer.hasEnded) this.#outer.keep(event);
  }

  end(): void {
    this.#history.end();
  }

  get hasEnded(): boolean {
    return this.#history.hasEnded;
  }

  read(): AsyncGenerator<Body & Stamp, void, void> {
    return this.#history.read();
  }
}
