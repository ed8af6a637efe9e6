import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";

import { messageOf, shorten } from "../../../protocol/index.js";
import { callableAlias, signature, toolAlias, type Tool } from "../../../tools/index.js";
import { highlightedPython } from "../../drawing/highlight.js";
import { visibleText } from "../../drawing/visible.js";
import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import { ListPart } from "../base/list-part.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";

/** The most functions of one tool that are listed; a large service has thousands. */
const MOST_LISTED = 50;

/** Characters of a description or a signature that are drawn. */
const LONGEST = 2000;

/** The tools that code can call, as code calls them. */
export class ToolsPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  readonly #part = new ListPart<Tool>(this, { step: 50, focusable: ".item > h3", nameOf: ({ name }) => name });
  #problem = "";

  protected override sources(): readonly Observable[] {
    return [this.app.shelf, this.app.logins];
  }

  override render(): TemplateResult {
    const { tools } = this.app.shelf;
    return html`<div class="row">
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-add-tool")}>Add a tool</button>
        <span class="hint">an MCP server, an OpenAPI document, a tool file</span>
      </div>
      ${this.#problem === "" ? nothing : html`<p class="notice" role="alert">${this.#problem}</p>`}
      ${
        tools.length === 0
          ? html`<p class="hint">There are no tools.</p>`
          : repeat(
              this.#part.of(tools),
              ({ name }) => name,
              (tool) => guard([tool, this.app.logins.wanted.has(tool.name)], () => this.#tool(tool)),
            )
      }
      ${this.#part.rest(tools, "tool")}`;
  }

  #tool(tool: Tool): TemplateResult {
    const { name, description, callables } = tool;
    const more = callables.length - MOST_LISTED;
    return html`<article class="item">
      <h3 tabindex="-1"><code>tools.${toolAlias(tool)}</code></h3>
      ${description === "" ? nothing : html`<p class="hint">${shorten(description, LONGEST)}</p>`}
      ${
        this.app.logins.wanted.has(name)
          ? html`<p class="row">
              <button type="button" class="btn" @click=${() => void this.#attempt(this.app.logIn(name))}>
                Log in to ${name}
              </button>
            </p>`
          : nothing
      }
      ${callables.slice(0, MOST_LISTED).map(
        (callable) =>
          html`<pre
              class="code small"
              tabindex="0"
              ${highlightedPython(shorten(signature(callable, { name: callableAlias(tool, callable.name), length: LONGEST }), LONGEST))}
            ></pre>
            ${callable.description === "" || callable.description === description ? nothing : html`<p class="hint">${shorten(callable.description, LONGEST)}</p>`}`,
      )}
      ${more > 0 ? html`<p class="hint">and ${more.toLocaleString("en-US")} more, which <code>tools.search(…)</code> finds</p>` : nothing}
      ${
        this.app.isShipped(name)
          ? nothing
          : html`<button
              type="button"
              class="quiet-link"
              aria-label=${`Remove the tool ${name}`}
              @click=${() => {
                this.#remove(name);
              }}
            >
              Remove
            </button>`
      }
    </article>`;
  }

  /** The button that is pressed is gone with what it is for, and the focus goes elsewhere. */
  async #attempt(work: Promise<void>): Promise<void> {
    try {
      await work;
      this.#problem = "";
      this.querySelector<HTMLElement>(".btn")?.focus();
    } catch (error) {
      this.#problem = visibleText(messageOf(error));
    }
    this.requestUpdate();
  }

  #remove(name: string): void {
    if (confirm(`Remove the tool ${name}? Its file is deleted.`)) void this.#attempt(this.app.removeTool(name));
  }
}
customElements.define("vitrine-app-tools", ToolsPanel);
