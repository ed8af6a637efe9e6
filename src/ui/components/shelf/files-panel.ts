import { html, nothing, type TemplateResult } from "lit";

import { messageOf } from "../../../protocol/index.js";
import type { Workspace, WorkspaceFile } from "../../../workspace/index.js";
import { download } from "../../drawing/download.js";
import { visibleLine } from "../../drawing/visible.js";
import type { AppState } from "../../state/app-state.js";
import { createFile, deleteFiles, moveRow } from "../../state/files/file-changes.js";
import { fileTreeOf } from "../../state/files/file-tree-state.js";
import { openFilesOf, type OpenFiles } from "../../state/files/open-files.js";
import { filesOf, folderPrefix, type TreeRow } from "../../state/files/path-tree.js";
import { formatBytes, formatCount } from "../../state/text/format.js";
import type { Observable } from "../../state/text/observable.js";
import { emit, on } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";
import type { FileEditor } from "../files/file-editor.js";
import "../files/file-editor.js";
import type { FileTree, FileTreeEvents } from "../files/file-tree.js";
import "../files/file-tree.js";
import "../files/path-dialog.js";
import "../files/unpack-dialog.js";

/** How far the packing of an archive has come. */
interface Packing {
  readonly done: number;
  readonly of: number;
  readonly stop: AbortController;
}

