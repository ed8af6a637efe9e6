import { tidyCode } from "../../../cell-text/index.js";
import type { CellOutcome, OutputElement } from "../cell-runtime.js";
import { ChildChanges } from "../shared/child-changes.js";
import { ElementBase } from "../shared/dom.js";
import { asError, parts } from "../shared/parts.js";
import { saidBy, SETTINGS } from "../shared/read-settings.js";
import { endSession, sessionOf } from "../shared/session-holders.js";
import { VERSION } from "../shared/version.js";
import { wordsOfVersions } from "../shared/words.js";

import type { AfterCard } from "./after-card.js";
import { CellChrome } from "./cell-chrome.js";
import { CellEditing, runKeys } from "./cell-editing.js";
import { authoredIn, codeOf, readMarkup, setCode, type Authored } from "./cell-markup.js";
import { compare, faultOf } from "./cell-outcome.js";
import { CellMarkupError, cellSettings, demoOf, problemsOf, requestOf, shareOf, whyNotRun } from "./cell-request.js";
import { CellRun, type RunRequest } from "./cell-run.js";
import { demoLink, fileNameOf } from "./code-text.js";
import { NearView } from "./near-view.js";
import { wordsOfOutcome } from "./outcome-words.js";
import { pageCells, type CellShare, type PageCell } from "./page-cells.js";
import { copyText, download } from "./take-out.js";

const page = pageCells;
const view = new NearView((cell) => {
  if (cell instanceof VitrineCell) cell.isNear();
});
const children = new ChildChanges();

/**
 * A piece of Python in a page that its reader runs and changes. Python is loaded with the first run, once for all cells.
 *
 * ```html
 * <vitrine-cell session="tour" label="Grouping rows" deps="shop">
 *   <pre><code>orders.group_by("country")</code></pre>
 *   <output><pre>Norway  1204</pre></output>
 *   <pre hidden slot="check" data-wants="total" data-label="The total is right">assert total == 2933</pre>
 *   <details slot="solution"><summary>Solution</summary><pre><code>total = 2933</code></pre></details>
 * </vitrine-cell>
 * ```
 *
 * Without a script the code and the author's result are there to read. The code is the text of the first child that is a `<pre>`
 * or has one in it, a `<script type="text/x-python">` or a `<template>`; blank lines around it and the indentation that
 * all its lines have do not count. `<output>` is the author's result, which a run takes the place of.
 *
 * A value of an attribute that means nothing is named in the cell, which then does not run.
 *
 * @attr session - Cells of one name share variables, and their trust level. Without it each run begins afresh.
 * @attr setup - Python that runs once before the cell's first run, or `#id` of an element of the page that holds it.
 * @attr deps - Packages, separated by blanks: `numpy pandas>=2`.
 * @attr packages - Addresses of folders with wheels, separated by blanks, relative to the page.
 * @attr files - Addresses of files that the code finds in `/workspace` by their last part, or by what follows `=`:
 *   `data/orders.csv https://example.org/v2?id=7=rates.csv`. An address with a query needs its path.
 * @attr tools - Names of tools that the page registers with `registerTool`, and addresses of tool files (`.yaml`, `.yml`).
 * @attr readonly - The reader runs the code and does not change it.
 * @attr autorun - Runs once when the cell comes near what the reader sees.
 * @attr timeout - Seconds that a run may take, 30 by default; `none` for no limit.
 * @attr trust - `sandboxed` (default), `isolated`, or `local` for code of the site's own.
 * @attr hidden - The cell is never shown. Its code runs once before the cells after it that share its session, which have
 *   its packages, files and tools too.
 * @attr expected - The author's `<output>` is what a run should come to; the cell says whether it did.
 * @attr label - What screen readers call the cell. "Python example 3" by default.
 * @attr demo - Address of a Vitrine demo, for a link that opens it with the code of the cell.
 *
 * @slot - The code, the author's `<output>`, and whatever else is to be shown.
 * @slot setup - Python that runs once before the cell's first run. Not shown.
 * @slot check - Python that judges a run. `data-wants` names the variables and functions that it looks at, `data-label` says
 *   what it looks at. Not shown.
 *
 * @fires vitrine-run - After each run; `detail` is its {@link CellOutcome}. Bubbles, out of shadow trees too.
 * @fires vitrine-error - When the code could not be run; `detail` is the error. Bubbles, out of shadow trees too.
 *
 * @csspart cell - All of it.
 * @csspart buttons - The buttons over the code.
 * @csspart run - The button that runs; `stop` while it stops.
 * @csspart stop - The same, while the code runs.
 * @csspart copy - The button that copies.
 * @csspart edit - The button that opens the editor.
 * @csspart editor - What is around the editor.
 * @csspart output - What is around a run's output.
 * @csspart check - The outcome of one check.
 * @csspart message - A sentence on what keeps the cell from running, or on what is worth knowing.
 * @csspart progress - How much of Python is loaded.
 * @csspart bar - The line with the state in words and further buttons.
 * @csspart status - The state in words.
 *
 * @cssprop --vitrine-paper - Background of output and buttons. Where no other is set, colours go by the page's `color-scheme`.
 * @cssprop --vitrine-ink - Text.
 * @cssprop --vitrine-quiet - Text that matters less.
 * @cssprop --vitrine-line - Lines.
 * @cssprop --vitrine-sunken - Background of code that no `<pre>` of the page shows.
 * @cssprop --vitrine-accent - The button Run, focus, progress.
 * @cssprop --vitrine-on-accent - Text on that.
 * @cssprop --vitrine-warn - What to look out for.
 * @cssprop --vitrine-bad - Errors.
 * @cssprop --vitrine-font - Font of what the cell says; the page's by default.
 * @cssprop --vitrine-mono - Font of output and of what is typed in.
 * @cssprop --vitrine-radius - Of corners; 8px by default.
 */
