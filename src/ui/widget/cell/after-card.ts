import type { CheckOutcome, OutputElement } from "../cell-runtime.js";
import { button, h } from "../shared/dom.js";
import { askForLine, type AskOptions } from "../shared/input-form.js";
import { message, StateLine } from "../shared/state-line.js";
import type { Words } from "../shared/words.js";

/** What a cell has below its code once it was used: output, checks, questions, and the bar with its state in words. */
export class AfterCard {
  readonly element: HTMLElement;
  readonly #state = new StateLine();
  /** Sentences on what keeps the cell from running. */
  readonly #problems = h("div", { id: "problems" });
  /** Why a run did not come about. */
  readonly #failure = h("div");
  readonly #output = h("div", { class: "output", part: "output" });
  readonly #expected = h("div", { class: "expected" }, h("p", {}, h("bdi", {}, "Expected:")));
  readonly #checks = h("ul", { class: "checks", "aria-label": "Checks" });
  readonly #ask = h("div");
  readonly #actions = h("span", { class: "actions" });
  readonly #bar = h("div", { class: "bar", part: "bar" }, this.#state.status, this.#actions);
  readonly #notes = h("div");
  readonly #restart = button("restart", "Restart Python");
  readonly #demo: HTMLAnchorElement = h(
    "a",
    { class: "link", part: "demo", target: "_blank", rel: "noopener" },
    "Open in the demo",
  );

  constructor() {
    const later: HTMLElement[] = [this.#output, this.#expected, this.#checks, this.#bar];
    for (const each of [...later, this.#restart, this.#demo]) each.hidden = true;
    this.#actions.append(button("reset", "Reset"), this.#restart, button("download", "Download"), this.#demo);
    this.element = h(
      "div",
      { class: "card after bare" },
      this.#state.progress,
      this.#problems,
      this.#failure,
      this.#output,
      this.#expected,
      this.#checks,
      this.#ask,
      this.#notes,
      this.#bar,
    );
  }

  /** The bar, with `copy` in it: that button has left the code's corner. */
  openBar(copy: HTMLElement): void {
    if (!this.#bar.hidden) return;
    this.#bar.hidden = false;
    this.element.classList.remove("bare");
    this.#actions.prepend(copy);
  }

  get isOpen(): boolean {
    return !this.#bar.hidden;
  }

  say(words: Words): void {
    this.#state.say(words);
  }

  showProblems(sentences: readonly string[]): void {
    this.#problems.replaceChildren(...sentences.map((each) => message(each)));
  }

  showFailure(sentence: string | null): void {
    this.#failure.replaceChildren(...(sentence === null ? [] : [message(sentence)]));
  }

  /** What is worth knowing, and no fault of the run. */
  showNote(text: string): void {
    this.#notes.replaceChildren(message(text, "quiet"));
  }

  get isEmpty(): boolean {
    return this.#problems.childElementCount === 0 && !this.isOpen;
  }

  showOutput(output: OutputElement): void {
    if (output.parentNode !== this.#output) this.#output.replaceChildren(output);
    this.#output.hidden = false;
    this.#output.classList.remove("stale");
  }

  /** @param height - pixels that the output takes at least, where it is shown. */
  keepRoom(height: number): void {
    if (!this.#output.hidden) this.#output.style.setProperty("min-block-size", `${height}px`);
  }

  /** Takes away what a run left. */
  clear(): void {
    this.hideOutput();
    this.showChecks([]);
    this.showFailure(null);
  }

  hideOutput(): void {
    this.#output.hidden = true;
  }

  /** What is shown is of the run before: it stays until the new one says something. */
  markStale(): void {
    this.#output.classList.add("stale");
    this.showChecks([]);
  }

  /** Shows the author's result below the run's. Null puts an end to that. */
  showExpected(slot: HTMLSlotElement | null): void {
    this.#expected.hidden = slot === null;
    if (slot !== null) this.#expected.append(slot);
  }

  showChecks(outcomes: readonly CheckOutcome[]): void {
    this.#checks.hidden = outcomes.length === 0;
    this.#checks.replaceChildren(...outcomes.map(checkItem));
  }

  showActions({ restart, demo }: { readonly restart: boolean; readonly demo: string | null }): void {
    this.#restart.hidden = !restart;
    this.#demo.hidden = demo === null;
    if (demo !== null) this.#demo.href = demo;
  }

  ask(prompt: string, options: AskOptions): Promise<string> {
    return askForLine(this.#ask, prompt, options);
  }

  /**
   * Comes close to what is above it, whose margin the page chose for the text behind the cell: that margin goes below.
   *
   * @param bottom - of what is above, in the viewport.
   */
  fitBelow(bottom: () => number): void {
    this.element.classList.add("measured");
    const gap = this.element.getBoundingClientRect().top - bottom();
    this.element.classList.remove("measured");
    this.element.style.setProperty("--_gap", `${Number.isFinite(gap) ? Math.max(0, gap) : 0}px`);
  }
}

function checkItem(outcome: CheckOutcome): HTMLElement {
  const isPassed = outcome.kind === "passed";
  const mark = h("span", { class: "mark", "aria-hidden": "true" }, isPassed ? "✓" : "×");
  const words = h("bdi", {}, `${isPassed ? "Passed" : "Not yet"}: ${outcome.label}`);
  if (!isPassed && outcome.reason !== "") words.append(h("span", { class: "reason" }, `\n${outcome.reason}`));
  return h("li", { class: outcome.kind, part: "check" }, mark, words);
}
