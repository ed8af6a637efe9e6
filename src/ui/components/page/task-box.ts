import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import type { AppState, FollowedTask } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";

/** Where a task is written, and the tasks that come with the page. */
export class TaskBox extends ViewElement {
  static override properties = {
    app: { attribute: false },
    shelfOpen: { type: Boolean },
    toggleShelf: { attribute: false },
  };
  declare app: AppState;
  declare shelfOpen: boolean;
  declare toggleShelf: () => void;
  #showsAll = false;

  constructor() {
    super();
    this.shelfOpen = false;
    this.toggleShelf = () => undefined;
  }

  protected override sources(): readonly Observable[] {
    return [this.app, this.app.tasks, this.app.settings, this.app.shelf, this.app.saved];
  }

  override render(): TemplateResult {
    const { app } = this;
    const runs = app.tasks.current !== undefined;
    const says = app.tasks.canSay;
    const kept = app.shelf.artifacts.length;
    const { kind, model } = app.settings.current;
    const following = app.tasks.modelCanGoOn ? app.following : null;
    return html`<div class="inner">
      ${following === null ? nothing : this.#following(following)}
      ${runs || app.draft.trim() === "" || app.tasks.knows(app.draft) ? nothing : this.#unrecorded()}
      <form class="box" @submit=${this.#submit}>
        <textarea
          rows="1"
          placeholder=${says ? "Tell the model something while it works" : following === null ? (app.tasks.modelCanGoOn ? "Ask for something" : "Write a task") : "Ask for more"}
          aria-label=${says ? "Tell the model" : "Task"}
          .value=${live(app.draft)}
          @input=${this.#write}
          @keydown=${this.#key}
        ></textarea>
        ${says ? nothing : html`<button type="button" class="btn ghost" @click=${() => emit(this, "vitrine-pick-files")}>Add files</button>`}
        ${
          runs
            ? html`${says ? html`<button type="submit" class="btn" ?disabled=${app.draft.trim() === ""}>Say</button>` : nothing}
                <button type="button" class="btn stop" @click=${() => app.tasks.stop()}>Stop</button>`
            : html`<button type="submit" class="btn primary" ?disabled=${app.draft.trim() === ""}>Run</button>`
        }
      </form>
      <div class="under">
        <button
          type="button"
          class="chip narrow"
          aria-expanded=${this.shelfOpen}
          aria-controls="shelf"
          @click=${this.toggleShelf}
        >
          <b>Results</b>${kept === 0 ? nothing : html` <span class="count">${kept}</span>`}
        </button>
        ${this.#earlier()}
        <div class="row tasks ${this.#showsAll ? "all" : ""}" id="recorded-tasks">
          ${
            app.tasks.items.length === 0
              ? nothing
              : app.tasks.shipped.map(
                  ({ title, task }) =>
                    html`<button
                      type="button"
                      class="chip"
                      title=${task}
                      ?disabled=${runs}
                      @click=${() => void app.runTask(task)}
                    >
                      ${title}
                    </button>`,
                )
          }
        </div>
        ${app.tasks.items.length === 0 ? nothing : this.#allTasks()}
        <button type="button" class="chip model" @click=${() => emit(this, "vitrine-settings")}>
          <span>Model: </span><b>${kind === "recorded" ? "recorded demo" : model}</b>
        </button>
      </div>
    </div>`;
  }

  /** Shows the tasks that the first line has no room for. */
  #allTasks(): TemplateResult {
    return html`<button
      type="button"
      class="chip"
      aria-expanded=${this.#showsAll}
      aria-controls="recorded-tasks"
      @click=${() => {
        this.#showsAll = !this.#showsAll;
        this.requestUpdate();
      }}
    >
      ${this.#showsAll ? "Fewer" : "More"}<span class="spare-word"> tasks</span>
    </button>`;
  }

  /** Whose conversation the task continues that is written here, or that runs. */
  #following({ task }: FollowedTask): TemplateResult {
    return html`<p class="following">
      <span title=${task}>Follows up on “${task}”</span>
      <button
        type="button"
        class="quiet-link"
        @click=${() => {
          this.app.followUp(null);
        }}
      >
        Start fresh instead
      </button>
    </p>`;
  }

  /** Said before the task is run: the recorded model has nothing to say to it. */
  #unrecorded(): TemplateResult {
    return html`<p class="unrecorded hint" role="status">
      The demo has no recorded answer to this.
      <button type="button" class="link" @click=${() => emit(this, "vitrine-try-python", { task: this.app.draft })}>
        Try it in Python
      </button>
      or
      <button type="button" class="link" @click=${() => emit(this, "vitrine-settings")}>bring a model</button>.
    </p>`;
  }

  /** There from the start on, where nothing has to make room for it. */
  #earlier(): TemplateResult | typeof nothing {
    const { tasks } = this.app.saved;
    const interrupted = tasks.filter(({ state }) => state === "interrupted").length;
    if (tasks.length === 0 && this.app.tasks.items.length === 0) return nothing;
    return html`<button type="button" class="chip" @click=${() => emit(this, "vitrine-app-saved-tasks")}>
      ${
        interrupted === 0
          ? html`<b>Earlier<span class="spare-word"> tasks</span></b>`
          : html`<span class="visually-hidden">Earlier tasks: </span><b>${interrupted} interrupted</b>`
      }
    </button>`;
  }

  override updated(): void {
    const area = this.querySelector("textarea");
    if (area === null) return;
    area.style.blockSize = "auto";
    area.style.blockSize = `${String(Math.min(area.scrollHeight, 160))}px`;
  }

  /** Puts the cursor behind what is written there. */
  focusEnd(): void {
    const area = this.querySelector("textarea");
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }

  focusWhenDrawn(): void {
    void this.updateComplete.then(() => {
      this.querySelector("textarea")?.focus({ preventScroll: true });
    });
  }

  focusStop(): void {
    this.querySelector<HTMLElement>(".stop")?.focus();
  }

  readonly #write = ({ target }: Event): void => {
    if (target instanceof HTMLTextAreaElement) this.app.setDraft(target.value);
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#send();
  };

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    this.#send();
  };

  #send(): void {
    if (this.app.tasks.canSay) this.app.say(this.app.draft);
    else void this.app.runDraft();
  }
}
customElements.define("vitrine-app-task-box", TaskBox);
