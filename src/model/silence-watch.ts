/** Aborts a request when nothing was heard for a while, or when its caller has had enough. */
export class SilenceWatch {
  /** True once the silence was too long. */
  expired = false;
  readonly #controller = new AbortController();
  readonly #limit: number;
  readonly #outer: AbortSignal | undefined;
  readonly #forward = (): void => {
    this.#controller.abort(this.#outer?.reason);
  };
  #timer: ReturnType<typeof setTimeout>;

  /** `limit` in milliseconds. */
  constructor(limit: number, outer: AbortSignal | undefined) {
    this.#limit = limit;
    this.#outer = outer;
    outer?.addEventListener("abort", this.#forward, { once: true });
    this.#timer = this.#arm();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something was heard. */
  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#forward);
  }

  #arm(): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.expired = true;
      this.#controller.abort();
    }, this.#limit);
  }
}
