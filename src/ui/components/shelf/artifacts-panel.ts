import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { messageOf } from "../../../protocol/index.js";
import type { Session } from "../../../session/index.js";
import type { Artifact } from "../../../artifacts/index.js";
import { download } from "../../drawing/download.js";
import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import "./artifact-card.js";
import { ListPart } from "../base/list-part.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";

const GUIDE = [
  ["files", "Files", "Drop one anywhere on this page. Python finds it in /workspace; it is not uploaded."],
  ["tools", "Tools", "What code can call. Add an MCP server, an OpenAPI document or a tool file."],
  ["skills", "Skills", "Functions that code saved, to be called again in later tasks."],
  ["console", "Console", "Run Python yourself, with the same files, tools and variables."],
  ["trace", "Trace", "Every call: what it was given, what came of it, and how long it took."],
] as const;

/** The artifacts, shown and not only listed. */
export class ArtifactsPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  // Each reads its artifact and draws a look at it. New ones come first, so that all that are shown may be others at once.
  readonly #part = new ListPart<Artifact>(this, {
    step: 20,
    focusable: "vitrine-app-artifact header .name",
    nameOf: ({ name }) => name,
  });
  #packing = false;
  #problem = "";

  protected override sources(): readonly Observable[] {
    return [this.app.shelf];
  }

  override render(): TemplateResult {
    const { artifacts } = this.app.shelf;
    if (artifacts.length === 0) {
      return html`<div class="nothing-yet">
          <p><b>Results appear here</b></p>
          <p class="hint">
            Tables, charts and reports that code saves with <code>artifacts.save(…)</code>. They stay after a reload.
          </p>
        </div>
        ${this.#guide()}`;
    }
    return html`<div class="row">
        <button type="button" class="btn" ?disabled=${this.#packing} @click=${() => void this.#downloadAll()}>
          ${this.#packing ? "Packing…" : "Download all (.zip)"}
        </button>
        ${this.#problem === "" ? nothing : html`<span class="hint">${this.#problem}</span>`}
      </div>
      ${repeat(
        this.#part.of(artifacts),
        ({ name }) => name,
        (artifact) => html`<vitrine-app-artifact .app=${this.app} .artifact=${artifact}></vitrine-app-artifact>`,
      )}
      ${this.#part.rest(artifacts, "artifact")}`;
  }

  /** Until there is something to show: what else the shelf holds, and what can be done there. */
  #guide(): TemplateResult {
    return html`<ul class="guide">
      ${GUIDE.map(
        ([tab, label, words]) =>
          html`<li>
            <button type="button" class="name" @click=${() => emit(this, "vitrine-tab", tab)}>${label}</button>
            <span class="hint">${words}</span>
          </li>`,
      )}
    </ul>`;
  }

  async #downloadAll(): Promise<void> {
    this.#packing = true;
    this.requestUpdate();
    // The word is drawn before the packing keeps the page busy.
    await new Promise((resolve) => setTimeout(resolve, 30));
    try {
      download("artifacts.zip", await zipArtifacts(await this.app.session.open()));
      this.#problem = "";
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.#packing = false;
    this.requestUpdate();
  }
}
customElements.define("vitrine-app-artifacts", ArtifactsPanel);

/** All artifacts of a session in one archive. */
async function zipArtifacts({ artifacts }: Session): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync } = await import("fflate");
  const entries: Record<string, Uint8Array> = {};
  for (const { name } of await artifacts.list()) entries[name] = await artifacts.loadBytes(name);
  return new Uint8Array(zipSync(entries));
}
