import type { OutputChunk } from "../../../protocol/index.js";
import type { CellOutcome, CellPhase, CellRunRequest, OutputElement } from "../cell-runtime.js";

import type { AfterCard } from "./after-card.js";
import { parts } from "./parts.js";
import { wordsOfPhase, type Words } from "./words.js";

/** What a run needs of its cell. */
export interface RunPlace {
  readonly card: AfterCard;
  /** The cell's, if it has run before. */
  readonly output: OutputElement | null;
  /** A click in the cell began the run. */
  readonly isClicked: boolean;
  /** The run has something to show: now the author's result goes. */
  readonly onFirstOutput: (output: OutputElement) => void;
}

export type RunRequest = Pick<CellRunRequest, "settings" | "code" | "before" | "checks" | "name">;

/** One run of a cell, from the click on. */
export class CellRun {
  readonly #stop = new AbortController();
  readonly #place: RunPlace;
  #phase: Words = { text: "Loading Vitrine" };
  #since = performance.now();
  #clock: ReturnType<typeof setInterval> | undefined;
  #isAsking = false;
  #isOver = false;
  #output: OutputElement | null = null;
  #hasOutput = false;
  #isDiscarded = false;

  constructor(place: RunPlace) {
    this.#place = place;
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  get isDiscarded(): boolean {
    return this.#isDiscarded;
  }

  /** Whether something came that is worth showing. */
  get hasOutput(): boolean {
    return this.#hasOutput;
  }

  /** Asks the code to end; the run ends when it has. */
  stop(): void {
    this.#stop.abort(new DOMException("The run was stopped.", "AbortError"));
    this.#say();
  }

  /** Shows nothing more: the cell has gone back to what its author wrote. */
  discard(): void {
    this.#isDiscarded = true;
    this.#isOver = true;
  }

  /** Rejects where the code could not be run, or was stopped before it began. */
  async outcome(request: RunRequest): Promise<CellOutcome> {
    this.#clock = setInterval(() => this.#say(), 1000);
    this.#say();
    const { signal } = this.#stop;
    try {
      const loaded = Promise.all([parts.current.runtime(), this.#place.output ?? parts.current.createOutput()]);
      const [runtime, output] = await unlessStopped(loaded, signal);
      this.#output = output;
      const outcome = await runtime.run({
        ...request,
        signal,
        onPhase: (phase) => this.#enter(phase),
        onOutput: (chunk) => this.#add(chunk),
        onInput: (prompt, context) => this.#ask(prompt, context.signal),
      });
      this.#conclude(outcome, output);
      return outcome;
    } finally {
      this.#isOver = true;
      clearInterval(this.#clock);
    }
  }

  /** What code printed before a person stopped it stays; a run that came to nothing at all takes away what was there. */
  #conclude(outcome: CellOutcome, output: OutputElement): void {
    if (this.#isOver) return;
    const { error, notices } = outcome.result;
    const isStopped = error?.code === "RUN_INTERRUPTED";
    if (!this.#hasOutput && (outcome.text !== "" || (error !== null && !isStopped) || notices.length > 0)) {
      this.#begin(output);
    }
    if (this.#hasOutput) output.result = outcome.result;
  }

  #enter(phase: CellPhase): void {
    if (this.#isOver) return;
    if (wordsOfPhase(phase).text !== this.#phase.text) this.#since = performance.now();
    this.#phase = wordsOfPhase(phase);
    this.#say();
  }

  #add(chunk: OutputChunk): void {
    if (this.#isOver || this.#output === null) return;
    if (!this.#hasOutput) this.#begin(this.#output);
    this.#output.add(chunk);
  }

  #begin(output: OutputElement): void {
    this.#hasOutput = true;
    output.clear();
    output.result = null;
    this.#place.onFirstOutput(output);
  }

  async #ask(prompt: string, signal: AbortSignal): Promise<string> {
    this.#isAsking = true;
    this.#say();
    try {
      const { card, isClicked } = this.#place;
      return await card.ask(prompt, { signal: AbortSignal.any([signal, this.#stop.signal]), isClicked });
    } finally {
      this.#isAsking = false;
      this.#say();
    }
  }

  #say(): void {
    if (this.#isOver) return;
    this.#place.card.say(this.#words());
  }

  #words(): Words {
    if (this.isStopped) return { text: "Stopping" };
    if (this.#isAsking) return { text: "Waiting for your input" };
    const waited = Math.floor((performance.now() - this.#since) / 1000);
    if (this.#phase.detail !== undefined || waited < 1) return this.#phase;
    return { ...this.#phase, detail: `, ${waited} s` };
  }
}

/** Scripts on their way cannot be stopped; waiting for them can. */
function unlessStopped<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new DOMException("The run was stopped.", "AbortError"));
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
  });
}
