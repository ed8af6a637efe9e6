import type { OutputChunk } from "../../../protocol/index.js";
import type { CellOutcome, CellRunRequest, OutputElement } from "../cell-runtime.js";
import { parts } from "../shared/parts.js";
import { unlessStopped } from "../shared/unless-stopped.js";
import { wordsOfPhase } from "../shared/words.js";
import { WorkWords } from "../shared/work-words.js";

import type { AfterCard } from "./after-card.js";

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
  readonly #words: WorkWords;
  #output: OutputElement | null = null;
  #hasOutput = false;
  #isDiscarded = false;

  constructor(place: RunPlace) {
    this.#place = place;
    this.#words = new WorkWords((words) => place.card.say(words));
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
    this.#words.stopping();
  }

  /** Shows nothing more: the cell has gone back to what its author wrote. */
  discard(): void {
    this.#isDiscarded = true;
    this.#words.end();
  }

  /** Rejects where the code could not be run, or was stopped before it began. */
  async outcome(request: RunRequest): Promise<CellOutcome> {
    this.#words.begin();
    const { signal } = this.#stop;
    try {
      const loaded = Promise.all([parts.current.runtime(), this.#place.output ?? parts.current.createOutput()]);
      const [runtime, output] = await unlessStopped(loaded, signal);
      this.#output = output;
      const outcome = await runtime.run({
        ...request,
        signal,
        onPhase: (phase) => this.#words.enter(wordsOfPhase(phase)),
        onOutput: (chunk) => this.#add(chunk),
        onInput: (prompt, context) => this.#ask(prompt, context.signal),
      });
      this.#conclude(outcome, output);
      return outcome;
    } finally {
      this.#words.end();
    }
  }

  /** What code printed before a person stopped it stays; a run that came to nothing at all takes away what was there. */
  #conclude(outcome: CellOutcome, output: OutputElement): void {
    if (this.#words.isOver) return;
    const { error, notices } = outcome.result;
    const isStopped = error?.code === "RUN_INTERRUPTED";
    if (!this.#hasOutput && (outcome.text !== "" || (error !== null && !isStopped) || notices.length > 0)) {
      this.#begin(output);
    }
    if (this.#hasOutput) output.result = outcome.result;
  }

  #add(chunk: OutputChunk): void {
    if (this.#words.isOver || this.#output === null) return;
    if (!this.#hasOutput) this.#begin(this.#output);
    this.#output.add(chunk);
  }

  #begin(output: OutputElement): void {
    this.#hasOutput = true;
    output.clear();
    output.result = null;
    this.#place.onFirstOutput(output);
  }

  #ask(prompt: string, signal: AbortSignal): Promise<string> {
    const { card, isClicked } = this.#place;
    const either = AbortSignal.any([signal, this.#stop.signal]);
    return this.#words.whileAsking(() => card.ask(prompt, { signal: either, isClicked }));
  }
}
