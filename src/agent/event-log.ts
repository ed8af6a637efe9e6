import type { AgentEvent, EventBody } from "./events.js";

/** The events of a task, kept for whoever reads them now or later. */
export class EventLog {
  readonly taskId = newTaskId();
  readonly events: AgentEvent[] = [];
  #ended = false;
  #wakeReaders: () => void = () => undefined;
  #news: Promise<void> = this.#nextNews();

  add(body: EventBody): void {
    this.events.push({ ...body, taskId: this.taskId, sequence: this.events.length, time: Date.now() });
    this.#announce();
  }

  end(): void {
    this.#ended = true;
    this.#announce();
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  async *read(): AsyncGenerator<AgentEvent, void, void> {
    for (let index = 0; ; index++) {
      while (index >= this.events.length) {
        if (this.#ended) return;
        await this.#news;
      }
      const event = this.events[index];
      if (event !== undefined) yield event;
    }
  }

  #announce(): void {
    const wake = this.#wakeReaders;
    this.#news = this.#nextNews();
    wake();
  }

  #nextNews(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeReaders = resolve;
    });
  }
}

function newTaskId(): string {
  // crypto.randomUUID is missing where the page comes over plain HTTP from another machine.
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `task-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
