import { EventHistory, randomId } from "../protocol/index.js";
import type { AgentEvent, EventBody } from "./events.js";

/** The events of a task, kept for whoever reads them now or later. */
export class EventLog {
  readonly taskId: string;
  readonly #history = new EventHistory<AgentEvent>();
  #listener: (event: AgentEvent) => void = () => undefined;

  /** @param earlier - a task that goes on, with its events until now. */
  constructor(earlier?: { readonly taskId: string; readonly events: readonly AgentEvent[] }) {
    this.taskId = earlier?.taskId ?? `task-${randomId()}`;
    for (const event of earlier?.events ?? []) this.#history.add(event);
  }

  /** `listener` hears each event from now on, as it is added. */
  listen(listener: (event: AgentEvent) => void): void {
    this.#listener = listener;
  }

  get events(): readonly AgentEvent[] {
    return this.#history.events;
  }

  add(body: EventBody): void {
    const sequence = (this.events.at(-1)?.sequence ?? -1) + 1;
    const event = { ...body, taskId: this.taskId, sequence, time: Date.now() };
    this.#history.add(event);
    this.#listener(event);
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
