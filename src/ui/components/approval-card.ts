import { html, nothing, type TemplateResult } from "lit";

import type { ApprovalRequest, ForeignContent, SkillDraft } from "../../dispatch/index.js";
import type { Value } from "../../protocol/index.js";
import { argumentText } from "../drawing/argument-text.js";
import { unambiguousName, visibleLine, visibleText } from "../drawing/visible.js";
import type { PendingApproval } from "../state/approvals.js";
import { formatCount } from "../state/format.js";
import { differenceText, sourceDifference } from "./source-difference.js";
import { ViewElement } from "./view-element.js";

/** Arguments, and hosts, that are named. */
const MOST_VALUES = 100;
const MOST_HOSTS = 5;

/** Asks the user whether a call may be made, where the call is. */
export class ApprovalCard extends ViewElement {
  static override properties = { pending: { attribute: false } };
  declare pending: PendingApproval | undefined;

  override render(): TemplateResult | typeof nothing {
    const { pending } = this;
    if (pending === undefined) return nothing;
    const { request, place } = pending;
    const { foreign, skill } = request;
    const isShown = foreign !== null || skill !== undefined;
    return html`<form
      class="approval"
      aria-label=${`Approval of ${visibleLine(request.name)}`}
      @submit=${(event: Event) => {
        event.preventDefault();
      }}
    >
      <p>
        <b>${visibleLine(request.name)}</b> ${foreign === null ? "needs your approval." : "needs you to look first."}
        ${visibleLine(request.reason)}
      </p>
      ${nameNote(request)}
      <p class="hint">${facts(request).join(" ")}</p>
      ${skill !== undefined ? skillDraft(skill) : foreign === null ? argumentList(request) : contentList(foreign)}
      <label class="field">
        <span>Reason, if you deny it (the code is told)</span>
        <input type="text" autocomplete="off" maxlength="500" />
      </label>
      <div class="row">
        <span class="hint">The run and its clock wait for you. Waiting ends when this tab is closed.</span>
        <button type="button" class="btn" @click=${this.#deny}>Deny</button>
        ${
          foreign === null
            ? html`<button type="button" class="btn" @click=${this.#denyAll}>
                ${place === "task" ? "Deny for this task" : "Deny for this run"}
              </button>`
            : nothing
        }
        ${
          isShown
            ? nothing
            : html`<button type="button" class="btn" @click=${pending.allowAll}>
                ${place === "task" ? "Allow for this task" : "Allow for this session"}
              </button>`
        }
        <button type="button" class="btn primary" @click=${pending.allowOnce}>
          ${foreign === null ? "Allow once" : "Agree"}
        </button>
      </div>
    </form>`;
  }

  get #reason(): string {
    return this.querySelector("input")?.value ?? "";
  }

  readonly #deny = (): void => {
    this.pending?.deny(this.#reason);
  };

  readonly #denyAll = (): void => {
    this.pending?.denyAll(this.#reason);
  };
}
customElements.define("vitrine-approval", ApprovalCard);

/** Letters of other scripts may look like those of a name that the reader knows. */
function nameNote({ name }: ApprovalRequest): TemplateResult | typeof nothing {
  const written = unambiguousName(name);
  return written === undefined
    ? nothing
    : html`<p class="hint">Not all letters of its name are plain: <code>${written}</code></p>`;
}

/** What counts before the arguments, which code can make as long as it likes. */
function facts(request: ApprovalRequest): readonly string[] {
  const { name, trust, hosts = [], definitionId, hints } = request;
  return [
    `${whoAsks(request)}, in a ${trust} session.`,
    hosts.length === 0 ? "" : `Its calls go to ${shortList(hosts)}.`,
    definitionId === undefined ? "" : "Code of the session defined this tool; it is none of the page's.",
    name === "tools.register" ? "Code can change later what the tool does: this approves the name, not its calls." : "",
    hints.destructive === true ? "It may remove or overwrite data that cannot be recovered." : "",
    hints.idempotent === true && hints.destructive !== true
      ? "Calling it twice has the same effect as calling it once."
      : "",
  ].filter((fact) => fact !== "");
}

function shortList(hosts: readonly string[]): string {
  const shown = hosts.slice(0, MOST_HOSTS).join(", ");
  const more = hosts.length - MOST_HOSTS;
  return more > 0 ? `${shown} and ${String(more)} more` : shown;
}

/** An agent that works as a tool is named with those above it. */
function whoAsks({ path, inAgentRun }: ApprovalRequest): string {
  const names = path.filter(({ callId }) => callId !== null).map(({ name }) => visibleLine(name));
  if (names.length === 0) return inAgentRun ? "An agent's code asks" : "Code of the console asks";
  return `The code of the agent ${names.join(" → ")} asks`;
}

/** What would be saved, beside what is there; and what is known of it. */
function skillDraft({ name, source, description, before, notes }: SkillDraft): TemplateResult {
  return html`<p><b>${visibleLine(name)}</b>: ${differenceText(before, source)}</p>
    ${description === "" ? nothing : html`<p class="asked-text">Its description: ${visibleText(description)}</p>`}
    ${sourceDifference(before, source)}
    ${
      notes.length === 0
        ? nothing
        : html`<ul class="plain-list">
            ${notes.map((note) => html`<li>${visibleText(note)}</li>`)}
          </ul>`
    }`;
}

/** Whole, since the user agrees to all of it. */
function argumentList({ arguments: args }: ApprovalRequest): TemplateResult | typeof nothing {
  return valueList(Object.entries(args));
}

function contentList({ items }: ForeignContent): TemplateResult | typeof nothing {
  return valueList(items.map(({ name, content }) => [name, content]));
}

/** Each in a box of its own height, so that a long one pushes no other out of sight. */
function valueList(entries: readonly (readonly [name: string, value: Value])[]): TemplateResult | typeof nothing {
  if (entries.length === 0) return nothing;
  const more = entries.length - MOST_VALUES;
  return html`<dl class="asked">
      ${entries.slice(0, MOST_VALUES).map(
        ([name, value]) =>
          html`<dt>${visibleLine(name)}</dt>
            <dd><pre tabindex="0">${argumentText(value)}</pre></dd>`,
      )}
    </dl>
    ${more > 0 ? html`<p class="hint">… ${formatCount(more, "more argument")} not shown</p>` : nothing}`;
}
