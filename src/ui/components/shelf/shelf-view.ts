import { html, nothing, type TemplateResult } from "lit";

import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import "./artifacts-panel.js";
import { on } from "../base/page-events.js";
import "../console/python-console-view.js";
import { ViewElement } from "../base/view-element.js";
import type { FilesPanel } from "./files-panel.js";

type Tab = "artifacts" | "files" | "tools" | "skills" | "console" | "trace" | "problems";
const LABELS: Readonly<Record<Tab, string>> = {
  artifacts: "Artifacts",
  files: "Files",
  tools: "Tools",
  skills: "Skills",
  console: "Console",
  trace: "Trace",
  problems: "Problems",
};

/** Few look at these in their first minute, so they are no part of what the page loads first. */
const LATER = {
  files: () => import("./files-panel.js"),
  tools: () => import("./tools-panel.js"),
  skills: () => import("./skills-panel.js"),
  trace: () => import("./trace-panel.js"),
  problems: () => import("./problems-panel.js"),
} satisfies Partial<Record<Tab, () => Promise<unknown>>>;

/** What stays: artifacts, files, tools, skills, the console, the trace. */
export class ShelfView extends ViewElement {
  static override properties = { app: { attribute: false }, close: { attribute: false } };
  declare app: AppState;
  /** Hides the shelf where it lies over the page. */
  declare close: () => void;
  #tab: Tab = "artifacts";
  /** Tabs whose code did not load. */
  readonly #lost = new Set<Tab>();

  constructor() {
    super();
    this.close = () => undefined;
    on(this, "vitrine-tab", (tab) => {
      this.show(tab);
    });
  }

  protected override sources(): readonly Observable[] {
    return [this.app.shelf, this.app.session, this.app.approvals, this.app.serverQuestions];
  }

  get tab(): Tab {
    return this.#tab;
  }

  /** Brings a tab to the front. */
  show(name: string): void {
    const tab = this.#tabs().find((candidate) => candidate === name);
    if (tab === undefined || tab === this.#tab) return;
    this.#tab = tab;
    this.requestUpdate();
  }

  /** Opens a file in the editor of the tab Files. */
  async edit(path: string, how: { readonly isKey: boolean }): Promise<void> {
    this.show("files");
    await LATER.files().catch(() => undefined);
    this.requestUpdate();
    await this.updateComplete;
    await this.querySelector<FilesPanel>("vitrine-app-files")?.edit(path, how);
  }

  protected override refocus(): boolean {
    this.focusTab();
    return true;
  }

  focusTab(): void {
    this.querySelector<HTMLElement>(`#tab-${this.#tab}`)?.focus();
  }

  override render(): TemplateResult {
    const tabs = this.#tabs();
    if (!tabs.includes(this.#tab)) this.#tab = "artifacts";
    return html`<div class="shelf-head">
        <div class="sheet-bar narrow">
          <span class="sheet-title" aria-hidden="true">Results and tools</span>
          <button type="button" class="btn ghost" aria-label="Close results and tools" @click=${this.close}>
            Close
          </button>
        </div>
        <div class="tabs" role="tablist" aria-label="Results and tools" @keydown=${this.#key}>
          ${tabs.map((tab) => {
            const selected = tab === this.#tab;
            return html`<button
              type="button"
              role="tab"
              id=${`tab-${tab}`}
              aria-selected=${selected}
              aria-controls="shelf-panel"
              tabindex=${selected ? 0 : -1}
              @click=${() => this.show(tab)}
            >
              ${LABELS[tab]}${this.#count(tab)}
            </button>`;
          })}
        </div>
      </div>
      <div
        class="panel"
        data-tab=${this.#tab}
        id="shelf-panel"
        role="tabpanel"
        aria-labelledby=${`tab-${this.#tab}`}
        tabindex="-1"
      >
        ${this.app.shelf.trouble === "" ? nothing : html`<p class="notice">The lists could not be read: ${this.app.shelf.trouble}</p>`}
        ${this.#panel()}
      </div>`;
  }

  #panel(): TemplateResult {
    const { app } = this;
    switch (this.#tab) {
      case "artifacts":
        return html`<vitrine-app-artifacts .app=${app}></vitrine-app-artifacts>`;
      case "files":
        return this.#once("files", () => html`<vitrine-app-files .app=${app}></vitrine-app-files>`);
      case "tools":
        return this.#once("tools", () => html`<vitrine-app-tools .app=${app}></vitrine-app-tools>`);
      case "skills":
        return this.#once("skills", () => html`<vitrine-app-skills .app=${app}></vitrine-app-skills>`);
      case "console":
        return html`<vitrine-app-console .app=${app}></vitrine-app-console>`;
      case "trace":
        return this.#once("trace", () => html`<vitrine-app-trace .app=${app}></vitrine-app-trace>`);
      case "problems":
        return this.#once("problems", () => html`<vitrine-app-problems .app=${app}></vitrine-app-problems>`);
    }
  }

  /** Draws a tab once its code is there. */
  #once(tab: keyof typeof LATER, draw: () => TemplateResult): TemplateResult {
    if (customElements.get(`vitrine-app-${tab}`) !== undefined) return draw();
    const name = `The ${tab}`;
    if (this.#lost.has(tab)) return html`<p class="notice">${name} did not load. Reload the page to try again.</p>`;
    void this.#load(tab);
    return html`<p class="hint">Opening ${name.toLowerCase()}…</p>`;
  }

  async #load(tab: keyof typeof LATER): Promise<void> {
    try {
      await LATER[tab]();
    } catch (error) {
      console.error(error);
      this.#lost.add(tab);
    }
    this.requestUpdate();
  }

  #tabs(): Tab[] {
    const tabs: Tab[] = ["artifacts", "files", "tools", "skills", "console", "trace"];
    return this.app.shelf.problems.length === 0 ? tabs : [...tabs, "problems"];
  }

  #count(tab: Tab): TemplateResult | typeof nothing {
    const asking = [this.app.approvals.pending, this.app.serverQuestions.pending];
    if (tab === "console" && asking.some((pending) => pending?.place === "console")) {
      return html` <span class="count">asks you</span>`;
    }
    const { artifacts, files, problems } = this.app.shelf;
    const count = { artifacts: artifacts.length, files: files.length, problems: problems.length }[tab as string] ?? 0;
    return count === 0 ? nothing : html` <span class="count">${count}</span>`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    const tabs = this.#tabs();
    const at = tabs.indexOf(this.#tab);
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[moves[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    this.show(next);
    void this.updateComplete.then(() => {
      this.focusTab();
    });
  };
}
customElements.define("vitrine-app-shelf", ShelfView);
