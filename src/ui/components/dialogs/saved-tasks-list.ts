import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import type { SavedTaskSummary } from "../../../agent/index.js";
import { messageOf, shortenUnitsTo } from "../../../protocol/index.js";
import { download } from "../../drawing/download.js";
import type { AppState } from "../../state/app-state.js";
import { formatAge } from "../../state/text/format.js";
import type { Observable } from "../../state/text/observable.js";
import {
  canGoOn,
  FOREIGN_TASK_QUESTION,
  SAVED_STATE_NAMES,
  taskFileName,
  whyNotOn,
} from "../../state/task/saved-tasks.js";
import { ViewElement } from "../base/view-element.js";

type TaskButton = (label: string, act: () => Promise<void>, isDisabled?: boolean) => TemplateResult;

/** The tasks that are kept, and what can be done with them. */
export class SavedTasksList extends ViewElement {
  static override properties = {
    app: { attribute: false },
    most: { type: Number },
    heading: { type: String },
    leave: { attribute: false },
  };
  declare app: AppState;
  /** Tasks that are shown before somebody asks for all. */
  declare most: number;
  /** Nothing at all is shown under it where no task is kept. Empty: none. */
  declare heading: string;
  /** Called when what was chosen is shown elsewhere. */
  declare leave: () => void;
  #all = false;
  #problem = "";

  constructor() {
    super();
    this.most = 20;
    this.heading = "";
    this.leave = () => undefined;
  }

  protected override sources(): readonly Observable[] {
    return [this.app.saved, this.app.tasks, this.app.settings];
  }

  override render(): TemplateResult {
    const { tasks, problems, trouble } = this.app.saved;
    const shown = this.#all ? tasks : tasks.slice(0, this.most);
    const isEmpty = tasks.length === 0;
    return html`${this.heading === "" || isEmpty ? nothing : html`<h2>${this.heading}</h2>`}
      ${trouble === "" ? nothing : html`<p class="notice">The saved tasks could not be read: ${trouble}</p>`}
      ${this.#problem === "" ? nothing : html`<p class="notice bad" role="alert">${this.#problem}</p>`}
      ${problems.map(({ file, message }) => html`<p class="notice">${file} cannot be listed: ${message}</p>`)}
      ${
        isEmpty
          ? this.heading === ""
            ? html`<p class="hint">No task is kept yet. Each one is, from its first step on, on this device.</p>`
            : nothing
          : html`<ul class="saved">
              ${repeat(
                shown,
                ({ taskId }) => taskId,
                (task) => this.#item(task),
              )}
            </ul>`
      }
      <div class="row">
        ${
          shown.length === tasks.length
            ? nothing
            : html`<button type="button" class="btn" @click=${this.#showAll}>Show all ${tasks.length}</button>`
        }
        <label class="btn file-button"
          >Open a task file…<input
            type="file"
            class="visually-hidden"
            accept=".jsonl"
            @change=${(event: Event) => void this.#import(event)}
        /></label>
        <span class="hint">A file that somebody shared is shown; nothing of it runs.</span>
      </div>`;
  }

  #item(summary: SavedTaskSummary): TemplateResult {
    const { taskId, task, state, model, agent, startedAt, isImported } = summary;
    const date = new Date(startedAt);
    const busy = this.app.tasks.current !== undefined;
    const about = shortenUnitsTo(task, 60);
    const button: TaskButton = (label, act, waits = false) =>
      html`<button
        type="button"
        class="quiet-link"
        aria-label=${`${label}: ${about}`}
        ?disabled=${waits}
        @click=${() => void act()}
      >
        ${label}
      </button>`;
    const { app } = this;
    const why = whyNotOn(state, { hasModel: app.tasks.modelCanGoOn, knows: app.models.knows(task) });
    return html`<li>
      <button type="button" class="name" title=${task} @click=${() => void this.#leaveFor(app.openTask(taskId))}>
        ${task}
      </button>
      <small
        ><span class="standing ${state}">${SAVED_STATE_NAMES[state]}</span> ·
        <time datetime=${date.toISOString()}>${formatAge(date)}</time> ·
        ${model}${agent === "code" ? "" : " · JSON agent"}${isImported ? " · from a file" : ""}</small
      >
      ${
        state === "running"
          ? nothing
          : html`<span class="row">
              ${this.#onward(summary, { button, why, isBusy: busy })}
              ${button("Replay", () => this.#leaveFor(app.replayTask(taskId)), busy)}
              ${button("Run again", () => this.#leaveForOwn(summary, () => app.rerunTask(taskId)), busy)}
              ${button("Share", () => this.#share(taskId, task))} ${button("Delete", () => this.#delete(taskId, about))}
            </span>`
      }
      ${why === "" ? nothing : html`<p class="hint">${why}</p>`}
    </li>`;
  }

  /** A model goes on where a task was left. The recorded one only repeats, but what it knows it can begin again. */
  #onward(
    summary: SavedTaskSummary,
    { button, why, isBusy }: { readonly button: TaskButton; readonly why: string; readonly isBusy: boolean },
  ): TemplateResult | typeof nothing {
    const { taskId, task, state } = summary;
    const { app } = this;
    if (why === "") return button("Go on", () => this.#leaveForOwn(summary, () => app.goOn(taskId)), isBusy);
    if (!canGoOn(state) || !app.models.knows(task)) return nothing;
    return button("Start over", () => this.#leaveForOwn(summary, () => app.runTask(task)), isBusy);
  }

  /** What came from a file has somebody else's code and words in it: it takes a second yes. */
  async #leaveForOwn({ isImported }: SavedTaskSummary, work: () => Promise<void>): Promise<void> {
    if (isImported && !confirm(FOREIGN_TASK_QUESTION)) return;
    await this.#leaveFor(work());
  }

  async #leaveFor(work: Promise<void>): Promise<void> {
    this.leave();
    await work;
  }

  async #share(taskId: string, task: string): Promise<void> {
    await this.#attempt(async () => {
      download(taskFileName(task, ".task.jsonl"), await this.app.saved.export(taskId));
    });
  }

  async #delete(taskId: string, about: string): Promise<void> {
    if (!confirm(`Delete the saved task "${about}"? It cannot be had back. What it made stays.`)) return;
    await this.#attempt(() => this.app.saved.delete(taskId));
  }

  /** From the button of a task that is gone. */
  protected override refocus(): boolean {
    this.querySelector<HTMLElement>(".saved .name, input")?.focus();
    return true;
  }

  async #import({ target }: Event): Promise<void> {
    if (!(target instanceof HTMLInputElement)) return;
    const [file] = target.files ?? [];
    if (file === undefined) return;
    await this.#attempt(async () => {
      await this.app.importTask(file);
      this.leave();
    });
    // So that the same file can be picked again.
    target.value = "";
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
      this.#problem = "";
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.requestUpdate();
  }

  readonly #showAll = (): void => {
    this.#all = true;
    this.requestUpdate();
  };
}
customElements.define("vitrine-app-saved-tasks", SavedTasksList);
