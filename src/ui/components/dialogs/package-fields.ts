import { html, nothing, type TemplateResult } from "lit";
import facts from "virtual:pyodide-release";

import { messageOf } from "../../../protocol/index.js";
import { visibleLine } from "../../drawing/visible.js";
import type { AppState } from "../../state/app-state.js";
import { DEFAULT_PACKAGES, type PackageSettings } from "../../state/session/package-settings.js";
import { formatBytes, formatCount } from "../../state/text/format.js";
import type { Observable } from "../../state/text/observable.js";
import { ViewElement } from "../base/view-element.js";

type Address = Exclude<keyof PackageSettings, "pyodide">;

/** What is kept on this device: at once, not with the rest of the settings. */
type Kept =
  | { readonly kind: "counting" }
  | { readonly kind: "counted"; readonly files: number; readonly bytes: number; readonly isPersistent: boolean }
  | { readonly kind: "failed"; readonly reason: string };

/** Where packages come from, which are installed, and which are kept for the next time. */
export class PackageFields extends ViewElement {
  static override properties = {
    app: { attribute: false },
    value: { attribute: false },
    badField: { attribute: false },
    change: { attribute: false },
  };
  declare app: AppState;
  declare value: PackageSettings;
  /** The field that keeps the settings from being saved; empty for none. */
  declare badField: string;
  declare change: (part: Partial<PackageSettings>) => void;
  #kept: Kept = { kind: "counting" };
  #isForgotten = false;
  #isUnfolded: boolean | undefined;

  constructor() {
    super();
    this.value = DEFAULT_PACKAGES;
    this.badField = "";
  }

  protected override sources(): readonly Observable[] {
    return [this.app.session];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#count();
  }

  override render(): TemplateResult {
    const { pyodide, mirror, index } = this.value;
    // As it was when the settings were opened, or a fault was found: what is typed does not fold it.
    this.#isUnfolded = this.badField !== "" || (this.#isUnfolded ?? (mirror !== "" || index !== ""));
    return html`<fieldset>
      <legend>Packages</legend>
      <p class="hint">
        A small folder came with this page: pydantic, attrs, xxhash and a few more. You are asked before an import
        installs one.
      </p>
      <label class="check"
        ><input
          type="checkbox"
          name="pyodide"
          .checked=${pyodide}
          @change=${({ target }: Event) => {
            if (target instanceof HTMLInputElement) this.change({ pyodide: target.checked });
          }}
        /><span
          >Pyodide’s own packages (NumPy, pandas …)<span class="hint"
            >They come from ${new URL(facts.packageFilesURL).host}, the host that Pyodide names, which learns which
            files are fetched; with a mirror, from there. You are asked before an import installs one.</span
          ></span
        ></label
      >
      <details ?open=${this.#isUnfolded}>
        <summary>A mirror, or an index of your own</summary>
        <div class="fields">
          ${this.#field("mirror", "Mirror of Pyodide’s packages", "https://mirror.example.org/pyodide/")}
          ${this.#field("index", "Index, as simple JSON", "https://index.example.org/simple/")}
          ${this.#field("indexHosts", "Other hosts of its files", "files.example.org")}
          <p class="hint">
            An index is asked last, and hears the names of packages that only it may have. Where hosts are limited
            above, its hosts must be among them.
          </p>
        </div>
      </details>
      <p class="hint">A change of these restarts Python.</p>
      ${this.#installed()}
      <div class="row">
        <span class="hint" role="status">${this.#keptText()}</span>
        <button
          type="button"
          class="quiet-link"
          aria-label="Forget the packages that are kept"
          ?hidden=${this.#kept.kind !== "counted" || (this.#kept.files === 0 && !this.#isForgotten)}
          aria-disabled=${this.#isForgotten ? "true" : nothing}
          @click=${() => void this.#forget()}
        >
          Forget them
        </button>
      </div>
    </fieldset>`;
  }

  #field(name: Address, label: string, placeholder: string): TemplateResult {
    const isBad = this.badField === name;
    return html`<label class="field"
      ><span>${label} <small class="hint">optional</small></span
      ><input
        type="text"
        inputmode="url"
        name=${name}
        placeholder=${placeholder}
        autocomplete="off"
        spellcheck="false"
        aria-invalid=${isBad}
        aria-describedby=${isBad ? "settings-problem" : nothing}
        .value=${this.value[name]}
        @input=${({ target }: Event) => {
          if (target instanceof HTMLInputElement) this.change({ [name]: target.value });
        }}
    /></label>`;
  }

  #installed(): TemplateResult {
    const packages = this.app.session.current?.deps.lock().packages ?? [];
    const names = packages.map(({ name, version }) => visibleLine(`${name} ${version}`)).sort();
    return html`<p class="hint">
      Installed now: ${names.length === 0 ? "none beside the standard library." : `${names.join(", ")}.`}
    </p>`;
  }

  #keptText(): string {
    const kept = this.#kept;
    if (kept.kind === "counting") return "Kept on this device: counting …";
    if (kept.kind === "failed") return `What is kept on this device cannot be read: ${kept.reason}`;
    const { files, bytes, isPersistent } = kept;
    const amount = files === 0 ? "no packages" : `${formatCount(files, "file")}, ${formatBytes(bytes)}`;
    if (!isPersistent) return `Kept until you leave the page, because this browser keeps no packages here: ${amount}.`;
    return this.#isForgotten ? "Kept on this device: no packages any more." : `Kept on this device: ${amount}.`;
  }

  async #count(): Promise<void> {
    try {
      const { cache } = (await this.app.session.open()).deps;
      const files = await cache.list();
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      this.#kept = { kind: "counted", files: files.length, bytes, isPersistent: cache.persistent };
    } catch (error) {
      this.#kept = { kind: "failed", reason: messageOf(error) };
    }
    this.requestUpdate();
  }

  async #forget(): Promise<void> {
    if (this.#isForgotten) return;
    try {
      await (await this.app.session.open()).deps.cache.clear();
      this.#isForgotten = true;
    } catch (error) {
      this.#kept = { kind: "failed", reason: messageOf(error) };
      this.requestUpdate();
      return;
    }
    await this.#count();
  }
}
customElements.define("vitrine-app-package-fields", PackageFields);
