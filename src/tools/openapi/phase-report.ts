import type { OnOpenApiProgress, OpenApiProgress } from "../openapi-progress.js";

/** Milliseconds between two reports of a phase: a page draws each. */
const PAUSE = 100;

/** Reports a phase: its begin, its end, and some of the steps between. */
export class PhaseReport {
  readonly #phase: OpenApiProgress["phase"];
  readonly #total: number;
  readonly #report: OnOpenApiProgress | undefined;
  #reported = performance.now();

  constructor(phase: OpenApiProgress["phase"], total: number, report: OnOpenApiProgress | undefined) {
    this.#phase = phase;
    this.#total = total;
    this.#report = report;
    this.#tell(0);
  }

  step(done: number): void {
    if (performance.now() - this.#reported >= PAUSE) this.#tell(done);
  }

  end(): void {
    this.#tell(this.#total);
  }

  #tell(done: number): void {
    this.#reported = performance.now();
    this.#report?.({ phase: this.#phase, done, total: this.#total });
  }
}
