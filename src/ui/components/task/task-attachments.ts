import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import type { AttachedArtifact, Attachments, MissingArtifact } from "../../../agent/index.js";
import { download } from "../../drawing/download.js";
import { DrawingPace } from "../../drawing/drawing-pace.js";
import { contentForm, type ContentForm } from "../../state/text/content-form.js";
import { formatBytes } from "../../state/text/format.js";
import "../content/content-view.js";
import { ViewElement } from "../base/view-element.js";

/** Artifacts that came with a task from a file: drawn from it alone, and in no store. */
export class TaskAttachments extends ViewElement {
  static override properties = { attachments: { attribute: false } };
  declare attachments: Attachments | null;
  /** Those that are drawn so far. */
  #forms: (readonly [AttachedArtifact, ContentForm])[] = [];
  readonly #pace = new DrawingPace();

  constructor() {
    super();
    this.attachments = null;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("attachments")) this.#forms = [];
    const drawn = this.#forms.length;
    const next = this.attachments?.artifacts.slice(drawn, drawn + this.#pace.begin()) ?? [];
    for (const each of next) this.#forms.push([each, contentForm(each.name, each.bytes)]);
  }

  protected override updated(): void {
    if (this.#forms.length < (this.attachments?.artifacts.length ?? 0)) void this.#drawOn();
  }

  /** There may be hundreds, and megabytes of them: they are read and drawn a few at a time. */
  async #drawOn(): Promise<void> {
    await this.#pace.rest();
    this.requestUpdate();
  }

  override render(): TemplateResult | typeof nothing {
    if (this.attachments === null) return nothing;
    return html`<p class="hint">What it saved, as the file has it. It is not among your artifacts.</p>
      ${this.#forms.map(([artifact, form]) => attached(artifact, form))}
      ${this.attachments.missing.map((each) => html`<p class="hint">${missingText(each)}</p>`)}`;
  }
}
customElements.define("vitrine-app-task-attachments", TaskAttachments);

function attached({ name, description, bytes }: AttachedArtifact, form: ContentForm): TemplateResult {
  return html`<article class="artifact" aria-label=${name}>
    <header><b>${name}</b><small>${formatBytes(bytes.byteLength)}</small></header>
    <div class="view">
      <vitrine-app-content-view
        .form=${form}
        .label=${description === "" ? name : description}
      ></vitrine-app-content-view>
    </div>
    <footer>
      ${description === "" ? nothing : html`<p class="hint">${description}</p>`}
      <button
        type="button"
        class="quiet-link"
        aria-label=${`Download ${name}`}
        @click=${() => {
          download(name, bytes);
        }}
      >
        Download
      </button>
    </footer>
  </article>`;
}

function missingText({ name, reason }: MissingArtifact): string {
  switch (reason) {
    case "unreadable":
      return `${name} is not in the file: it could not be read.`;
    case "too many":
      return `${name} is not in the file: there were 200 before it.`;
    case "not ours":
      return `${name} is not in the file: the task had come from another file, which had none of that name.`;
    case "of another agent":
      return `${name} is not in the file: an agent that worked for this one saved it.`;
    case "gone":
      return `${name} is not in the file: it was not there any more.`;
    case "too large":
      return `${name} is not in the file: it is larger than 4 MB.`;
    case "no room":
      return `${name} is not in the file: the artifacts before it filled its 12 MB.`;
  }
}
