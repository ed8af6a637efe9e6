import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import { visibleLine, visibleText } from "../../drawing/visible.js";
import type { BatchFile, FileStanding } from "../../state/task/batch-file.js";
import type { BatchView } from "../../state/task/batch-view.js";
import { imageType, type ContentForm } from "../../state/text/content-form.js";
import { formatCount } from "../../state/text/format.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";
import "../content/content-view.js";
import { candidateCard } from "./candidate-card.js";

const MARKS: Readonly<Record<FileStanding, { readonly mark: string; readonly kind: string; readonly word: string }>> = {
  running: { mark: "·", kind: "running", word: "" },
  waiting: { mark: "?", kind: "waits", word: "waits for your word" },
  written: { mark: "✓", kind: "done", word: "written" },
  refused: { mark: "×", kind: "failed", word: "refused" },
  conflict: { mark: "×", kind: "failed", word: "in conflict, not written" },
  failed: { mark: "×", kind: "failed", word: "failed, not written" },
  unknown: { mark: "?", kind: "unknown", word: "stopped before its end" },
};

/** Files that are drawn; a batch has a few. */
const MOST_FILES = 20;

/** Files that several models write, below the call that asked for them: each with its texts side by side as they come. */
export class BatchCard extends ViewElement {
  static override properties = { batch: { attribute: false } };
  declare batch: BatchView | undefined;
  #stop: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    this.#stop = undefined;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("batch")) this.#listen();
  }

  override render(): TemplateResult | typeof nothing {
    const { batch } = this;
    if (batch === undefined) return nothing;
    const files = [...batch.files.values()];
    // A call of that name may have been refused before it began, or be of another tool.
    if (files.length === 0) return nothing;
    const { isHeard, isOver, warnings } = batch;
    return html`<section class="program batch" aria-label="Files that are written">
      <p class="program-head">
        <b>${headOf(batch)}</b>
        ${isHeard ? nothing : html`<span class="hint">What each model wrote is not kept, but what became of it.</span>`}
      </p>
      ${files.slice(0, MOST_FILES).map((file) => this.#file(batch, file))}
      ${files.length > MOST_FILES ? html`<p class="hint">${formatCount(files.length - MOST_FILES, "more file")} not shown</p>` : nothing}
      ${warnings.map((warning) => html`<p class="notice">${visibleText(warning)}</p>`)}
      ${isOver ? changesOf(batch) : nothing}
    </section>`;
  }

  #file(batch: BatchView, file: BatchFile): TemplateResult {
    const { path, candidates, standing, end, chosen } = file;
    const { mark, kind, word } = MARKS[standing];
    const isPython = path.endsWith(".py");
    const texts = [...candidates];
    return html`<section class="batch-file" aria-label=${visibleLine(path)}>
      <p class="batch-file-head">
        <span class="mark ${kind}" aria-hidden="true">${mark}</span><code>${visibleLine(path)}</code>
        <span class="state">${standing === "running" ? file.doing : wordOf(file, word)}</span>
        ${
          standing === "written" && batch.page !== null
            ? html`<button type="button" class="btn" @click=${() => emit(this, "vitrine-edit-file", path)}>
                Open in the editor
              </button>`
            : nothing
        }
      </p>
      ${
        texts.length === 0
          ? nothing
          : html`<ul class="candidates" aria-label=${`Who writes ${visibleLine(path)}`}>
              ${texts.map(([number, candidate]) =>
                candidateCard(candidate, {
                  isChosen: chosen?.candidate === number,
                  isPython,
                  redraw: () => {
                    this.requestUpdate();
                  },
                }),
              )}
            </ul>`
      }
      ${choice(file)} ${checks(file)} ${standing === "written" ? picture(file) : nothing}
      ${end?.warnings.map((warning) => html`<p class="hint">${visibleText(warning)}</p>`)}
    </section>`;
  }

  #listen(): void {
    this.#stop?.();
    this.#stop = this.batch?.onChange(() => {
      this.requestUpdate();
    });
  }
}
customElements.define("vitrine-app-batch", BatchCard);

function headOf({ isOver, files, count }: BatchView): string {
  if (!isOver) return `Writes ${formatCount(files.size, "file")}`;
  return `${String(count.written)} of ${formatCount(count.all, "file")} written`;
}

function wordOf({ end, standing, fault }: BatchFile, word: string): string {
  if (standing === "written") {
    const deed = { create: "new", modify: "changed", image_generation: "a new image" }[end?.operation ?? ""];
    return deed === undefined ? word : `${word}, ${deed}`;
  }
  const why = end?.message ?? fault?.message ?? "";
  return why === "" ? word : `${word}: ${visibleText(why)}`;
}

/** Who wrote what was taken, and why. */
function choice({ chosen, end, candidates }: BatchFile): TemplateResult | typeof nothing {
  const model = chosen?.model ?? end?.model ?? null;
  const reason = chosen?.reason ?? end?.reason ?? null;
  if (model === null) return nothing;
  const arbiter = chosen?.arbiter ?? null;
  if (arbiter === null && reason === null) {
    return candidates.size > 1
      ? html`<p class="choice-made">The text of <b>${visibleLine(model)}</b> was taken.</p>`
      : nothing;
  }
  return html`<p class="choice-made">
    The text of <b>${visibleLine(model)}</b> was
    taken${arbiter === null ? "" : html`, chosen by <b>${visibleLine(arbiter)}</b>`}${
      reason === null ? "." : html`: <q>${visibleText(reason)}</q>`
    }
  </p>`;
}

function checks({ checks: all }: BatchFile): TemplateResult[] {
  return all.map(({ problems, isAskedAgain }) =>
    problems.length === 0
      ? html`<p class="hint">It was checked, and nothing was found.</p>`
      : html`<p class="found">
            It was checked${isAskedAgain ? ", and the model was asked to mend what was found:" : ". What was found:"}
          </p>
          <ul class="plain-list found">
            ${problems.map((problem) => html`<li>${visibleText(problem)}</li>`)}
          </ul>`,
  );
}

/** An image that was written, as the proposal had it. */
function picture({ path, proposal }: BatchFile): TemplateResult | typeof nothing {
  const bytes = proposal?.image?.bytes;
  const mime = bytes === undefined ? null : imageType(bytes);
  if (bytes === undefined || mime === null) return nothing;
  const form: ContentForm = { kind: "image", mime, bytes };
  return html`<vitrine-app-content-view .form=${form} .label=${visibleLine(path)}></vitrine-app-content-view>`;
}

/** What was written, with its undo. */
function changesOf({ changes, page }: BatchView): TemplateResult | typeof nothing {
  if (changes === null || page === null) return nothing;
  void import("./task-changes.js");
  return html`<vitrine-app-task-changes .app=${page} .taskId=${changes} what="batch"></vitrine-app-task-changes>`;
}
