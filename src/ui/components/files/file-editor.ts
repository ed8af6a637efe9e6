import { html, nothing, type TemplateResult } from "lit";

import { download } from "../../drawing/download.js";
import { visibleLine } from "../../drawing/visible.js";
import type { AppState } from "../../state/app-state.js";
import type { DiffFile } from "../../state/text/file-difference.js";
import type { OpenFile } from "../../state/files/open-file.js";
import { openFilesOf, type OpenFiles } from "../../state/files/open-files.js";
import { formatBytes } from "../../state/text/format.js";
import type { Observable } from "../../state/text/observable.js";
import "../content/diff-view.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";
import { warnsOfLoss } from "./unsaved-warning.js";

/** Files that are drawn as something else than their text. */
const DRAWN = /\.(?:md|markdown|html?|svg|csv|tsv|json|png|jpe?g|gif|webp|avif)$/i;

/** The file that is shown beside the tree: its text to edit, and what there is to say of it. */
export class FileEditor extends ViewElement {
  static override properties = { app: { attribute: false }, close: { attribute: false } };
  declare app: AppState;
  /** Shows the tree where both have no room. */
  declare close: () => void;
  #editor: "loading" | "ready" | "missing" = "loading";
  #loading: Promise<void> | undefined;
  /** What is compared instead of being edited. */
  #comparedKey = "";
  #compared: readonly DiffFile[] | undefined;

