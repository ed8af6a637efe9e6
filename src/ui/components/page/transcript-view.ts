import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { download } from "../../drawing/download.js";
import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import type { TaskView } from "../../state/task/task-view.js";
import type { TranscriptItem } from "../../state/task/transcript-items.js";
import { transcriptMarkdown } from "../../state/task/transcript-text.js";
import "../task/task-card.js";
import { ViewElement } from "../base/view-element.js";
import "./welcome-view.js";

/** Pixels from the end within which the reader counts as being there. */
const NEAR = 80;

/** Pixels above what is brought to the top. */
const MARGIN = 12;

/** The tasks of this visit. The newest step stays in view unless the reader scrolled away from it. */
export class TranscriptView extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #follows = true;
  #copied = "";
  #opened: string | null = null;
  #current: TaskView | undefined;
  #isClose = true;
  #growth: ResizeObserver | undefined;

  protected override sources(): readonly Observable[] {
    return [this.app.tasks];
  }

  override render(): TemplateResult {
    const { items } = this.app.tasks;
    return html`<div
        class="transcript ${this.#follows ? "" : "free"}"
        tabindex="0"
        role="region"
        aria-label="Transcript"
        @scroll=${this.#noticeScroll}
        @wheel=${this.#noticeWheel}
        @click=${this.#noticeClick}
      >
        <div class="inner">
          ${items.length === 0 ? html`<vitrine-app-welcome .app=${this.app}></vitrine-app-welcome>` : nothing}
          ${repeat(
            items,
            ({ id }) => id,
            (item) => this.#item(item),
          )}
          ${this.app.tasks.current === undefined && items.some(({ kind }) => kind === "task") ? this.#actions() : nothing}
        </div>
      </div>
      ${
        this.#follows || (this.#isClose && this.app.tasks.current === undefined)
          ? nothing
          : html`<button type="button" class="btn to-newest" @click=${this.#toNewest}>
              ${this.app.tasks.current === undefined ? "To the end" : "To the newest step"}
            </button>`
      }`;
  }

  #item(item: TranscriptItem): TemplateResult {
    switch (item.kind) {
      case "note":
        return html`<p class="divider"><span>${item.text}</span></p>`;
      case "file":
        void import("./file-card.js");
        return html`<vitrine-app-file-card
          .app=${this.app}
          .file=${item.file}
          .isThere=${item.file.isThere}
        ></vitrine-app-file-card>`;
      case "task":
        return html`<vitrine-app-task
          data-item=${item.id}
          .app=${this.app}
          .view=${item.view}
          .version=${item.view.version}
          ?followed=${this.#follows}
        ></vitrine-app-task>`;
    }
  }

  override firstUpdated(): void {
    const inner = this.querySelector(".inner");
    // Content grows in elements below, at times of their own.
    this.#growth = new ResizeObserver(() => {
      if (this.#follows) this.#toEnd();
      else this.#measure();
    });
    if (inner !== null) this.#growth.observe(inner);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#growth?.disconnect();
  }

  override updated(): void {
    const { opened, current } = this.app.tasks;
    if (current !== this.#current) {
      const ended = this.#current;
      this.#current = current;
      if (ended?.isAnswered === true && current === undefined && this.#follows) void this.#showAnswer(ended.id);
    }
    if (opened === this.#opened) return;
    this.#opened = opened;
    if (opened !== null) void this.#reveal(opened);
  }

  /** Brings the beginning of a task that was just opened into view, and those who listen to it. */
  async #reveal(id: string): Promise<void> {
    this.#follows = false;
    const task = this.querySelector<ViewElement>(`[data-item="${id}"]`);
    await task?.updateComplete;
    if (task !== null) this.#toTop(task);
    task?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  }

  /** Brings the beginning of a task that has just ended into view, where its answer is; the focus stays where it is. */
  async #showAnswer(id: string): Promise<void> {
    this.#follows = false;
    const task = this.querySelector<ViewElement>(`[data-item="${id}"]`);
    await task?.updateComplete;
    if (task === null) return;
    this.#toTop(task);
    this.requestUpdate();
  }

  /** From what is drawn no more to the task that is drawn in its place. */
  protected override refocus(gone: Element): boolean {
    if (gone.closest("vitrine-app-task, .welcome") === null) return false;
    void this.focusNewest();
    return true;
  }

  /** Brings those who listen to the heading of the newest task. */
  async focusNewest(): Promise<void> {
    await this.updateComplete;
    const task = [...this.querySelectorAll<ViewElement>("vitrine-app-task")].at(-1);
    await task?.updateComplete;
    task?.querySelector("h2")?.focus({ preventScroll: true });
  }

  /** Scrolls the transcript alone: `scrollIntoView` would scroll the page around it, too. */
  #toTop(task: HTMLElement): void {
    const scroller = this.querySelector(".transcript");
    if (scroller === null) return;
    scroller.scrollTop += task.getBoundingClientRect().top - scroller.getBoundingClientRect().top - MARGIN;
    this.#lastTop = scroller.scrollTop;
  }

  /** Brings a task that was just started into view. */
  follow(): void {
    this.#follows = true;
    this.requestUpdate();
    this.#toEnd();
  }

  #actions(): TemplateResult {
    return html`<div class="row actions">
        <button type="button" class="quiet-link" @click=${() => void this.#copy()}>Copy the transcript</button>
        <button
          type="button"
          class="quiet-link"
          @click=${() => download("transcript.md", transcriptMarkdown(this.app.tasks.items))}
        >
          Download it
        </button>
        <span class="hint">${this.#copied}</span>
      </div>
      <p class="hint">
        Each new task starts fresh: the model sees nothing of the tasks above, unless you follow up on one. Python's
        variables, files and artifacts stay.
      </p>`;
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(transcriptMarkdown(this.app.tasks.items));
      this.#copied = "Copied as Markdown.";
    } catch {
      this.#copied = "The browser does not allow it; download it instead.";
    }
    this.app.announce(this.#copied);
    this.requestUpdate();
  }

  readonly #noticeScroll = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof HTMLElement)) return;
    this.#measure();
    const { scrollHeight, scrollTop, clientHeight } = currentTarget;
    const atEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    // Growth alone leaves the reader where they are; only their own movement upwards leads away.
    if (atEnd === this.#follows || (!atEnd && scrollTop >= this.#lastTop)) {
      this.#lastTop = scrollTop;
      return;
    }
    this.#lastTop = scrollTop;
    this.#follows = atEnd;
    this.requestUpdate();
  };

  #lastTop = 0;

  readonly #noticeWheel = ({ deltaY }: WheelEvent): void => {
    if (deltaY < 0 && this.#follows && this.app.tasks.current !== undefined) {
      this.#follows = false;
      this.requestUpdate();
    }
  };

  /** What unfolds below a line leaves the line where it is. */
  readonly #noticeClick = ({ target }: Event): void => {
    if (!this.#follows || !(target instanceof Element) || target.closest(".step-line, .how") === null) return;
    this.#follows = false;
    this.requestUpdate();
  };

  /** Whether the end is less than a screen away: a button that leads there would cover more than it is worth. */
  #measure(): void {
    const scroller = this.querySelector(".transcript");
    if (scroller === null) return;
    const { scrollHeight, scrollTop, clientHeight } = scroller;
    const isClose = scrollHeight - scrollTop < 2 * clientHeight;
    if (isClose === this.#isClose) return;
    this.#isClose = isClose;
    this.requestUpdate();
  }

  readonly #toNewest = (): void => {
    this.follow();
  };

  #toEnd(): void {
    const scroller = this.querySelector(".transcript");
    if (scroller === null || this.app.tasks.items.length === 0) return;
    scroller.scrollTop = scroller.scrollHeight;
    this.#lastTop = scroller.scrollTop;
  }
}
customElements.define("vitrine-app-transcript", TranscriptView);