export class VitrineCell extends ElementBase implements PageCell {
  /** Of the package that this element is from. */
  static readonly version: string = VERSION;
  /** Other versions that this page loads. Theirs came later, and define nothing. */
  static readonly otherVersions = new Set<string>();
  static readonly observedAttributes = [...SETTINGS, "setup", "readonly", "hidden", "expected", "label"];

  #chrome: CellChrome | null = null;
  readonly #editing = new CellEditing();
  #output: OutputElement | null = null;
  #run: { readonly work: CellRun; readonly outcome: Promise<CellOutcome | null> } | null = null;
  #isDueUpdate = false;
  #isRegistered = false;
  #hasAutorun = false;
  #place = 0;

  /**
   * The code as it stands now, with what the reader changed. Setting it is as if the author had written it: it is shown, and
   * Reset comes back to it.
   */
  get code(): string {
    return this.#editing.code ?? codeOf(readMarkup(this).code);
  }

  set code(code: string) {
    setCode(this, code);
    this.#editing.write(tidyCode(code));
    this.#update();
  }

  /**
   * Runs the code, as the button does. A cell runs once at a time: while it does, this is the run that goes on.
   *
   * @returns what the run came to; null where it was stopped before its code began, without an event, or could not be made:
   *   the cell and the event `vitrine-error` say why.
   */
  run(): Promise<CellOutcome | null> {
    return this.#begin(false);
  }

  #begin(isClicked: boolean): Promise<CellOutcome | null> {
    if (this.#run !== null) return this.#run.outcome;
    const card = this.#open().openCard(true);
    const problems = whyNotRun(this, page);
    card.showProblems(problems);
    card.showFailure(null);
    if (problems.length > 0) {
      card.say({ text: "This cell does not run yet." });
      this.#emit("vitrine-error", new CellMarkupError(problems));
      return Promise.resolve(null);
    }
    const work = new CellRun({
      card,
      output: this.#output,
      isClicked,
      onFirstOutput: (output) => this.#showOutput(output),
    });
    const request = requestOf(this, page, { code: this.code, name: `cell ${this.#place}` });
    this.#run = { work, outcome: this.#follow(work, card, request) };
    return this.#run.outcome;
  }

