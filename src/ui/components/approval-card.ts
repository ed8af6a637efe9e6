import { html, nothing, type TemplateResult } from "lit";

import type { ApprovalRequest, ForeignContent, SkillDraft } from "../../dispatch/index.js";
import type { Value } from "../../protocol/index.js";
import type { PendingApproval } from "../state/approvals.js";
import { differenceText, sourceDifference } from "./source-difference.js";
import { ViewElement } from "./view-element.js";

/** Asks the user whether a call may be made, where the call is. */
export class ApprovalCard extends ViewElement {
  static override properties = { pending: { attribute: false } };
  declare pending: PendingApproval | undefined;

  override render(): TemplateResult | typeof nothing {
    const { pending } = this;
    if (pending === undefined) return nothing;
    const { request, place } = pending;
    const { foreign, skill } = request;
    return html`<form
      class="approval"
      aria-label=${`Approval of ${request.name}`}
      @submit=${(event: Event) => {
        event.preventDefault();
      }}
    >
      <p>
        <b>${request.name}</b> ${foreign === null ? "wants your word." : "wants you to look first."} ${request.reason}
      </p>
      <p class="hint">${whoAsks(request)}, in a ${request.trust} session. ${hintText(request)}</p>
      ${skill !== undefined ? skillDraft(skill) : foreign === null ? argumentList(request) : contentList(foreign)}
      <label class="field">
        <span>Reason, if you deny it (the code is told)</span>
        <input type="text" autocomplete="off" maxlength="500" />
      </label>
      <div class="row">
        <span class="hint">The run and its clock wait for you. Waiting ends when this tab is closed.</span>
        <button type="button" class="btn" @click=${this.#deny}>Deny</button>
        ${
          foreign === null && skill === undefined
            ? html`<button type="button" class="btn" @click=${pending.allowAll}>
                ${place === "task" ? "Allow for this task" : "Allow for this session"}
              </button>`
            : nothing
        }
        <button type="button" class="btn primary" @click=${pending.allowOnce}>
          ${foreign === null ? "Allow once" : "Agree"}
        </button>
      </div>
    </form>`;
  }

  readonly #deny = (): void => {
    this.pending?.deny(this.querySelector("input")?.value ?? "");
  };
}
customElements.define("vitrine-approval", ApprovalCard);

/** An agent that works as a tool is named with those above it. */
function whoAsks({ path, inAgentRun }: ApprovalRequest): string {
  const names = path.filter(({ callId }) => callId !== null).map(({ name }) => name);
  if (names.length === 0) return inAgentRun ? "An agent's code asks" : "Code of the console asks";
  return `The code of the agent ${names.join(" → ")} asks`;
}

function hintText({ hints }: ApprovalRequest): string {
  if (hints.destructive === true) return "It may remove or overwrite what cannot be had back.";
  return hints.idempotent === true ? "Made twice it has the effect of once." : "";
}

/** What would be saved, beside what is there; and what is known of it. */
function skillDraft({ name, source, description, before, notes }: SkillDraft): TemplateResult {
  return html`<p><b>${name}</b>: ${differenceText(before, source)}</p>
    ${description === "" ? nothing : html`<p>It is described so: ${description}</p>`}
    ${sourceDifference(before, source)}
    ${
      notes.length === 0
        ? nothing
        : html`<ul class="plain-list">
            ${notes.map((note) => html`<li>${note}</li>`)}
          </ul>`
    }`;
}

/** Whole, since the user agrees to all of it. */
function argumentList({ arguments: args }: ApprovalRequest): TemplateResult | typeof nothing {
  const entries = Object.entries(args);
  if (entries.length === 0) return nothing;
  return html`<dl class="asked">
    ${entries.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd><pre tabindex="0">${valueText(value)}</pre></dd>`,
    )}
  </dl>`;
}

function contentList({ items }: ForeignContent): TemplateResult {
  return html`<dl class="asked">
    ${items.map(
      ({ name, content }) =>
        html`<dt>${name}</dt>
          <dd><pre tabindex="0">${valueText(content)}</pre></dd>`,
    )}
  </dl>`;
}

function valueText(value: Value): string {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(value);
    } catch {
      return `${value.byteLength.toLocaleString("en-US")} bytes that are no text`;
    }
  }
  return value === undefined ? "None" : JSON.stringify(value, plain, 2);
}

/** What JSON does not know, as text. */
function plain(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return `${value.byteLength.toLocaleString("en-US")} bytes`;
  if (value instanceof Set) return [...(value as Set<unknown>)];
  return value instanceof Map ? [...(value as Map<unknown, unknown>)] : value;
}