  get #files(): OpenFiles {
    return openFilesOf(this.app);
  }

  protected override sources(): readonly Observable[] {
    return [this.#files, this.app.shelf];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    warnsOfLoss(this.#files);
    this.#loading = this.#load();
  }

  override render(): TemplateResult | typeof nothing {
    const file = this.#files.current;
    if (file === undefined) return nothing;
    const path = visibleLine(file.path);
    const isText = file.content.kind === "text";
    const isDrawn = DRAWN.test(file.path) && file.content.kind !== "large";
    return html`<section class="file-editor" aria-label=${`File ${path}`} @keydown=${this.#key}>
      <header>
        <button type="button" class="btn ghost files-back" @click=${this.close}>‹ Files</button>
        <h3>${path}</h3>
        <span class="hint" role="status">${this.#stateOf(file)}</span>
      </header>
      ${this.#other(file)} ${this.#body(file)}
      <footer class=${isText || isDrawn ? "" : "nothing-else"}>
        ${isText ? this.#save(file) : nothing}
        ${
          isDrawn
            ? html`<button type="button" class="btn" @click=${() => emit(this, "vitrine-open-file", file.path)}>
                Show it drawn
              </button>`
            : nothing
        }
        <span class="spacer"></span>
        <button type="button" class="btn ghost files-close" @click=${this.close}>Close</button>
      </footer>
    </section>`;
  }

  override willUpdate(): void {
    const file = this.#files.current;
    const key = file === undefined ? "" : `${file.path}\n${String(file.isChanged)}\n${String(file.other?.version)}`;
    // What is compared is that file, as long as there is something to compare.
    if (key !== this.#comparedKey) this.#compared = undefined;
    this.#comparedKey = key;
  }

  /** Gives the focus to the text, or to what there is instead. */
  async focusContent(): Promise<void> {
    await this.#loading;
    await this.updateComplete;
    const text = this.querySelector("vitrine-app-text-editor");
    await text?.updateComplete;
    if (text === null) this.querySelector<HTMLElement>(".file-said button, .files-close")?.focus();
    else text.focus();
  }

  protected override refocus(): boolean {
    if (this.#files.current === undefined) return false;
    void this.focusContent();
    return true;
  }

  #stateOf(file: OpenFile): string {
    if (file.isSaving) return "Saving…";
    if (file.isChanged) return "Unsaved changes";
    const trust = this.app.shelf.files.find(({ path }) => path === file.path)?.trust;
    if (trust !== undefined) return `Written by code, at trust level ${trust}. Saving it makes it yours.`;
    return file.content.kind === "text" ? "Saved" : formatBytes(file.size);
  }

  #body(file: OpenFile): TemplateResult {
    const { kind } = file.content;
    if (kind !== "text") {
      const why = {
        binary: "This file is binary, or text in another encoding than UTF-8.",
        large: `This file has ${formatBytes(file.size)}, which is too large to be edited here.`,
        long: "This file has a line of more than 5,000 characters, which is too long to be edited here.",
      }[kind];
      return html`<div class="file-said">
        <p>${why} It can be downloaded.</p>
        <div class="row">
          <button type="button" class="btn" @click=${() => void this.#download(file)}>Download</button>
          ${
            /\.zip$/i.test(file.path)
              ? html`<button type="button" class="btn" @click=${() => emit(this, "vitrine-unpack-file", file.path)}>
                  Unpack…
                </button>`
              : nothing
          }
        </div>
      </div>`;
    }
    if (this.#compared !== undefined) {
      return html`<div class="file-compared scroller" tabindex="0" role="region" aria-label="Comparison">
        <p class="hint">
          ${file.other === undefined ? "What you have changed since it was saved." : "What your version changes in the other one."}
        </p>
        <vitrine-app-diff .files=${this.#compared}></vitrine-app-diff>
      </div>`;
    }
    if (this.#editor === "missing") {
      return html`<p class="notice bad" role="alert">The editor did not load. Reload the page to try again.</p>`;
    }
    if (this.#editor === "loading") return html`<p class="hint file-said">Opening the editor…</p>`;
    return html`<vitrine-app-text-editor .files=${this.#files} .file=${file}></vitrine-app-text-editor>`;
  }

  #save(file: OpenFile): TemplateResult {
    const canSave = file.isChanged && !file.isSaving && file.other === undefined;
    return html`<button
        type="button"
        class="btn primary"
        aria-disabled=${!canSave}
        title="Ctrl+S, or Cmd+S"
        @click=${() => {
          if (canSave) void this.#files.save(file);
        }}
      >
        Save
      </button>
      ${
        file.isChanged && file.other === undefined
          ? html`${this.#compare(file)}
              <button type="button" class="btn" @click=${() => void this.#revert(file)}>Discard changes</button>`
          : nothing
      }`;
  }

  /** Shows what is different, or the text again. */
  #compare(file: OpenFile): TemplateResult {
    const isOn = this.#compared !== undefined;
    return html`<button
      type="button"
      class="btn"
      aria-pressed=${isOn}
      @click=${() => {
        const before = file.other === undefined ? file.savedText : file.other.text;
        this.#compared = isOn ? undefined : [{ path: file.path, before, after: file.text }];
        this.requestUpdate();
      }}
    >
      ${isOn ? "Show the text" : file.other === undefined ? "Show changes" : "Compare both"}
    </button>`;
  }

  /** The choice between two versions, while there is one. */
  #other(file: OpenFile): TemplateResult | typeof nothing {
    const { other } = file;
    if (other === undefined) return nothing;
    const isGone = other.version === null;
    return html`<div class="notice" role="alert">
      <p>
        <b>${isGone ? "This file was deleted meanwhile." : "This file has changed meanwhile."}</b>
        ${
          isGone
            ? "Your version is kept here until you decide."
            : "Code, an agent or another tab has written it. Both versions are kept until you decide."
        }
      </p>
      <div class="row">
        ${other.text === null ? nothing : this.#compare(file)}
        <button type="button" class="btn" @click=${() => void this.#files.overwrite(file)}>
          ${isGone ? "Save mine again" : "Overwrite with mine"}
        </button>
        <button type="button" class="btn" @click=${() => void this.#files.saveCopy(file)}>Save mine as a copy</button>
        <button type="button" class="btn" @click=${() => void this.#files.revert(file)}>
          ${isGone ? "Drop mine" : "Take the other"}
        </button>
      </div>
    </div>`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    const file = this.#files.current;
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    // Else the browser would save the page.
    event.preventDefault();
    if (file !== undefined) void this.#files.save(file);
  };

  async #revert(file: OpenFile): Promise<void> {
    if (!confirm(`Discard your changes to ${visibleLine(file.path)}? They cannot be had back.`)) return;
    await this.#files.revert(file);
    this.querySelector("vitrine-app-text-editor")?.focus();
  }

  async #download(file: OpenFile): Promise<void> {
    const { workspace } = await this.app.session.open();
    download(file.path, await workspace.read(file.path));
  }

  /** A third of the page's scripts, which come with the first file that is opened. */
  async #load(): Promise<void> {
    try {
      await import("./text-editor.js");
      this.#editor = "ready";
    } catch (error) {
      console.error(error);
      this.#editor = "missing";
    }
    this.requestUpdate();
  }
}
customElements.define("vitrine-app-file-editor", FileEditor);
