import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { messageOf, shorten } from "../../../protocol/index.js";
import type { Skill } from "../../../skills/index.js";
import { highlightedPython } from "../../drawing/highlight.js";
import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import { ListPart } from "../base/list-part.js";
import { ViewElement } from "../base/view-element.js";

/** Characters that are drawn. */
const LONGEST_PARAMETERS = 400;
const LONGEST_DESCRIPTION = 2000;

/** The skills: saved functions of Python. */
export class SkillsPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  readonly #part = new ListPart<Skill>(this, { step: 50, focusable: "summary", together: 5 });
  /** Skills whose source is open. That of others is not drawn. */
  readonly #open = new Set<string>();
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
    ${repeat(
      this.#part.of(skills),
      ({ name }) => name,
      (skill) => this.#skill(skill),
    )}
    ${this.#part.rest(skills, "skill")}`;
  }

  #skill({ name, description, source, parameters, trust }: Skill): TemplateResult {
    const list = shorten(parameters.map((parameter) => parameter.name).join(", "), LONGEST_PARAMETERS);
    return html`<article class="item">
      <h3><code>skills.${name}(${list})</code></h3>
      ${description === "" ? nothing : html`<p class="hint">${shorten(description, LONGEST_DESCRIPTION)}</p>`}
      ${trust === undefined ? nothing : html`<p class="hint">Written by code of a session (${trust}).</p>`}
      <details
        @toggle=${({ currentTarget }: Event) => {
          this.#toggle(name, currentTarget);
        }}
      >
        <summary>Source</summary>
        ${this.#open.has(name) ? html`<pre class="code small" tabindex="0" ${highlightedPython(source)}></pre>` : nothing}
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

  #toggle(name: string, details: EventTarget | null): void {
    if (!(details instanceof HTMLDetailsElement)) return;
    if (details.open) this.#open.add(name);
    else this.#open.delete(name);
    this.requestUpdate();
  }

  async #delete(name: string): Promise<void> {
    if (!confirm(`Delete the skill ${name}? It cannot be had back.`)) return;
    try {
      await this.app.session.current?.skills.delete(name);
      this.#problem = "";
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.requestUpdate();
  }
}
customElements.define("vitrine-app-skills", SkillsPanel);
