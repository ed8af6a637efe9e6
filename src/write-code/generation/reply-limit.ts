/** The reply took longer than it may. */
export class ReplyTimeout extends Error {
  constructor(model: string, limit: number) {
    super(`"${model}" did not finish its reply within ${String(limit / 1000)} seconds.`);
  }
}

/** Ends a request when it takes too long, or with what it is made for. */
export class ReplyLimit {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly signal: AbortSignal;

  /** @param limit - milliseconds. */
  constructor(model: string, limit: number, outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#controller.signal]);
    this.#timer = setTimeout(() => {
      this.#controller.abort(new ReplyTimeout(model, limit));
    }, limit);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
