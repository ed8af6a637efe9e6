import { html, nothing, type TemplateResult } from "lit";

import { messageOf } from "../../../protocol/index.js";
import type { AppState } from "../../state/app-state.js";
import { contentForm } from "../../state/text/content-form.js";
import type { GivenFile } from "../../state/task/given-files.js";
import type { Observable } from "../../state/text/observable.js";
import type { Snippet } from "../../state/console/snippets.js";
import type { AddToolDialog } from "../dialogs/add-tool-dialog.js";
import type { ContentDialog } from "../content/content-dialog.js";
import "../content/content-dialog.js";
import "../questions/input-dialog.js";
import { on } from "../base/page-events.js";
import type { SavedTasksDialog } from "../dialogs/saved-tasks-dialog.js";
import "../dialogs/saved-tasks-dialog.js";
import type { SettingsDialog } from "../dialogs/settings-dialog.js";
import type { ShelfView } from "../shelf/shelf-view.js";
import "../shelf/shelf-view.js";
import { ViewElement } from "../base/view-element.js";
import "./banners.js";
import type { TaskBox } from "./task-box.js";
import "./task-box.js";
import "./top-bar.js";
import type { TranscriptView } from "./transcript-view.js";
import "./transcript-view.js";

/** The whole page. */
export class DemoPage extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #shelfOpen = false;
  #dropping = false;
  #task: unknown;
  readonly #narrow = matchMedia("(max-width: 900px)");
  /** Where the task box has the focus, a keyboard covers half of the screen. */
  readonly #touched = matchMedia("(hover: none)");
  readonly #leaving = new AbortController();

  protected override sources(): readonly Observable[] {
    return [this.app, this.app.tasks];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    on(this, "vitrine-settings", (detail) => void this.#openSettings(detail?.record));
    on(this, "vitrine-write-task", () => {
      this.querySelector<TaskBox>("vitrine-app-task-box")?.focusEnd();
    });
    on(this, "vitrine-pick-files", () => {
      this.querySelector<HTMLInputElement>("#file-input")?.click();
    });
    on(this, "vitrine-app-saved-tasks", () => {
      this.querySelector<SavedTasksDialog>("vitrine-app-saved-tasks-dialog")?.open();
    });
    on(this, "vitrine-add-tool", () => void this.#openAddTool());
    on(this, "vitrine-answer", ({ id, text }) => {
      this.app.questions.answer(id, text);
    });
    on(this, "vitrine-try-python", ({ task, run }) => void this.#tryPython(task, run));
    on(this, "vitrine-open-artifact", (name) => void this.#openArtifact(name));
    on(this, "vitrine-open-file", (path) => void this.#openFile(path));
    on(this, "vitrine-edit-file", (path) => void this.#editFile(path));
    const { signal } = this.#leaving;
    for (const name of ["dragenter", "dragover", "dragleave", "drop"] as const) {
      document.addEventListener(name, this.#drag, { signal });
    }
    document.addEventListener("keydown", this.#key, { signal });
    this.#narrow.addEventListener("change", () => this.#setShelf(false), { signal });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leaving.abort();
  }

  override render(): TemplateResult {
    const { app } = this;
    const sheet = this.#narrow.matches;
    return html`<header class="bar" ?inert=${sheet && this.#shelfOpen}>
        <vitrine-app-top-bar .app=${app}></vitrine-app-top-bar>
      </header>
      <vitrine-app-banners .app=${app}></vitrine-app-banners>
      <div class="columns">
        <main class="work" ?inert=${sheet && this.#shelfOpen}>
          <vitrine-app-transcript .app=${app}></vitrine-app-transcript>
          <vitrine-app-task-box
            class="composer"
            .app=${app}
            ?shelfOpen=${this.#shelfOpen}
            .toggleShelf=${this.#toggleShelf}
          ></vitrine-app-task-box>
        </main>
        ${sheet && this.#shelfOpen ? html`<div class="shade" @click=${this.#toggleShelf}></div>` : nothing}
        <aside
          id="shelf"
          class=${this.#shelfOpen ? "open" : ""}
          aria-label="Results and tools"
          ?inert=${sheet && !this.#shelfOpen}
        >
          <vitrine-app-shelf .app=${app} .close=${this.#toggleShelf}></vitrine-app-shelf>
        </aside>
      </div>
      <input id="file-input" type="file" multiple hidden @change=${this.#pick} />
      <vitrine-app-settings-dialog .app=${app}></vitrine-app-settings-dialog>
      <vitrine-app-add-tool-dialog .app=${app}></vitrine-app-add-tool-dialog>
      <vitrine-app-saved-tasks-dialog .app=${app}></vitrine-app-saved-tasks-dialog>
      <vitrine-app-content-dialog></vitrine-app-content-dialog>
      <vitrine-app-input-dialog .app=${app}></vitrine-app-input-dialog>
      ${this.#dropping ? html`<div class="drop" aria-hidden="true"><p>Drop files to put them into /workspace</p></div>` : nothing}
      <div class="visually-hidden" aria-live="polite" id="announcements">${app.announcement}</div>`;
  }

  /** Where no keyboard would cover half of the screen, what is typed first is a task. */
  override firstUpdated(): void {
    if (!this.#touched.matches && document.activeElement === document.body)
      this.querySelector<TaskBox>("vitrine-app-task-box")?.focusWhenDrawn();
  }

  override updated(): void {
    this.app.hear();
    const { current } = this.app.tasks;
    if (current !== undefined && current !== this.#task)
      this.querySelector<TranscriptView>("vitrine-app-transcript")?.follow();
    this.#task = current;
  }

  protected override refocus(gone: Element): boolean {
    // What is behind an open dialog takes no focus.
    const dialog = this.querySelector<HTMLDialogElement>("dialog[open]");
    if (dialog !== null) {
      dialog.querySelector<HTMLElement>("button, input")?.focus();
      return true;
    }
    const box = this.querySelector<TaskBox>("vitrine-app-task-box");
    const runs = this.app.tasks.current !== undefined;
    if (runs ? gone.matches("[type=submit]") : this.#touched.matches)
      void this.querySelector<TranscriptView>("vitrine-app-transcript")?.focusNewest();
    else if (runs) box?.focusStop();
    else box?.focusEnd();
    return true;
  }

  /** Loaded with their first use, which many visits do without. */
  async #openSettings(record: string | undefined): Promise<void> {
    if (await this.#isLoaded(import("../dialogs/settings-dialog.js"), "The settings")) {
      this.querySelector<SettingsDialog>("vitrine-app-settings-dialog")?.open(record);
    }
  }

  async #openAddTool(): Promise<void> {
    if (await this.#isLoaded(import("../dialogs/add-tool-dialog.js"), "The dialog")) {
      this.querySelector<AddToolDialog>("vitrine-app-add-tool-dialog")?.open();
    }
  }

  async #isLoaded(part: Promise<unknown>, what: string): Promise<boolean> {
    try {
      await part;
      return true;
    } catch (error) {
      console.error(error);
      this.app.setTrouble(`${what} did not load. Reload the page to try again.`);
      return false;
    }
  }

  async #tryPython(task: string, run: Snippet | undefined): Promise<void> {
    this.querySelector<ShelfView>("vitrine-app-shelf")?.show("console");
    if (this.#narrow.matches && !this.#shelfOpen) this.#toggleShelf();
    try {
      if (run === undefined) await this.app.tryInPython(task);
      else await this.app.console.runSnippet(run);
    } catch (error) {
      this.app.setTrouble(messageOf(error));
    }
  }

  /** Puts code into the console, for its reader to look at and to run; not over what is written there. */
  async offerPython(code: string): Promise<void> {
    await this.updateComplete;
    this.querySelector<ShelfView>("vitrine-app-shelf")?.show("console");
    if (this.#narrow.matches && !this.#shelfOpen) this.#toggleShelf();
    // The editor is loaded on its own.
    await customElements.whenDefined("vitrine-app-python-editor");
    await this.updateComplete;
    await this.querySelector("vitrine-app-python-editor")?.offer(code);
  }

  async #openArtifact(name: string): Promise<void> {
    const session = this.app.session.current;
    if (session === undefined) return;
    await this.#show(name, async () => {
      const bytes = await session.artifacts.loadBytes(name);
      return { bytes, description: (await session.artifacts.get(name))?.description ?? "" };
    });
  }

  async #openFile(path: string): Promise<void> {
    const session = this.app.session.current;
    if (session === undefined) return;
    await this.#show(path, async () => ({ bytes: await session.workspace.read(path), description: "" }));
  }

  async #editFile(path: string): Promise<void> {
    if (this.#narrow.matches && !this.#shelfOpen) this.#toggleShelf();
    // A keyboard would cover half of the screen where a finger opens it.
    await this.querySelector<ShelfView>("vitrine-app-shelf")?.edit(path, { isKey: !this.#touched.matches });
  }

  async #show(
    name: string,
    load: () => Promise<{ bytes: Uint8Array<ArrayBuffer>; description: string }>,
  ): Promise<void> {
    try {
      const { bytes, description } = await load();
      const form = contentForm(name, bytes);
      this.querySelector<ContentDialog>("vitrine-app-content-dialog")?.open({ name, bytes, description, form });
    } catch (error) {
      this.app.setTrouble(messageOf(error));
    }
  }

  async #addFiles(files: readonly GivenFile[]): Promise<void> {
    if (files.length === 0) return;
    try {
      const added = await this.app.addFiles(files);
      if (added.length === 0) return;
      this.querySelector<ShelfView>("vitrine-app-shelf")?.show("files");
      // The recorded model cannot be asked about it: the transcript shows what can be done instead.
      if (!this.app.tasks.modelCanGoOn) {
        this.querySelector<TranscriptView>("vitrine-app-transcript")?.follow();
        return;
      }
      this.app.askAbout(added);
      await this.querySelector<TaskBox>("vitrine-app-task-box")?.updateComplete;
      this.querySelector<TaskBox>("vitrine-app-task-box")?.focusEnd();
    } catch (error) {
      this.app.setTrouble(messageOf(error));
    }
  }

  readonly #pick = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const files = [...(target.files ?? [])];
    // So that the same file can be picked again.
    target.value = "";
    void this.#addFiles(files);
  };

  readonly #drag = (event: DragEvent): void => {
    const { dataTransfer, type } = event;
    if (dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    const leaves = type === "dragleave" && event.relatedTarget === null;
    const dropping = type !== "drop" && !leaves;
    if (dropping !== this.#dropping) {
      this.#dropping = dropping;
      this.requestUpdate();
    }
    if (type === "drop") void this.#addFiles([...dataTransfer.files]);
  };

  readonly #key = (event: KeyboardEvent): void => {
    const overlay = document.querySelector("dialog[open]") !== null;
    if (event.key === "Escape" && this.#shelfOpen && !overlay && !event.defaultPrevented) this.#toggleShelf();
  };

  readonly #toggleShelf = (): void => {
    this.#setShelf(!this.#shelfOpen);
    void this.updateComplete.then(() => {
      if (this.#shelfOpen) this.querySelector<ShelfView>("vitrine-app-shelf")?.focusTab();
      else this.querySelector<HTMLElement>(".composer .narrow")?.focus();
    });
  };

  #setShelf(open: boolean): void {
    this.#shelfOpen = open;
    this.requestUpdate();
  }
}
customElements.define("vitrine-app-demo", DemoPage);
