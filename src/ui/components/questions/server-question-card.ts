import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";

import { visibleLine } from "../../drawing/visible.js";
import type { PendingServerQuestion } from "../../state/questions/server-questions.js";
import { formatCount } from "../../state/text/format.js";
import "./elicitation-card.js";
import "./sampling-card.js";
import "./url-card.js";
import { ViewElement } from "../base/view-element.js";
import { agentNames, nameNote, shortList } from "./who-asks.js";

/** What an MCP server asks the user while a call of it waits: who it is first, then its own words. */
export class ServerQuestionCard extends ViewElement {
  static override properties = { pending: { attribute: false } };
  declare pending: PendingServerQuestion | undefined;

  override render(): TemplateResult | typeof nothing {
    const { pending } = this;
    if (pending === undefined) return nothing;
    const { asker } = pending;
    return html`<section class="approval server-question" aria-label=${`Question of ${visibleLine(asker.name)}`}>
      <p>
        The MCP server
        <b>${visibleLine(asker.name)}</b
        >${asker.hosts.length === 0 ? nothing : html` at <b>${shortList(asker.hosts)}</b>`} ${wants(pending)}
      </p>
      ${nameNote(asker.name)}
      <p class="hint">${whoseCalls(pending)} wait${asker.calls.length === 1 ? "s" : ""} for this.</p>
      ${keyed(pending, body(pending))}
    </section>`;
  }
}
customElements.define("vitrine-app-server-question", ServerQuestionCard);

function wants({ kind }: PendingServerQuestion): string {
  switch (kind) {
    case "form":
      return "asks you for data.";
    case "url":
      return "asks you to open a page.";
    case "sampling":
      return "asks for an answer of a model.";
  }
}

function whoseCalls({ asker: { calls }, place }: PendingServerQuestion): string {
  const [call] = calls;
  if (calls.length > 1 || call === undefined) return formatCount(calls.length, "call");
  const names = agentNames(call.path);
  if (names !== "") return `A call of the agent ${names}`;
  return place === "task" ? "A call of this task" : "A call of the console";
}

function body(pending: PendingServerQuestion): TemplateResult {
  switch (pending.kind) {
    case "form":
      return html`<vitrine-app-elicitation .pending=${pending}></vitrine-app-elicitation>`;
    case "url":
      return html`<vitrine-app-url-question .pending=${pending}></vitrine-app-url-question>`;
    case "sampling":
      return html`<vitrine-app-sampling .pending=${pending} .reply=${pending.reply}></vitrine-app-sampling>`;
  }
}
