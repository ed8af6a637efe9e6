import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import type { FileDecision, FileProposal } from "../../../tools/index.js";
import { visibleLine, visibleText } from "../../drawing/visible.js";
import { decisionsOn, foreignDifference, proposedDifference } from "../../state/questions/file-choices.js";
import { imageType, type ContentForm } from "../../state/text/content-form.js";
import { isTooLong, type DiffFile } from "../../state/text/file-difference.js";
import { formatBytes } from "../../state/text/format.js";
import "../content/content-view.js";
import "../content/file-diff.js";
import { ViewElement } from "../base/view-element.js";
import { nameNote } from "./who-asks.js";

const WORDS: Readonly<Record<FileDecision, string>> = {
  accept: "Accept",
  refuse: "Refuse",
  keep: "Keep theirs",
  overwrite: "Write over it",
  merge: "Have the model merge both",
};

/** One file that a call would write: what is different in it, what is to be known of it, and what the user chooses. */
export class ProposedFile extends ViewElement {
  static override properties = {
    file: { attribute: false },
    number: { type: Number },
    decision: { attribute: false },
    choose: { attribute: false },
  };
  declare file: FileProposal | undefined;
  /** Of all those that are asked about: each has radio buttons of its own. */
  declare number: number;
  declare decision: FileDecision;
  declare choose: (decision: FileDecision) => void;
  /** Kept, since another object is drawn as another difference. */
  #proposed: DiffFile | null = null;
  #foreign: DiffFile | null = null;

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("file") || this.file === undefined) return;
    this.#proposed = proposedDifference(this.file);
    this.#foreign = foreignDifference(this.file);
  }

  override render(): TemplateResult | typeof nothing {
    const { file } = this;
    if (file === undefined) return nothing;
    const path = visibleLine(file.path);
    return html`<section class="proposed-file" aria-label=${path}>
      ${file.conflict === undefined ? nothing : conflictNote(file)}
      ${
        this.#foreign === null
          ? nothing
          : html`<p class="caption">What somebody else made of it meanwhile</p>
              ${differenceBox(this.#foreign, `What somebody else made of ${path}`)}`
      }
      ${file.conflict === undefined ? nothing : html`<p class="caption">What the call would make of it</p>`}
      ${this.#proposed === null ? picture(file) : differenceBox(this.#proposed, `What the call would make of ${path}`)}
      ${
        isNotCompared(file)
          ? html`<p class="caption">The whole text, since it is too large to be compared</p>
              <vitrine-app-content-view
                .form=${{ kind: "text", text: file.after ?? "" } satisfies ContentForm}
                .label=${path}
              ></vitrine-app-content-view>`
          : nothing
      }
      ${nameNote(file.path, "this path")}
      ${
        file.operation === "modify" && file.before === null && file.after !== null
          ? html`<p>What the file holds now is no text, and would be replaced.</p>`
          : nothing
      }
      ${
        file.notes.length === 0
          ? nothing
          : html`<ul class="proposed-notes" aria-label=${`Notes on ${path}`}>
              ${file.notes.map((note) => html`<li>${visibleText(note)}</li>`)}
            </ul>`
      }
      <fieldset class="decisions" role="radiogroup">
        <legend>What becomes of <code>${path}</code>?</legend>
        ${decisionsOn(file).map(
          (decision) =>
            html`<label class="check"
              ><input
                type="radio"
                name=${`file-${String(this.number)}`}
                value=${decision}
                .checked=${this.decision === decision}
                @change=${() => {
                  this.choose(decision);
                }}
              /><span>${WORDS[decision]}</span></label
            >`,
        )}
      </fieldset>
    </section>`;
  }
}
customElements.define("vitrine-app-proposed-file", ProposedFile);

/** A person agrees to what they could see. */
function isNotCompared({ before, after }: FileProposal): boolean {
  return after !== null && isTooLong(before ?? "", after);
}

/** In a box of its own height, so that a long one pushes no other out of sight. */
function differenceBox(file: DiffFile, label: string): TemplateResult {
  return html`<div class="scroller" tabindex="0" role="group" aria-label=${label}>
    <vitrine-app-file-diff .file=${file} .isOpen=${true}></vitrine-app-file-diff>
  </div>`;
}

function conflictNote({ path, conflict }: FileProposal): TemplateResult {
  const deed = conflict?.theirs === null ? "deleted" : "changed";
  return html`<p class="conflict">
    <b>${visibleLine(path)}</b> ${`is in conflict: while it was written here, somebody else ${deed} it.`}
  </p>`;
}

/** Drawn where its bytes say that it is a picture that every browser draws. */
function picture({ path, image, operation }: FileProposal): TemplateResult {
  const name = visibleLine(path);
  const mime = image === null ? null : imageType(image.bytes);
  const form: ContentForm | undefined =
    image === null || mime === null ? undefined : { kind: "image", mime, bytes: image.bytes };
  return html`<figure class="proposed-image">
    <figcaption>
      <b>${name}</b> <span class="tag">${operation === "create" ? "new" : "changed"}</span>
      ${image === null ? nothing : html`<span class="hint">${formatBytes(image.bytes.byteLength)}</span>`}
    </figcaption>
    ${
      form === undefined
        ? html`<p>It is no picture that can be shown here.</p>`
        : html`<vitrine-app-content-view .form=${form} .label=${name}></vitrine-app-content-view>`
    }
  </figure>`;
}
