import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import type { ApprovalRequest, SkillDraft } from "../../../dispatch/index.js";
import { Tuple, type Value } from "../../../protocol/index.js";
import { argumentText, type ArgumentText } from "../../drawing/argument-text.js";
import { firstOtherLetter, visibleLine, visibleText } from "../../drawing/visible.js";
import type { PendingApproval } from "../../state/questions/approvals.js";
import { formatCount } from "../../state/text/format.js";
import { BlockView, DRAWN_EVENT } from "../base/block-view.js";
import { differenceText } from "../content/source-difference.js";
import { ViewElement } from "../base/view-element.js";
import { fileQuestionSlot } from "./file-question-slot.js";
import { packageFiles } from "./package-files.js";
import { agentNames, nameNote, shortList } from "./who-asks.js";
import "../base/whole-text.js";

/** Arguments that are shown at first, characters of one, and of all together. */
const MOST_VALUES = 100;
const LONGEST_VALUE = 20_000;
const LONGEST = 60_000;

/** Names of what comes last that are written out, where their letters may be taken for others. */
const MOST_NAMES = 20;

/** What is drawn over several frames. */
const VIEWS = "vitrine-app-whole-text, vitrine-app-source-difference";

/** Asks the user whether a call may be made, where the call is. */
export class ApprovalCard extends ViewElement {
  static override properties = { pending: { attribute: false } };
  declare pending: PendingApproval | undefined;
  #isAllAsked = false;
  #first: FirstValues = { values: [], hidden: 0 };
  #all: readonly NamedValue[] = [];
  /** Whether everything that is drawn over several frames is there. */
  #isDrawn = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener(DRAWN_EVENT, this.#noticeDrawn);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener(DRAWN_EVENT, this.#noticeDrawn);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("pending") || this.pending === undefined) return;
    this.#isAllAsked = false;
    this.#isDrawn = false;
    this.#all = allValues(this.pending.request);
    this.#first = firstValues(this.#all);
  }

  /** Also waits for what is drawn over several frames. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete();
    await Promise.all(this.#views().map((view) => view.updateComplete));
    return isComplete && (await super.getUpdateComplete());
  }

  override render(): TemplateResult | typeof nothing {
    const { pending } = this;
    if (pending === undefined) return nothing;
    const { request } = pending;
    const { foreign } = request;
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
      ${nameNote(request.name)}
      <p class="hint">${facts(request).join(" ")}</p>
      ${pending.files === undefined ? this.#callQuestion(pending) : fileQuestionSlot(pending)}
    </form>`;
  }

  /** Whether the call may be made, with what it would be made with. */
  #callQuestion(pending: PendingApproval): TemplateResult {
    const { request, place } = pending;
    const { foreign, skill } = request;
    const isShown = foreign !== null || skill !== undefined;
    const files = packageFiles(request);
    const isCut = files === null && (this.#first.hidden > 0 || this.#first.values.some(({ isWhole }) => !isWhole));
    // A person agrees to what they could see.
    const isPartial = (skill !== undefined || isCut) && !this.#isDrawn;
    return html`${skill === undefined ? (files ?? this.#values(isCut)) : skillDraft(skill)}
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
            : html`<button type="button" class="btn" ?disabled=${isPartial} @click=${pending.allowAll}>
                ${place === "task" ? "Allow for this task" : "Allow for this session"}
              </button>`
        }
        <button type="button" class="btn primary" ?disabled=${isPartial} @click=${pending.allowOnce}>
          ${foreign === null ? "Allow once" : "Agree"}
        </button>
      </div>`;
  }

  #values(isCut: boolean): TemplateResult | typeof nothing {
    if (this.#isAllAsked) {
      return html`${wholeList(this.#all)}
      ${this.#isDrawn ? nothing : html`<p class="hint" role="status">Drawing all of it …</p>`}`;
    }
    return html`${firstList(this.#first)} ${isCut ? this.#allButton() : nothing}`;
  }

  #allButton(): TemplateResult {
    return html`<p>
      Not all of it is shown.
      <button
        type="button"
        class="btn"
        @click=${() => {
          this.#isAllAsked = true;
          this.requestUpdate();
        }}
      >
        Show all of it to approve
      </button>
    </p>`;
  }

  #views(): readonly BlockView[] {
    return Array.from(this.querySelectorAll(VIEWS)).filter((element) => element instanceof BlockView);
  }

  readonly #noticeDrawn = (): void => {
    this.#isDrawn = this.#views().every(({ isDrawn }) => isDrawn);
    this.requestUpdate();
  };

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
customElements.define("vitrine-app-approval", ApprovalCard);

