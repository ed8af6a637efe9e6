import { EventHistory, randomId } from "../protocol/index.js";
import type { AgentEvent, EventBody } from "./events.js";

/** The events of a task, kept for whoever reads them now or later. */
export class EventLog {
  readonly taskId = `task-${randomId()}`;
  readonly #history = new EventHistory<AgentEvent>();

  get events(): readonly AgentEvent[] {
    return this.#history.events;
  }

  add(body: EventBody): void {
    this.#history.add({ ...body, taskId: this.taskId, sequence: this.events.length, time: Date.now() });
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
