import { html, nothing, type TemplateResult } from "lit";

import type { AppState } from "../../state/app-state.js";
import { phaseText } from "../../state/session/demo-session.js";
import type { Observable } from "../../state/text/observable.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";
import { loadingBar } from "../base/waiting-line.js";

const transports = {
  jspi: "JSPI",
  "shared-memory": "shared memory",
  "blob-channel": "blob channel",
  none: "no synchronous calls",
} as const;

/** What code reaches, by the trust level of its session. */
const reach = {
  sandboxed: "no network access",
  isolated: "no network access",
  local: "full network access",
} as const;

/** The name, the state of things in words, and what concerns the whole page. */
export class TopBar extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;

  protected override sources(): readonly Observable[] {
    return [this.app.session];
  }

  override render(): TemplateResult {
    const { session } = this.app;
    return html`<h1 class="brand">
        <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" aria-hidden="true">
          <path d="M4 8.5 12 4l8 4.5v9L12 22l-8-4.5z" stroke-linejoin="round" />
          <path d="M4 8.5 12 13l8-4.5M12 13v9" stroke-linejoin="round" opacity=".55" /></svg
        >Vitrine
      </h1>
      ${this.#state()}
      <span class="wide">${this.#capabilities()}</span>
      ${session.storage.kind === "memory" ? html`<span class="chip warn">kept in memory only</span>` : nothing}
      <span class="spacer"></span>
      <button
        type="button"
        class="btn ghost"
        ?disabled=${session.phase.kind === "opening"}
        @click=${() => void this.app.reset()}
      >
        Reset
      </button>
      <button type="button" class="btn ghost" @click=${() => emit(this, "vitrine-settings")}>Settings</button>`;
  }

  #state(): TemplateResult {
    const { phase, state } = this.app.session;
    const text = phaseText(phase);
    if (phase.kind === "opening") {
      return html`<span class="chip state" role="status"
        ><span>${text}</span>${loadingBar(phase, "Loading Python")}</span
      >`;
    }
    if (phase.kind === "failed") return html`<span class="chip bad" role="status">${text}</span>`;
    const [first = "", ...rest] = text.split(" ");
    const runs = state === "running";
    return html`<span class="chip state" role="status"
      ><span class="dot" aria-hidden="true"></span
      ><span
        >${runs ? html`<b>Running</b> Python` : html`<b>${first}</b><span class="spare-word"> ${rest.join(" ")}</span>`}</span
      ></span
    >`;
  }

  #capabilities(): TemplateResult | typeof nothing {
    const session = this.app.session.current;
    const capabilities = session?.capabilities;
    if (session === undefined || capabilities === undefined) return nothing;
    const version = capabilities.python.split(".").slice(0, 2).join(".");
    const { transport, reason } = capabilities.syncCalls;
    return html`<span
      class="chip"
      title=${`Python ${capabilities.python}, Pyodide ${capabilities.pyodide}, trust level ${capabilities.trust}. Calls: ${transports[transport]}${reason === "" ? "" : ` (${reason})`}`}
      ><span>Python ${version} · <b>${reach[capabilities.trust]}</b></span></span
    >`;
  }
}
customElements.define("vitrine-app-top-bar", TopBar);