/** The files of `/workspace`: their tree, what can be done with them, and the one that is edited. */
export class FilesPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #problem = "";
  /** While it goes on. */
  #packing: Packing | undefined;

  protected override sources(): readonly Observable[] {
    return [this.app.shelf, fileTreeOf(this.app.shelf), this.#open];
  }

  get #open(): OpenFiles {
    return openFilesOf(this.app);
  }

  constructor() {
    super();
    on(this, "vitrine-unpack-file", (path) => void this.#unpack(path));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.closest(".columns")?.classList.remove("editing");
  }

  override updated(): void {
    // A file that is edited has more room than a list.
    this.closest(".columns")?.classList.toggle("editing", this.#open.current !== undefined);
  }

  override render(): TemplateResult {
    const { files } = this.app.shelf;
    const { current, problem } = this.#open;
    const trouble = this.#problem === "" ? problem : this.#problem;
    return html`<div class=${current === undefined ? "files-view" : "files-view showing"}>
      <div class="row files-bar">
        <button type="button" class="btn" @click=${this.#create}>New file</button>
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-pick-files")}>Add files</button>
        <button type="button" class="btn" @click=${() => this.querySelector<HTMLInputElement>("#zip-input")?.click()}>
          Upload zip
        </button>
        ${
          files.length === 0
            ? nothing
            : html`<button
                type="button"
                class="btn"
                ?disabled=${this.#packing !== undefined}
                @click=${() => void this.#pack("workspace", files)}
              >
                Download all
              </button>`
        }
        <input
          id="zip-input"
          type="file"
          accept=".zip,application/zip"
          hidden
          aria-label="Zip archive"
          @change=${this.#pickZip}
        />
      </div>
      ${this.#packing === undefined ? nothing : this.#progress(this.#packing)}
      ${trouble === "" ? nothing : html`<p class="notice" role="alert">${trouble}</p>`}
      <div class="files-both">
        ${files.length === 0 ? this.#empty() : this.#tree()}
        ${
          current === undefined
            ? nothing
            : html`<vitrine-app-file-editor .app=${this.app} .close=${this.#close}></vitrine-app-file-editor>`
        }
      </div>
      <vitrine-app-path-dialog></vitrine-app-path-dialog>
      <vitrine-app-unpack-dialog .app=${this.app}></vitrine-app-unpack-dialog>
    </div>`;
  }

  #empty(): TemplateResult {
    return html`<p class="hint files-empty">
      Python finds your files in <code>/workspace</code>. They stay on this device. Add some here, or drop them anywhere
      on the page.
    </p>`;
  }

  #tree(): TemplateResult {
    const tree = fileTreeOf(this.app.shelf);
    return html`<div class="files-tree">
      <vitrine-app-file-tree
        .tree=${tree}
        .on=${this.#events}
        .shown=${this.#open.shown}
        .unsaved=${this.#open.unsaved}
      ></vitrine-app-file-tree>
      ${tree.active === undefined ? nothing : this.#actions(tree.active)}
    </div>`;
  }

  /** What can be done with the row where the keys are. */
  #actions(row: TreeRow): TemplateResult {
    const { path, file, count } = row;
    const shown = visibleLine(path);
    const link = (name: string, act: () => void): TemplateResult =>
      html`<button type="button" class="quiet-link" aria-label=${`${name} ${shown}`} @click=${act}>${name}</button>`;
    return html`<div class="files-actions" role="group" aria-label="The selected file or folder">
      <p><b>/workspace/${shown}</b></p>
      <p class="hint">
        ${file === null ? formatCount(count, "file") : formatBytes(file.size)}${
          file?.trust === undefined ? nothing : ` · written by code, at trust level ${file.trust}`
        }
      </p>
      <div class="row">
        ${
          file === null
            ? link("Download", () => void this.#pack(row.name, filesOf(row, this.app.shelf.files)))
            : html`${link("Open", () => void this.edit(path, { isKey: true }))}
              ${link("Ask about", () => {
                this.app.askAbout([path]);
              })}
              ${link("Download", () => void this.#download(path))}`
        }
        ${link("Rename", () => {
          this.#rename(row);
        })}
        ${link("Delete", () => void this.#delete(row))}
      </div>
    </div>`;
  }

  readonly #events: FileTreeEvents = {
    open: (path, how) => void this.edit(path, how),
    rename: (row) => {
      this.#rename(row);
    },
    remove: (row) => void this.#delete(row),
  };

  /** Opens a file in the editor. */
  async edit(path: string, { isKey }: { readonly isKey: boolean }): Promise<void> {
    await this.#open.open(path);
    await this.updateComplete;
    const editor = this.querySelector<FileEditor>("vitrine-app-file-editor");
    // A finger that opens a file is not about to write: a keyboard would cover half of the screen.
    if (isKey) await editor?.focusContent();
    else if (this.querySelector(".files-tree")?.checkVisibility() === false) {
      editor?.querySelector<HTMLElement>(".files-back")?.focus();
    }
  }

  readonly #close = (): void => {
    this.#open.hide();
    void this.updateComplete.then(() => this.querySelector<FileTree>("vitrine-app-file-tree")?.focusActive());
  };

  readonly #create = (): void => {
    const tree = fileTreeOf(this.app.shelf);
    this.querySelector("vitrine-app-path-dialog")?.ask({
      title: "New file",
      path: folderPrefix(tree.active),
      action: "Create",
      note: "With / in it the file lies in a folder, which is made where there is none.",
      use: async (path) => {
        await createFile(await this.#workspace(), path);
        tree.reveal(path);
        await this.#open.open(path);
        this.app.announce(`${path} is there.`);
      },
    });
  };

  #rename(row: TreeRow): void {
    const tree = fileTreeOf(this.app.shelf);
    this.querySelector("vitrine-app-path-dialog")?.ask({
      title: row.file === null ? "Rename or move a folder" : "Rename or move a file",
      path: row.path,
      action: "Rename",
      note:
        row.file === null
          ? `All that is in it moves: ${formatCount(row.count, "file")}.`
          : "Another folder moves it there.",
      use: async (path) => {
        const { paths, moved } = await moveRow(await this.#workspace(), { row, files: this.app.shelf.files, path });
        this.#open.moved(paths, moved);
        if (row.isOpen) tree.setOpen(path, true);
        tree.reveal(path);
        this.app.announce(`${row.path} is ${path} now.`);
      },
    });
  }

  async #delete(row: TreeRow): Promise<void> {
    const files: readonly WorkspaceFile[] = filesOf(row, this.app.shelf.files);
    const what = row.file === null ? ` with ${formatCount(files.length, "file")}` : "";
    const lost = files.filter(({ path }) => this.#open.unsaved.has(path)).length;
    const loss = lost === 0 ? "" : ` Changes to ${formatCount(lost, "file")} were not saved.`;
    if (!confirm(`Delete /workspace/${visibleLine(row.path)}${what}? It cannot be had back.${loss}`)) return;
    await this.#attempt(async () => {
      await deleteFiles(await this.#workspace(), files);
      this.#open.deleted(files);
      this.app.announce(`${row.path} is deleted.`);
    });
    await this.querySelector<FileTree>("vitrine-app-file-tree")?.focusActive();
  }

  #progress({ done, of, stop }: Packing): TemplateResult {
    return html`<p class="hint files-packing">
      Packing, ${done.toLocaleString("en-US")} of ${formatCount(of, "file")}
      <button
        type="button"
        class="quiet-link"
        @click=${() => {
          stop.abort();
        }}
      >
        Stop
      </button>
    </p>`;
  }

  /** Downloads files as one archive. */
  async #pack(name: string, files: readonly WorkspaceFile[]): Promise<void> {
    if (this.#packing !== undefined) return;
    const stop = new AbortController();
    const { signal } = stop;
    const onProgress = (done: number): void => {
      this.#packing = { done, of: files.length, stop };
      this.requestUpdate();
    };
    onProgress(0);
    this.app.announce(`${formatCount(files.length, "file")} are being packed.`);
    await this.#attempt(async () => {
      try {
        const { packZip } = await import("../../state/files/pack-zip.js");
        const { archive, gone } = await packZip(await this.#workspace(), files, { onProgress, signal });
        download(`${name}.zip`, archive);
        this.app.announce(`${formatCount(files.length - gone.length, "file")} are packed.`);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        this.#packing = undefined;
      }
    });
  }

  readonly #pickZip = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const [file] = target.files ?? [];
    // So that the same file can be picked again.
    target.value = "";
    if (file !== undefined) void this.querySelector("vitrine-app-unpack-dialog")?.open(file);
  };

  async #unpack(path: string): Promise<void> {
    await this.#attempt(async () => {
      const bytes = await (await this.#workspace()).read(path);
      await this.querySelector("vitrine-app-unpack-dialog")?.open(
        new File([bytes], path.slice(path.lastIndexOf("/") + 1)),
      );
    });
  }

  async #download(path: string): Promise<void> {
    await this.#attempt(async () => {
      download(path, await (await this.#workspace()).read(path));
    });
  }

  async #workspace(): Promise<Workspace> {
    return (await this.app.session.open()).workspace;
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
}
customElements.define("vitrine-app-files", FilesPanel);
