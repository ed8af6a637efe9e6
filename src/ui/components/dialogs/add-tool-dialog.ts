import { html, nothing, type TemplateResult } from "lit";

import { messageOf } from "../../../protocol/index.js";
import type { OpenApiProgress } from "../../../tools/index.js";
import { visibleText } from "../../drawing/visible.js";
import type { AppState } from "../../state/app-state.js";
import { importText } from "../../state/text/import-text.js";
import { toolSource, type ToolDraft, type ToolKind } from "../../state/session/tool-source.js";
import { DialogElement } from "../base/dialog-element.js";

const EMPTY: ToolDraft = { kind: "mcp", name: "", url: "", text: "" };

const SAMPLE = `name: library
type: http
base_url: https://library.example/v1
recipes:
  find:
    path: /books
    params:
      text: { type: string, required: true }`;

/** Gives code a further tool: an MCP server, an OpenAPI document, or any tool file. */
export class AddToolDialog extends DialogElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #draft: ToolDraft | undefined;
  #problem = "";
  /** The attempt that is under way. What has the focus keeps it meanwhile. */
  #attempt: AbortController | undefined;
  /** How far an OpenAPI document has come in it. */
  #progress: OpenApiProgress | undefined;

  open(): void {
    this.#draft = EMPTY;
    this.#problem = "";
    this.show();
  }

  override render(): TemplateResult | typeof nothing {
    const draft = this.#draft;
    if (draft === undefined) return nothing;
    const isBusy = this.#attempt !== undefined;
    const { phase, count } = importText(this.#progress);
    return html`<dialog class="dialog" aria-labelledby="add-tool-title" @close=${this.closed}>
      <form @submit=${this.#add}>
        <header><h2 id="add-tool-title">Add a tool</h2></header>
        <div class="body">
          <fieldset ?disabled=${isBusy}>
            <legend>What it is</legend>
            ${this.#choice("mcp", "MCP server", "Its tools become functions. It has to allow requests from this page.")}
            ${this.#choice("openapi", "OpenAPI document", "Each of its operations becomes a function.")}
            ${this.#choice("file", "Tool file", "YAML of type http, openapi, mcp or cli.")}
          </fieldset>
          ${draft.kind === "file" ? this.#text(draft) : this.#address(draft)}
          ${this.#problem === "" ? nothing : html`<p class="notice bad" role="alert" id="add-tool-problem">${this.#problem}</p>`}
          <p class="hint">
            <span role="status"
              >${isBusy ? phase : "It stays on this device. Calls that it marks as destructive ask you first."}</span
            >
            ${isBusy ? count : nothing}
          </p>
        </div>
        <footer>
          <button type="button" class="btn" @click=${this.close}>Cancel</button>
          <button type="submit" class="btn primary" aria-disabled=${isBusy}>Add</button>
        </footer>
      </form>
    </dialog>`;
  }

  #choice(kind: ToolKind, label: string, text: string): TemplateResult {
    return html`<label class="choice"
      ><input
        type="radio"
        name="kind"
        value=${kind}
        .checked=${this.#draft?.kind === kind}
        @change=${() => {
          this.#change({ kind });
        }}
      /><span><b>${label}</b><span class="hint">${text}</span></span></label
    >`;
  }

  #address({ kind, name, url }: ToolDraft): TemplateResult {
    const placeholder = kind === "mcp" ? "https://mcp.example.org/mcp" : "https://library.example.org/openapi.json";
    return html`${this.#field("name", "Name in Python", { type: "text", value: name, placeholder: "library" })}
    ${this.#field("url", "Address", { type: "url", value: url, placeholder })}`;
  }

  #field(
    name: "name" | "url",
    label: string,
    { type, value, placeholder }: { readonly type: string; readonly value: string; readonly placeholder: string },
  ): TemplateResult {
    return html`<label class="field"
      ><span>${label}</span
      ><input
        type=${type}
        name=${name}
        required
        autocomplete="off"
        spellcheck="false"
        placeholder=${placeholder}
        aria-describedby=${this.#problem === "" ? nothing : "add-tool-problem"}
        ?readonly=${this.#attempt !== undefined}
        .value=${value}
        @input=${this.#edit}
    /></label>`;
  }

  #text({ text }: ToolDraft): TemplateResult {
    return html`<label class="field"
      ><span>YAML</span
      ><textarea
        name="text"
        required
        rows="12"
        spellcheck="false"
        placeholder=${SAMPLE}
        aria-describedby=${this.#problem === "" ? nothing : "add-tool-problem"}
        ?readonly=${this.#attempt !== undefined}
        .value=${text}
        @input=${this.#edit}
      ></textarea>
    </label>`;
  }

  readonly #edit = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      this.#change({ [target.name]: target.value });
    }
  };

  #change(part: Partial<ToolDraft>): void {
    if (this.#draft !== undefined) this.#draft = { ...this.#draft, ...part };
    this.#problem = "";
    this.requestUpdate();
  }

  readonly #add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const draft = this.#draft;
    if (draft === undefined || this.#attempt !== undefined) return;
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#progress = undefined;
    this.#problem = "";
    this.requestUpdate();
    try {
      await this.app.addTool(toolSource(draft), {
        signal: attempt.signal,
        onProgress: (progress) => {
          if (this.#attempt !== attempt) return;
          this.#progress = progress;
          this.requestUpdate();
        },
      });
      if (!attempt.signal.aborted) this.close();
    } catch (error) {
      if (!attempt.signal.aborted) this.#problem = visibleText(messageOf(error));
    } finally {
      if (this.#attempt === attempt) this.#attempt = undefined;
      this.requestUpdate();
    }
  };

  protected override forget(): void {
    this.#attempt?.abort();
    this.#attempt = undefined;
    this.#draft = undefined;
    this.requestUpdate();
  }
}
customElements.define("vitrine-app-add-tool-dialog", AddToolDialog);