  /** Ends the run that goes on, if there is one. What it printed stays. */
  stop(): void {
    if (this.#run === null) return;
    this.#run.work.stop();
    this.#chrome?.showButton("stopping");
  }

  /** Gives back the author's code and result. Variables of a session stay; {@link restart} gives that a fresh start. */
  reset(): void {
    this.stop();
    this.#run?.work.discard();
    this.#output?.clear();
    if (this.#chrome !== null) this.#editing.close(this.#chrome);
    this.#chrome?.card?.clear();
    this.#chrome?.showAuthored("here");
    this.#chrome?.card?.say({ text: "This is the author's code and result." });
    this.#update();
  }

  /** Gives the cell's session fresh variables, for all cells of that name. A cell that is alone always has them: nothing is done. */
  async restart(): Promise<void> {
    const session = sessionOf(this);
    if (session === null) return;
    this.stop();
    await this.#run?.outcome;
    const card = this.#open().openCard(true);
    card.say({ text: "Restarting Python" });
    await parts.current.runtimeIfOpen()?.reset(session);
    card.say({ text: "Python begins afresh with the next run." });
  }

  /** For `vitrine check`. @internal */
  authored(): Authored {
    return authoredIn(this);
  }

  /** @internal */
  connectedCallback(): void {
    page.add(this);
    this.#isRegistered = true;
    // Drawn when it comes near what the reader sees: most cells of a long page cost nothing but this.
    if (!this.hidden) view.watch(this);
  }

  /** Defined so that a move by `moveBefore()` is one. @internal */
  connectedMoveCallback(): void {
    page.add(this);
  }

  /** @internal */
  disconnectedCallback(): void {
    view.forget(this);
    setTimeout(() => {
      // What was only moved is back by now.
      if (this.isConnected || !this.#isRegistered) return;
      this.#isRegistered = false;
      this.stop();
      page.remove(this);
      endSession(sessionOf(this));
    });
  }

  /** @internal */
  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.#isRegistered) return;
    if (name === "session") endSession(before?.trim() ?? null);
    else if (name === "hidden") page.recount();
    else if (name === "readonly") this.#editing.giveUp();
    this.#update();
  }

  /** @internal */
  placeIs(number: number): void {
    this.#place = number;
    this.#chrome?.label(this.#label());
  }

  /** @internal */
  share(): CellShare {
    return shareOf(this);
  }

  /** Once for all changes of one go. */
  #update(): void {
    if (this.#isDueUpdate) return;
    this.#isDueUpdate = true;
    queueMicrotask(() => {
      this.#isDueUpdate = false;
      if (!this.isConnected || this.hidden) return;
      if (this.#chrome === null) view.watch(this);
      else this.#draw(this.#chrome);
    });
  }

  #draw(chrome: CellChrome): void {
    const markup = readMarkup(this);
    chrome.assign(markup, codeOf(markup.code));
    chrome.label(this.#label());
    chrome.isEditable = !this.hasAttribute("readonly");
    if (this.#run === null) chrome.showProblems(problemsOf(this, page));
    this.#showActions();
  }

  #open(): CellChrome {
    if (this.#chrome !== null) return this.#chrome;
    const root = this.attachShadow({ mode: "open", slotAssignment: "manual" });
    const chrome = new CellChrome(root);
    root.addEventListener("click", (event) => this.#clicked(event));
    this.#chrome = chrome;
    children.watch(this, () => this.#update());
    this.#draw(chrome);
    return chrome;
  }

  /** @internal */
  isNear(): void {
    view.forget(this);
    if (this.hidden) return;
    this.#open().placeCorner(this);
    if (!this.hasAttribute("autorun") || this.#hasAutorun || problemsOf(this, page).length > 0) return;
    this.#hasAutorun = true;
    void this.run();
  }

  #clicked(event: Event): void {
    const control = event.target instanceof Element ? event.target.closest("[data-do]") : null;
    if (control instanceof HTMLElement && control.getRootNode() === this.shadowRoot) this.#do(control, event);
    else if (!this.hasAttribute("readonly") && this.#chrome?.isInCode(event) === true) void this.#edit();
  }

  #do(control: HTMLElement, event: Event): void {
    const actions = new Map<string, () => void>([
      ["run", () => void this.#begin(true)],
      // The second click of a double click on Run is none on Stop.
      ["stop", () => (event instanceof MouseEvent && event.detail > 1 ? undefined : this.stop())],
      ["edit", () => void this.#edit()],
      ["copy", () => void copyText(this.code).then((isCopied) => this.#chrome?.sayCopied(isCopied))],
      ["reset", () => this.reset()],
      ["restart", () => void this.restart().catch((error: unknown) => this.#failed(asError(error)))],
      ["download", () => download(this.code, fileNameOf(this.#label()))],
    ]);
    // What kept it from running may have been mended elsewhere in the page.
    if (control.getAttribute("aria-disabled") === "true") this.#update();
    else actions.get(control.dataset.do ?? "")?.();
  }

  async #follow(work: CellRun, card: AfterCard, request: RunRequest): Promise<CellOutcome | null> {
    this.#chrome?.showButton("stop");
    this.#editing.showFault(null);
    this.#showActions();
    card.markStale();
    try {
      const outcome = await work.outcome(request);
      this.#run = null;
      if (!work.isDiscarded) this.#conclude(work, card, outcome);
      this.#emit("vitrine-run", outcome);
      return outcome;
    } catch (error) {
      this.#run = null;
      if (work.isDiscarded) return null;
      if (work.isStopped) card.say({ text: "Stopped." });
      else this.#failed(asError(error));
      return null;
    } finally {
      // Who heard of the end may have begun the next run.
      if (this.#run === null) this.#chrome?.showButton("run");
      this.#update();
    }
  }

  #conclude(work: CellRun, card: AfterCard, outcome: CellOutcome): void {
    const { error } = outcome.result;
    const comparison = compare(this, outcome);
    if (!work.hasOutput && error?.code !== "RUN_INTERRUPTED") {
      card.hideOutput();
      this.#chrome?.showAuthored("nowhere");
    }
    if (comparison === "different") this.#chrome?.showAuthored("below");
    card.showChecks(outcome.checks);
    card.say({ text: wordsOfOutcome(outcome, comparison) });
    this.#editing.showFault(faultOf(outcome));
    const { version, otherVersions } = VitrineCell;
    if (otherVersions.size > 0) card.showNote(wordsOfVersions(version, otherVersions));
  }

  #showOutput(output: OutputElement): void {
    this.#output = output;
    this.#chrome?.card?.showOutput(output);
    this.#chrome?.showAuthored("nowhere");
  }

  #failed(error: Error): void {
    const card = this.#open().openCard(true);
    card.showFailure(error.message);
    card.say({ text: "The code was not run." });
    this.#emit("vitrine-error", error);
  }

  async #edit(): Promise<void> {
    const chrome = this.#open();
    const card = chrome.openCard(true);
    const say = (text: string): void => {
      if (this.#run === null) card.say({ text });
    };
    this.#showActions();
    if (!this.#editing.isOpen) say("Loading the editor");
    try {
      const isNew = await this.#editing.open(chrome, () => ({
        code: this.code,
        label: `${this.#label()}, code`,
        onChange: () => this.#showActions(),
        onRun: () => void this.run(),
        complete: async (code) =>
          (await parts.current.runtimeIfOpen()?.complete(cellSettings(this, page), code)) ?? null,
      }));
      if (this.hasAttribute("readonly") && !this.#editing.isOpen) say("This code is not to be changed.");
      else if (isNew) say(`${runKeys()} runs the code, Escape leaves the editor.`);
    } catch (error) {
      card.showFailure(asError(error).message);
      say("The code cannot be changed yet.");
      this.#emit("vitrine-error", asError(error));
    }
  }

  #showActions(): void {
    const address = demoOf(this);
    const demo = address === null ? null : demoLink(address, this.code);
    this.#chrome?.card?.showActions({ restart: sessionOf(this) !== null, demo });
  }

  #label(): string {
    return saidBy(this, "label") ?? `Python example ${this.#place}`;
  }

  #emit(type: "vitrine-run" | "vitrine-error", detail: CellOutcome | Error): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}
