import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import type { AppState } from "../../state/app-state.js";
import { formatCount } from "../../state/text/format.js";
import type { Observable } from "../../state/text/observable.js";
import type { DiffFile } from "../../state/text/file-difference.js";
import { TaskChanges } from "../../state/files/task-changes.js";
import "../content/diff-view.js";
import { ViewElement } from "../base/view-element.js";

/** What a task changed in the workspace, with its undo. */
export class TaskChangesView extends ViewElement {
  static override properties = { app: { attribute: false }, taskId: { attribute: false }, what: { type: String } };
  declare app: Pick<AppState, "session" | "announce">;
  /** Under which the changes are recorded. */
  declare taskId: string;
  /** Whose changes they are, in a word. */
  declare what: "task" | "batch";
  #changes: TaskChanges | undefined;
  #stop: (() => void) | undefined;
  /** Null while it is folded. */
  #difference: readonly DiffFile[] | null = null;

  constructor() {
    super();
    this.what = "task";
  }

  protected override sources(): readonly Observable[] {
    return [this.app.session];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const session = this.app.session.current;
    if (changed.has("taskId")) this.#forget();
    if (this.#changes !== undefined || session === undefined) return;
    const changes = new TaskChanges(this.taskId, session.workspace);
    this.#changes = changes;
    this.#stop = changes.onChange(() => {
      this.requestUpdate();
    });
    void changes.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#forget();
  }

  override render(): TemplateResult | typeof nothing {
    const changes = this.#changes;
    const { what } = this;
    const state = changes?.state ?? null;
    if (changes === undefined || state === null) return nothing;
    if (state === "gone") {
      return html`<p class="hint">
        The changes of this ${what} are not kept any more, so it cannot be undone here.
        ${what === "task" ? "Its diff is an artifact." : ""}
      </p>`;
    }
    const { problem, isBusy, left } = changes;
    const isUndone = state === "undone";
    const isShown = this.#difference !== null;
    return html`<section class="task-changes" aria-label=${`Changes of the ${what}`}>
      <div class="row">
        <p>${changes.summary}${isUndone ? " Undone: the files are as they were before." : ""}</p>
        <button type="button" class="btn" aria-expanded=${isShown} @click=${() => void this.#toggle(changes)}>
          ${isShown ? "Hide the diff" : "Show the diff"}
        </button>
        <button type="button" class="btn" aria-busy=${isBusy} @click=${() => void this.#turn(changes)}>
          ${isUndone ? "Make the changes again" : `Undo the ${what}`}
        </button>
      </div>
      ${problem === "" ? nothing : html`<p class="notice" role="alert">${problem}</p>`}
      ${isShown ? html`<vitrine-app-diff .files=${this.#difference}></vitrine-app-diff>` : nothing}
      ${isShown && left > 0 ? html`<p class="hint">${formatCount(left, "more file")} ${what === "task" ? "in the artifact" : "not shown"}.</p>` : nothing}
    </section>`;
  }

  async #toggle(changes: TaskChanges): Promise<void> {
    this.#difference = this.#difference === null ? await changes.difference() : null;
    this.requestUpdate();
  }

  async #turn(changes: TaskChanges): Promise<void> {
    // One that is disabled meanwhile would lose the focus.
    if (changes.isBusy) return;
    const isUndone = changes.state === "undone";
    const done = await (isUndone ? changes.redo() : changes.undo());
    if (!done) return;
    this.app.announce(isUndone ? `The changes of the ${this.what} were made again.` : `The ${this.what} was undone.`);
    if (this.#difference !== null) this.#difference = await changes.difference();
    this.requestUpdate();
  }

  #forget(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#changes = undefined;
    this.#difference = null;
  }
}
customElements.define("vitrine-app-task-changes", TaskChangesView);

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-app-task-changes": TaskChangesView;
  }
}
