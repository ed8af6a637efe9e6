import { html, nothing, type TemplateResult } from "lit";

import { McpUnauthorizedError } from "../../../tools/index.js";
import { visibleLine } from "../../drawing/visible.js";
import { addressWarning, openInNewTab, webAddress } from "../../drawing/web-address.js";
import { loginAnswer } from "../../state/session/login-answer.js";
import { ViewElement } from "../base/view-element.js";
import { serverText, showAll } from "./server-words.js";
import { nameNote } from "./who-asks.js";

/** A server that wants the user to log in. */
export interface ServerLogin {
  /** The tool that the server is. */
  readonly tool: string;
  /** Of the server. */
  readonly url: string;
  /** The login page, which the server chose. */
  readonly address: URL;
  readonly signal: AbortSignal;
}

/** Milliseconds that the user has for a login. */
const LOGIN_TIME = 10 * 60_000;

/**
 * Asks the user to log in at the server of a tool, and waits until they did.
 *
 * @param page - where login pages send them back to.
 * @returns the address that they were sent back to.
 * @throws {McpUnauthorizedError} where they do not.
 */
export async function logIn(login: ServerLogin, page: string): Promise<URL> {
  const { tool, address, signal } = login;
  const ending = new AbortController();
  const end = (reason: string): void => {
    ending.abort(new McpUnauthorizedError(tool, reason));
  };
  const dialog = new LoginDialog();
  dialog.login = login;
  dialog.cancel = () => {
    end("the login was cancelled");
  };
  const timer = setTimeout(() => {
    end("the login took longer than 10 minutes");
  }, LOGIN_TIME);
  document.body.append(dialog);
  try {
    const state = address.searchParams.get("state") ?? "";
    return await loginAnswer(page, state, AbortSignal.any([signal, ending.signal]));
  } finally {
    clearTimeout(timer);
    dialog.close();
  }
}

/** Which server wants a login, and where: the user opens the page themselves, so that nothing stops it. */
class LoginDialog extends ViewElement {
  login: ServerLogin | undefined;
  cancel: () => void = () => undefined;
  #isAllAsked = false;
  #isOpened = false;

  /** Gives the focus back to what had it. */
  close(): void {
    this.querySelector("dialog")?.close();
    this.remove();
  }

  override render(): TemplateResult | typeof nothing {
    const { login } = this;
    if (login === undefined) return nothing;
    const name = `tools.${login.tool}`;
    const host = URL.canParse(login.url, document.baseURI) ? new URL(login.url, document.baseURI).host : "";
    const target = webAddress(login.address.href);
    const { drawn, isWhole } = serverText(login.address.href, this.#isAllAsked);
    return html`<dialog class="dialog small" aria-labelledby="login-title" @close=${this.cancel}>
      <header><h2 id="login-title">Log in to ${visibleLine(name)}?</h2></header>
      <div class="body login">
        <p>
          The MCP server
          <b>${visibleLine(name)}</b>${host === "" ? nothing : html` at <b>${visibleLine(host)}</b>`} wants you to log
          in on this page:
        </p>
        ${nameNote(name)} ${drawn}
        ${
          target === null
            ? html`<p class="bad">This is no address of a web page, so it cannot be opened here.</p>`
            : html`<p>It is on <b>${visibleLine(target.host)}</b>. ${addressWarning(target)}</p>`
        }
        ${showAll(!isWhole, () => {
          this.#isAllAsked = true;
          this.requestUpdate();
        })}
        <p class="hint">
          The server chose the address. What you type there goes to that site alone. What it lets Vitrine do is kept in
          the memory of this tab until you reload or close it, or remove the tool; no code that runs here can read it.
        </p>
        <p role="status">
          ${this.#isOpened ? "Waiting for the login. If you closed its tab, open the page again, or cancel." : nothing}
        </p>
      </div>
      <footer>
        <button type="button" class="btn" autofocus @click=${this.cancel}>Cancel</button>
        ${
          target === null
            ? nothing
            : html`<button
                type="button"
                class="btn primary"
                ?disabled=${!isWhole}
                @click=${() => {
                  openInNewTab(target);
                  this.#isOpened = true;
                  this.requestUpdate();
                }}
              >
                Open the login page
              </button>`
        }
      </footer>
    </dialog>`;
  }

  override firstUpdated(): void {
    this.querySelector("dialog")?.showModal();
  }
}
customElements.define("vitrine-app-login-dialog", LoginDialog);
