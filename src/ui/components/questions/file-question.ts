import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import type { FileDecision, FileProposal } from "../../../tools/index.js";
import { visibleLine } from "../../drawing/visible.js";
import type { PendingApproval } from "../../state/questions/approvals.js";
import type { FileChoices } from "../../state/questions/file-choices.js";
import { isInConflict } from "../../state/questions/file-choices.js";
import { formatCount } from "../../state/text/format.js";
import { ListPart } from "../base/list-part.js";
import { ViewElement } from "../base/view-element.js";
import "./proposed-file.js";

/** Names that are listed above the files themselves. */
const MOST_NAMES = 50;

/** Asks the user, file by file, about what a call would write. */
export class FileQuestion extends ViewElement {
  static override properties = { pending: { attribute: false } };
  declare pending: PendingApproval | undefined;
  readonly #part = new ListPart<FileProposal>(this, { step: 20, focusable: "vitrine-app-proposed-file summary" });
  #stop: (() => void) | undefined;
  #drawn: readonly FileProposal[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("pending")) this.#listen();
    this.#drawn = this.#part.of(this.#choices?.files ?? []);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    this.#stop = undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const choices = this.#choices;
    if (choices === undefined) return nothing;
    const { files } = choices;
    // A person agrees to what they could see.
    const isPartial = this.#drawn.length < files.length;
    const conflicts = files.filter(isInConflict).length;
    return html`${nameList(files)}
      <div class="proposed-files">
        ${repeat(
          this.#drawn,
          ({ path }) => path,
          (file, index) =>
            html`<vitrine-app-proposed-file
              .file=${file}
              .number=${index}
              .decision=${choices.of(file)}
              .choose=${(decision: FileDecision) => {
                choices.choose(file, decision);
              }}
            ></vitrine-app-proposed-file>`,
        )}
      </div>
      ${this.#part.rest(files, "file")}
      <label class="field">
        <span>Reason, if you refuse any (the code is told)</span>
        <input type="text" autocomplete="off" maxlength="500" />
      </label>
      <div class="row">
        <span class="hint">
          ${conflicts === 0 ? nothing : `${formatCount(conflicts, "file")} in conflict: as you choose above, with either button that accepts.`}
          Nothing is written before you answer. The run and its clock wait for you. Waiting ends when this tab is
          closed.
        </span>
        <button type="button" class="btn" @click=${() => this.pending?.deny(this.#reason)}>Refuse all</button>
        <button
          type="button"
          class="btn"
          ?disabled=${isPartial}
          @click=${() => {
            choices.acceptChosen(this.#reason);
          }}
        >
          Accept chosen
        </button>
        <button
          type="button"
          class="btn primary"
          ?disabled=${isPartial}
          @click=${() => {
            choices.acceptAll(this.#reason);
          }}
        >
          Accept all
        </button>
      </div>`;
  }

  get #choices(): FileChoices | undefined {
    return this.pending?.files;
  }

  get #reason(): string {
    return this.querySelector<HTMLInputElement>(":scope > .field input")?.value.trim() ?? "";
  }

  #listen(): void {
    this.#stop?.();
    this.#stop = this.#choices?.onChange(() => {
      this.requestUpdate();
    });
  }
}
customElements.define("vitrine-app-file-question", FileQuestion);

/** All names before anything that may be long. */
function nameList(files: readonly FileProposal[]): TemplateResult {
  const more = files.length - MOST_NAMES;
  return html`<p>${formatCount(files.length, "file")}:</p>
    <ul class="proposed-names" aria-label="The files">
      ${files.slice(0, MOST_NAMES).map(
        (file) =>
          html`<li>
            <code>${visibleLine(file.path)}</code>
            <span class="tag">${operationOf(file)}</span>
            ${isInConflict(file) ? html`<span class="tag bad">in conflict</span>` : nothing}
          </li>`,
      )}
      ${more > 0 ? html`<li>and ${formatCount(more, "more file")}</li>` : nothing}
    </ul>`;
}

function operationOf({ operation, image }: FileProposal): string {
  const word = operation === "create" ? "new" : "changed";
  return image === null ? word : `${word}, an image`;
}
