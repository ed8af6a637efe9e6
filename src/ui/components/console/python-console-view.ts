import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { highlightedPython } from "../../drawing/highlight.js";
import type { AppState } from "../../state/app-state.js";
import { phaseText } from "../../state/session/demo-session.js";
import { formatElapsed } from "../../state/text/format.js";
import type { Observable } from "../../state/text/observable.js";
import type { ConsoleEntry, ConsoleNote } from "../../state/console/python-console.js";
import "../questions/approval-card.js";
import "../content/output-view.js";
import "./snippet-cells.js";
import { missesPyodidePackage } from "../../state/console/missing-package.js";
import { emit } from "../base/page-events.js";
import { serverQuestionSlot } from "../questions/server-question-slot.js";
import { ViewElement } from "../base/view-element.js";

/** Pixels from the end within which the reader counts as being there. */
const NEAR = 40;

/** A Python console on the session that the agent uses too. */
export class PythonConsoleView extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;

  #editor: "loading" | "ready" | "missing" = "loading";

  protected override sources(): readonly Observable[] {
    return [
      this.app.console,
      this.app.session,
      this.app.tasks,
      this.app.approvals,
      this.app.serverQuestions,
      this.app.settings,
    ];
  }

  override render(): TemplateResult {
    const { console } = this.app;
    const { pending } = this.app.approvals;
    const { pending: asked } = this.app.serverQuestions;
    const agentRuns = this.app.tasks.current !== undefined && console.busy;
    return html`<div class="console-log" role="log" aria-label="Console" tabindex="0" @scroll=${this.#noticeScroll}>
        <div class="entries">
          ${
            console.entries.length === 0
              ? html`<p class="hint">
                  Python on the same interpreter as the agent: its variables are here. Enter runs, Shift+Enter makes a
                  new line, arrow keys go through the history, Ctrl+Space completes.
                </p>`
              : nothing
          }
          ${repeat(
            console.entries,
            ({ id }) => id,
            (entry) => (entry.kind === "note" ? note(entry) : this.#entry(entry)),
          )}
          <vitrine-app-snippet-cells .console=${console}></vitrine-app-snippet-cells>
        </div>
      </div>
      <div class="console-input">
        ${pending?.place === "console" ? html`<vitrine-app-approval .pending=${pending}></vitrine-app-approval>` : nothing}
        ${asked?.place === "console" ? serverQuestionSlot(asked) : nothing}
        ${agentRuns ? html`<p class="hint" role="status">The agent's code runs now; yours comes after it.</p>` : nothing}
        <div class="prompt">
          <span class="prompt-mark" aria-hidden="true">»</span>
          <vitrine-app-python-editor .console=${console}></vitrine-app-python-editor>
          <button type="button" class="btn primary" ?disabled=${this.#editor !== "ready"} @click=${this.#run}>
            Run
          </button>
        </div>
        ${
          this.#editor === "missing"
            ? html`<p class="bad" role="alert">The editor did not load. Reload the page to try again.</p>`
            : nothing
        }
      </div>`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Where it was taken away and comes back, what is observed is what is drawn then.
    this.#growth = undefined;
    void this.#loadEditor();
  }

  /** The editor is a third of the page's scripts, and many visitors never open the console. */
  async #loadEditor(): Promise<void> {
    try {
      await import("./python-editor.js");
      this.#editor = "ready";
    } catch (error) {
      console.error(error);
      this.#editor = "missing";
    }
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#growth?.disconnect();
  }

  override updated(): void {
    if (this.#growth === undefined) this.#observe();
    const newest = this.app.console.entries.at(-1)?.id;
    if (newest === this.#newest) return;
    this.#newest = newest;
    // What was just run is what its reader wants to see.
    this.#follows = true;
    this.#toEnd();
  }

  /** What is drawn in the log grows in elements below, at times of their own: a table, a picture in its frame. */
  #observe(): void {
    this.#growth = new ResizeObserver(() => {
      if (this.#follows) this.#toEnd();
    });
    for (const part of this.querySelectorAll(".console-log, .entries")) this.#growth.observe(part);
  }

  #toEnd(): void {
    const log = this.querySelector(".console-log");
    if (log === null) return;
    log.scrollTop = log.scrollHeight;
    this.#lastTop = log.scrollTop;
  }

  readonly #noticeScroll = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof Element)) return;
    const { scrollHeight, scrollTop, clientHeight } = currentTarget;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    // Growth alone leaves the reader where they are; only their own movement upwards leads away.
    if (isAtEnd || scrollTop < this.#lastTop) this.#follows = isAtEnd;
    this.#lastTop = scrollTop;
  };

  protected override refocus(): boolean {
    this.querySelector("vitrine-app-python-editor")?.focus();
    return true;
  }

  #growth: ResizeObserver | undefined;
  #follows = true;
  #newest: number | undefined;
  #lastTop = 0;

  #entry(entry: ConsoleEntry): TemplateResult {
    const { id, code, state, result } = entry;
    return html`<div class="console-entry ${state}">
      <div class="prompt">
        <span class="prompt-mark" aria-hidden="true">»</span>
        <pre class="code small" tabindex="0" ${highlightedPython(code)}></pre>
      </div>
      <vitrine-app-output .output=${entry.output} .result=${result} .version=${entry.version}></vitrine-app-output>
      ${!this.app.settings.current.packages.pyodide && missesPyodidePackage(result) ? packagesHint(this) : nothing}
      <div class="foot">
        ${
          state === "done"
            ? html`<span>${result === null ? "" : formatElapsed(result.elapsed)}</span>`
            : html`<span>${state === "waiting" ? this.#waitsFor() : runningText(entry)}</span>
                <button type="button" class="quiet-link" @click=${() => this.app.console.stop(id)}>Stop</button>`
        }
      </div>
    </div>`;
  }

  #waitsFor(): string {
    const { phase } = this.app.session;
    return phase.kind === "opening" ? `waits for Python: ${phaseText(phase)}` : "waits for the code that runs now";
  }

  readonly #run = (): void => {
    this.querySelector("vitrine-app-python-editor")?.submit();
  };
}
customElements.define("vitrine-app-console", PythonConsoleView);

function runningText({ progress }: ConsoleEntry): string {
  return progress === "" ? "running" : `running: ${progress}`;
}

function packagesHint(view: ViewElement): TemplateResult {
  return html`<p class="notice">
    To have it here, allow Pyodide’s own packages in the settings, under Packages.
    <button type="button" class="link" @click=${() => emit(view, "vitrine-settings")}>Open the settings</button>
  </p>`;
}

function note({ text }: ConsoleNote): TemplateResult {
  return html`<p class="notice">${text}</p>`;
}
