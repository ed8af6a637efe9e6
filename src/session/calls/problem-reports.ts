/** Where a session says what went wrong when nobody waits for it. */
export class ProblemReports {
  readonly #onProblem: ((error: unknown) => void) | undefined;

  constructor(onProblem: ((error: unknown) => void) | undefined) {
    this.#onProblem = onProblem;
  }

  /** To the page's listener, else to the console. */
  report(error: unknown): void {
    if (this.#onProblem === undefined) console.error("Vitrine:", error);
    else this.#onProblem(error);
  }

  /** What a listener of the page throws is its own affair: it is reported and breaks nothing here. */
  guarded<T>(listener: ((value: T) => void) | undefined): ((value: T) => void) | undefined {
    if (listener === undefined) return undefined;
    return (value) => {
      try {
        listener(value);
      } catch (error) {
        this.report(error);
      }
    };
  }
}
