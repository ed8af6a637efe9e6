import { html, nothing, type TemplateResult } from "lit";

import { messageOf } from "../../../protocol/index.js";
import { visibleLine } from "../../drawing/visible.js";
import type { AppState } from "../../state/app-state.js";
import { fileTreeOf } from "../../state/files/file-tree-state.js";
import type { PlannedFile, ZipPlan } from "../../state/files/zip-plan.js";
import { formatBytes, formatCount } from "../../state/text/format.js";
import { DialogElement } from "../base/dialog-element.js";

/** Paths of one kind that are named. */
const NAMED = 8;

/** What is known of an archive, or why nothing is. */
type Looked =
  | { readonly kind: "reading" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "planned"; readonly archive: Uint8Array<ArrayBuffer>; readonly plan: ZipPlan };

/** Shows what would come out of a zip archive, and unpacks it into `/workspace`, all of it or nothing. */
export class UnpackDialog extends DialogElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #name = "";
  #looked: Looked | undefined;
  #folder = "";
  #problem = "";
  /** Files that are unpacked, while it works. */
  #done: number | undefined;
  #stop = new AbortController();

  async open(file: File): Promise<void> {
    const reading: Looked = { kind: "reading" };
    this.#stop.abort();
    this.#name = file.name;
    this.#folder = "";
    this.#problem = "";
    this.#looked = reading;
    this.show();
    const looked = await look(file);
    // By now it may have been closed, or show another file.
    if (this.#looked !== reading) return;
    this.#looked = looked;
    this.requestUpdate();
  }

  override render(): TemplateResult | typeof nothing {
    const looked = this.#looked;
    if (looked === undefined) return nothing;
    const isPlanned = looked.kind === "planned" && looked.plan.files.length > 0;
    return html`<dialog class="dialog" aria-labelledby="unpack-title" @close=${this.closed} @cancel=${this.#leave}>
      <form @submit=${this.#submit}>
        <header><h2 id="unpack-title">Unpack ${visibleLine(this.#name)}</h2></header>
        <div class="body">
          ${this.#body(looked)}
          ${this.#problem === "" ? nothing : html`<p class="notice bad" role="alert">${this.#problem}</p>`}
        </div>
        <footer>
          <button type="button" class="btn" @click=${this.#leave}>
            ${this.#done === undefined ? "Cancel" : "Stop"}
          </button>
          ${
            isPlanned
              ? html`<button type="submit" class="btn primary" aria-disabled=${this.#done !== undefined}>
                  Unpack
                </button>`
              : nothing
          }
        </footer>
      </form>
    </dialog>`;
  }

  #body(looked: Looked): TemplateResult {
    if (looked.kind === "reading") return html`<p class="hint" role="status">Reading the archive…</p>`;
    if (looked.kind === "refused") return html`<p class="notice bad" role="alert">${looked.why}</p>`;
    const { files, size, leftOut } = looked.plan;
    const left = html`${
      leftOut.length === 0
        ? nothing
        : this.#paths(
            `${formatCount(leftOut.length, "file")} left out:`,
            leftOut.map(({ path, why }) => `${visibleLine(path)} ${why}`),
          )
    }`;
    if (files.length === 0)
      return html`<p>Nothing in it can be unpacked here.</p>
        ${left}`;
    if (this.#done !== undefined) {
      return html`<p role="status">
          Unpacking, ${this.#done.toLocaleString("en-US")} of ${formatCount(files.length, "file")}
        </p>
        <progress aria-label="Unpacking" max=${files.length} value=${this.#done}></progress>`;
    }
    return html`<p>${formatCount(files.length, "file")}, ${formatBytes(size)} unpacked.</p>
      <label class="field">
        <span>Into the folder (empty: /workspace itself)</span>
        <input
          type="text"
          class="code-input"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${this.#folder}
          @input=${this.#edit}
        />
      </label>
      ${this.#replaced(files)} ${left}`;
  }

  #replaced(files: readonly PlannedFile[]): TemplateResult | typeof nothing {
    const present = new Set(this.app.shelf.files.map(({ path }) => path));
    const folder = folderOf(this.#folder);
    const replaced = files.map(({ path }) => folder + path).filter((path) => present.has(path));
    if (replaced.length === 0) return nothing;
    const words = `${formatCount(replaced.length, "file")} already there will be replaced:`;
    return this.#paths(words, replaced.map(visibleLine));
  }

  #paths(words: string, paths: readonly string[]): TemplateResult {
    return html`<div class="hint unpack-paths">
      <p>${words}</p>
      <ul>
        ${paths.slice(0, NAMED).map((path) => html`<li>${path}</li>`)}
        ${paths.length > NAMED ? html`<li>and ${(paths.length - NAMED).toLocaleString("en-US")} more</li>` : nothing}
      </ul>
    </div>`;
  }

  readonly #edit = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.#folder = target.value;
    this.requestUpdate();
  };

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    const looked = this.#looked;
    if (looked?.kind === "planned" && this.#done === undefined) void this.#unpack(looked);
  };

  async #unpack({ archive, plan }: Extract<Looked, { kind: "planned" }>): Promise<void> {
    const { app } = this;
    const folder = folderOf(this.#folder);
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#done = 0;
    this.#problem = "";
    this.requestUpdate();
    try {
      const { unpackZip } = await import("../../state/files/unpack-zip.js");
      const { workspace } = await app.session.open();
      const onProgress = (done: number): void => {
        this.#done = done;
        this.requestUpdate();
      };
      await unpackZip(
        workspace,
        { archive, files: plan.files },
        { folder, present: app.shelf.files, onProgress, signal },
      );
      const [first] = plan.files;
      if (first !== undefined) fileTreeOf(app.shelf).reveal(folder + first.path);
      app.announce(`${formatCount(plan.files.length, "file")} of ${this.#name} are in /workspace.`);
      this.close();
    } catch (error) {
      this.#problem = signal.aborted ? "Stopped. Nothing was unpacked." : messageOf(error);
    }
    this.#done = undefined;
    this.requestUpdate();
  }

  /** Stops what goes on, or closes the dialog where nothing does. */
  readonly #leave = (event: Event): void => {
    if (this.#done === undefined) {
      if (event.type !== "cancel") this.close();
      return;
    }
    event.preventDefault();
    this.#stop.abort();
  };

  protected override forget(): void {
    this.#stop.abort();
    this.#looked = undefined;
    this.requestUpdate();
  }
}
customElements.define("vitrine-app-unpack-dialog", UnpackDialog);

async function look(file: File): Promise<Looked> {
  try {
    const { planZip, readArchive } = await import("../../state/files/zip-plan.js");
    const archive = await readArchive(file);
    return { kind: "planned", archive, plan: await planZip(archive) };
  } catch (error) {
    return { kind: "refused", why: messageOf(error) };
  }
}

/** With a slash at its end; empty for `/workspace` itself. */
function folderOf(written: string): string {
  const folder = written
    .trim()
    .replace(/^\/?workspace(?:\/|$)|^\//, "")
    .replace(/\/+$/, "");
  return folder === "" ? "" : `${folder}/`;
}

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-app-unpack-dialog": UnpackDialog;
  }
}