/** What counts before the arguments, which code can make as long as it likes. */
function facts(request: ApprovalRequest): readonly string[] {
  const { name, trust, hosts = [], definitionId, hints, files } = request;
  return [
    `${whoAsks(request)}, in a ${trust} session.`,
    hosts.length === 0 ? "" : `Its calls go to ${shortList(hosts)}.`,
    definitionId === undefined ? "" : "Code of the session defined this tool; it is none of the page's.",
    name === "tools.register" ? "Code can change later what the tool does: this approves the name, not its calls." : "",
    hints.destructive === true && files === undefined
      ? "It may remove or overwrite data that cannot be recovered."
      : "",
    hints.idempotent === true && hints.destructive !== true && name !== "deps.provide"
      ? "Calling it twice has the same effect as calling it once."
      : "",
  ].filter((fact) => fact !== "");
}

/** An agent that works as a tool is named with those above it. */
function whoAsks({ path, inAgentRun }: ApprovalRequest): string {
  const names = agentNames(path);
  if (names === "") return inAgentRun ? "An agent's code asks" : "Code of the console asks";
  return `The code of the agent ${names} asks`;
}

/** What would be saved, beside what is there; and what is known of it. */
function skillDraft({ name, source, description, before, notes }: SkillDraft): TemplateResult {
  return html`<p><b>${visibleLine(name)}</b>: ${differenceText(before, source)}</p>
    ${nameNote(name)}
    ${description === "" ? nothing : html`<p class="asked-text">Its description: ${visibleText(description)}</p>`}
    <vitrine-app-source-difference .replaced=${before} .source=${source}></vitrine-app-source-difference>
    ${
      notes.length === 0
        ? nothing
        : html`<ul class="plain-list">
            ${notes.map((note) => html`<li>${visibleText(note)}</li>`)}
          </ul>`
    }`;
}

interface NamedValue {
  readonly name: string;
  readonly value: Value;
  /** Its own name, and those in it under which something is kept, made or called. */
  readonly names: readonly string[];
}

/** What is shown before a person asks for all of it. */
interface FirstValues {
  readonly values: readonly (ArgumentText & Omit<NamedValue, "value">)[];
  /** How many values are not shown at all. */
  readonly hidden: number;
}

/** What a person agrees to. Those beyond the first are one value: each that has a box of its own takes time to draw. */
function allValues({ arguments: args, foreign }: ApprovalRequest): readonly NamedValue[] {
  const all: readonly NamedValue[] =
    foreign === null
      ? Object.entries(args).map(([name, value]) => ({ name, value, names: givenNames(name, value) }))
      : foreign.items.map(({ name, content }) => ({ name, value: content, names: [name] }));
  const rest = all.slice(MOST_VALUES);
  if (rest.length === 0) return all;
  const last = {
    name: formatCount(rest.length, "more item"),
    value: rest.map(({ name, value }) => Tuple.of(name, value)),
    names: rest.flatMap(({ names }) => names),
  };
  return [...all.slice(0, MOST_VALUES), last];
}

/** Beside the argument's own: the name of a skill, a tool or an artifact is an argument of the call that makes it. */
function givenNames(key: string, value: Value): readonly string[] {
  return key === "name" && typeof value === "string" ? [key, value] : [key];
}

function firstValues(all: readonly NamedValue[]): FirstValues {
  let left = LONGEST;
  const values = all.slice(0, MOST_VALUES).map(({ name, value, names }) => {
    const shown = argumentText(value, Math.min(left, LONGEST_VALUE));
    left = Math.max(0, left - shown.text.length);
    return { name, names, ...shown };
  });
  const rest = all[MOST_VALUES]?.value;
  return { values, hidden: Array.isArray(rest) ? rest.length : 0 };
}

/** Each in a box of its own height, so that a long one pushes no other out of sight. */
function firstList({ values, hidden }: FirstValues): TemplateResult | typeof nothing {
  if (values.length === 0) return nothing;
  return html`<dl class="asked">
      ${values.map(
        ({ name, names, text }) =>
          html`<dt>${visibleLine(name)}</dt>
            <dd>
              <pre tabindex="0">${text}</pre>
              ${nameNotes(names)}
            </dd>`,
      )}
    </dl>
    ${hidden > 0 ? html`<p class="hint">… ${formatCount(hidden, "more item")} not shown</p>` : nothing}`;
}

function wholeList(all: readonly NamedValue[]): TemplateResult {
  return html`<dl class="asked">
    ${all.map(
      ({ name, names, value }) =>
        html`<dt>${visibleLine(name)}</dt>
          <dd><vitrine-app-whole-text .value=${value}></vitrine-app-whole-text>${nameNotes(names)}</dd>`,
    )}
  </dl>`;
}

function nameNotes(names: readonly string[]): readonly (TemplateResult | typeof nothing)[] {
  const other = names.filter((name) => firstOtherLetter(name) >= 0);
  const notes = other.slice(0, MOST_NAMES).map((name) => nameNote(name, "this name"));
  const more = other.length - notes.length;
  return more === 0 ? notes : [...notes, html`<p class="hint">So it is with ${formatCount(more, "more name")}.</p>`];
}
