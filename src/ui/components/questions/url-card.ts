import { html, nothing, type TemplateResult } from "lit";

import { visibleLine } from "../../drawing/visible.js";
import { addressWarning, openInNewTab, webAddress } from "../../drawing/web-address.js";
import type { PendingServerQuestion } from "../../state/questions/server-questions.js";
import { ViewElement } from "../base/view-element.js";
import { declineAllLabel, serverText, showAll } from "./server-words.js";

/** A server wants the user to visit a page, where they sign in for instance. */
export class UrlCard extends ViewElement {
  static override properties = { pending: { attribute: false } };
  declare pending: Extract<PendingServerQuestion, { kind: "url" }> | undefined;
  #isAllAsked = false;

  override render(): TemplateResult | typeof nothing {
    const { pending } = this;
    if (pending === undefined) return nothing;
    const { message, url, place } = pending;
    const said = serverText(message, this.#isAllAsked);
    const address = serverText(url, this.#isAllAsked);
    const isPartial = !said.isWhole || !address.isWhole;
    const target = webAddress(url);
    return html`<p class="caption">The server says</p>
      ${said.drawn}
      <p class="caption">The page</p>
      ${address.drawn}
      ${target === null ? html`<p class="bad">This is no address of a web page, so it cannot be opened here.</p>` : html`<p>It is on <b>${visibleLine(target.host)}</b>. ${addressWarning(target)}</p>`}
      <p class="hint">
        The server chose the address. What you do there stays between you and that site; the server hears only that you
        agreed to open it.
      </p>
      ${showAll(isPartial, () => {
        this.#isAllAsked = true;
        this.requestUpdate();
      })}
      <div class="row">
        <span class="hint">The run and its clock wait for you.</span>
        <button type="button" class="btn" @click=${pending.cancel}>Cancel</button>
        <button type="button" class="btn" @click=${pending.declineAll}>${declineAllLabel("Decline", place)}</button>
        <button type="button" class="btn" @click=${pending.decline}>Decline</button>
        ${
          target === null
            ? nothing
            : html`<button
                type="button"
                class="btn primary"
                ?disabled=${isPartial}
                @click=${() => {
                  openInNewTab(target);
                  pending.accept();
                }}
              >
                Open the page
              </button>`
        }
      </div>`;
  }
}
customElements.define("vitrine-app-url-question", UrlCard);
