/** Events in their order, kept for whoever reads them now or later. */
export class EventHistory<Event> {
  readonly events: Event[] = [];
  #hasEnded = false;
  #wakeReaders: () => void = () => undefined;
  #news: Promise<void> = this.#nextNews();

  add(event: Event): void {
    this.events.push(event);
    this.#announce();
  }

  /** No more will come: readers that have read them all are done. */
  end(): void {
    this.#hasEnded = true;
    this.#announce();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** From the first one on. It waits for what comes, until the end. */
  async *read(): AsyncGenerator<Event, void, void> {
    for (let index = 0; ; index++) {
      while (index >= this.events.length) {
        if (this.#hasEnded) return;
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
