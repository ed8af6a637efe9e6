import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { highlightedPython } from "../drawing/highlight.js";
import type { AppState } from "../state/app-state.js";
import { formatElapsed } from "../state/format.js";
import type { Observable } from "../state/observable.js";
import type { ConsoleEntry, ConsoleNote } from "../state/python-console.js";
import "./approval-card.js";
import "./output-view.js";
import { ViewElement } from "./view-element.js";

/** A Python console on the session that the agent uses too. */
export class PythonConsoleView extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;

  #editor: "loading" | "ready" | "missing" = "loading";

  protected override sources(): readonly Observable[] {
    return [this.app.console, this.app.session, this.app.tasks, this.app.approvals];
  }

  override render(): TemplateResult {
    const { console } = this.app;
    const { pending } = this.app.approvals;
    const agentRuns = this.app.tasks.current !== undefined && console.busy;
    return html`<div class="console-log" role="log" aria-label="Console" tabindex="0">
        ${
          console.entries.length === 0
            ? html`<p class="hint">
                Python on the same interpreter as the agent: its variables are here. Enter runs, Shift+Enter makes a new
                line, arrow keys go through the history, Ctrl+Space completes.
              </p>`
            : nothing
        }
        ${repeat(
          console.entries,
          ({ id }) => id,
          (entry) => (entry.kind === "note" ? note(entry) : this.#entry(entry)),
        )}
      </div>
      <div class="console-input">
        ${pending?.place === "console" ? html`<vitrine-approval .pending=${pending}></vitrine-approval>` : nothing}
        ${agentRuns ? html`<p class="hint" role="status">The agent's code runs now; yours comes after it.</p>` : nothing}
        <div class="prompt">
          <span class="prompt-mark" aria-hidden="true">»</span>
          <vitrine-python-editor .console=${console}></vitrine-python-editor>
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

  override updated(): void {
    const log = this.querySelector(".console-log");
    const count = this.app.console.entries.length;
    const last = this.app.console.entries.at(-1);
    const grown = count !== this.#count || (last?.kind === "run" && last.version !== this.#version);
    this.#count = count;
    this.#version = last?.kind === "run" ? last.version : 0;
    if (log !== null && grown) requestAnimationFrame(() => log.scrollTo({ top: log.scrollHeight }));
  }

  protected override refocus(): boolean {
    this.querySelector("vitrine-python-editor")?.focus();
    return true;
  }

  #count = 0;
  #version = 0;

  #entry(entry: ConsoleEntry): TemplateResult {
    const { id, code, state, result } = entry;
    return html`<div class="console-entry ${state}">
      <div class="prompt">
        <span class="prompt-mark" aria-hidden="true">»</span>
        <pre class="code small" tabindex="0" ${highlightedPython(code)}></pre>
      </div>
      <vitrine-output .output=${entry.output} .result=${result} .version=${entry.version}></vitrine-output>
      <div class="foot">
        ${
          state === "done"
            ? html`<span>${result === null ? "" : formatElapsed(result.elapsed)}</span>`
            : html`<span>${state === "waiting" ? "waits for the code that runs now" : "running"}</span>
                <button type="button" class="quiet-link" @click=${() => this.app.console.stop(id)}>Stop</button>`
        }
      </div>
    </div>`;
  }

  readonly #run = (): void => {
    this.querySelector("vitrine-python-editor")?.submit();
  };
}
customElements.define("vitrine-console", PythonConsoleView);

function note({ text }: ConsoleNote): TemplateResult {
  return html`<p class="notice">${text}</p>`;
}
