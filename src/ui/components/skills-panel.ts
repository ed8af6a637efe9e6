import { html, nothing, type TemplateResult } from "lit";

import type { Skill } from "../../skills/index.js";
import { highlightedPython } from "../drawing/highlight.js";
import type { AppState } from "../state/app-state.js";
import type { Observable } from "../state/observable.js";
import { ViewElement } from "./view-element.js";

/** The skills: saved functions of Python. */
export class SkillsPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #problem = "";

  protected override sources(): readonly Observable[] {
    return [this.app.shelf];
  }

  override render(): TemplateResult {
    const { skills } = this.app.shelf;
    if (skills.length === 0) {
      return html`<p class="hint">There are no skills. Code saves one with <code>skills.create(…)</code>.</p>`;
    }
    return html`${this.#problem === "" ? nothing : html`<p class="notice">${this.#problem}</p>`}
    ${skills.map((skill) => this.#skill(skill))}`;
  }

  #skill({ name, description, source, parameters, trust }: Skill): TemplateResult {
    const list = parameters.map((parameter) => parameter.name).join(", ");
    return html`<article class="item">
      <h3><code>skills.${name}(${list})</code></h3>
      ${description === "" ? nothing : html`<p class="hint">${description}</p>`}
      ${trust === undefined ? nothing : html`<p class="hint">Written by code of a session (${trust}).</p>`}
      <details>
        <summary>Source</summary>
        <pre class="code small" tabindex="0" ${highlightedPython(source)}></pre>
        <button
          type="button"
          class="quiet-link"
          aria-label=${`Delete the skill ${name}`}
          @click=${() => void this.#delete(name)}
        >
          Delete
        </button>
      </details>
    </article>`;
  }

  async #delete(name: string): Promise<void> {
    if (!confirm(`Delete the skill ${name}? It cannot be had back.`)) return;
    try {
      await this.app.session.current?.skills.delete(name);
      this.#problem = "";
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.requestUpdate();
  }
}
customElements.define("vitrine-skills", SkillsPanel);
