import { html, nothing, type TemplateResult } from "lit";

import { visibleLine, visibleText } from "../../drawing/visible.js";
import type { FieldValue, FormField, FormOption } from "../../state/questions/elicitation-form.js";
import type { PendingServerQuestion } from "../../state/questions/server-questions.js";
import { ViewElement } from "../base/view-element.js";
import { declineAllLabel, serverLine, serverText, showAll } from "./server-words.js";

/** Characters of a choice, or of a text that is filled in, up to which a control of one line shows it whole. */
const LONGEST_CHOICE = 40;
const LONGEST_TEXT = 80;

/** A server asks the user to fill something in. */
export class ElicitationCard extends ViewElement {
  static override properties = { pending: { attribute: false } };
  declare pending: Extract<PendingServerQuestion, { kind: "form" }> | undefined;
  #isAllAsked = false;
  #problems: ReadonlyMap<string, string> = new Map();
  /** The fields that have several lines, which they keep while they are written in. */
  readonly #long = new Map<string, boolean>();

  override render(): TemplateResult | typeof nothing {
    const { pending } = this;
    if (pending === undefined) return nothing;
    const { message, form, place } = pending;
    const said = serverText(message, this.#isAllAsked);
    const canAccept = form.problem === "" && said.isWhole;
    return html`<form
      novalidate
      aria-label="What the server asks for"
      @submit=${(event: Event) => {
        event.preventDefault();
        if (canAccept) void this.#submit();
      }}
    >
      <p class="caption">The server says</p>
      ${said.drawn}
      ${showAll(!said.isWhole, () => {
        this.#isAllAsked = true;
        this.requestUpdate();
      })}
      ${form.problem === "" ? nothing : html`<p class="bad">${form.problem} It cannot be accepted here.</p>`}
      ${
        form.fields.length === 0
          ? nothing
          : html`<p class="caption">The server asks for</p>
              <div class="asked-fields">${form.fields.map((field, index) => this.#field(field, index))}</div>
              <p class="hint">
                What you fill in goes to the server, and may come back to the code. Give it no passwords or keys.
              </p>`
      }
      <div class="row">
        <span class="hint">The run and its clock wait for you.</span>
        <button type="button" class="btn" @click=${pending.cancel}>Cancel</button>
        <button type="button" class="btn" @click=${pending.declineAll}>${declineAllLabel("Decline", place)}</button>
        <button type="button" class="btn" @click=${pending.decline}>Decline</button>
        <button type="submit" class="btn primary" ?disabled=${!canAccept}>Accept</button>
      </div>
    </form>`;
  }

  #field(field: FormField, index: number): TemplateResult {
    const id = `asked-${String(index)}`;
    const problem = this.#problems.get(field.name) ?? "";
    const notes = html`${field.description === "" ? nothing : html`<span class="hint" id=${`${id}-hint`}>${serverLine(field.description)}</span>`}
    ${writtenOut(this.#value(field))}
    ${problem === "" ? nothing : html`<span class="bad" id=${`${id}-problem`}>${problem}</span>`}`;
    const described = [field.description === "" ? "" : `${id}-hint`, problem === "" ? "" : `${id}-problem`]
      .join(" ")
      .trim();
    const about: Described = { id, described: described === "" ? nothing : described, isWrong: problem !== "" };
    if (field.kind === "choices") return this.#choices(field, about, notes);
    if (field.kind === "choice" && field.options.some(({ label }) => label.length > LONGEST_CHOICE)) {
      return this.#longChoice(field, about, notes);
    }
    if (field.kind === "boolean") {
      return html`<div class="field">
        <label class="check"
          ><input
            id=${id}
            type="checkbox"
            aria-describedby=${about.described}
            .checked=${this.#value(field) === true}
            @change=${(event: Event) => {
              if (event.target instanceof HTMLInputElement) this.#set(field, event.target.checked);
            }}
          /><span>${serverLine(field.label)}</span></label
        >
        ${notes}
      </div>`;
    }
    return html`<div class="field">
      <label for=${id}>${this.#label(field)}</label>
      ${field.kind === "choice" ? this.#choice(field, about) : this.#input(field, about)} ${notes}
    </div>`;
  }

  #label({ label, isRequired }: FormField): TemplateResult {
    return html`${serverLine(label)} ${isRequired ? nothing : html`<span class="hint">(optional)</span>`}`;
  }

  #input(
    field: Extract<FormField, { kind: "text" | "number" }>,
    { id, described, isWrong }: Described,
  ): TemplateResult {
    if (field.kind === "text" && field.format === null && this.#isLong(field)) {
      return html`<textarea
        id=${id}
        rows="5"
        autocomplete="off"
        aria-required=${field.isRequired}
        aria-invalid=${isWrong}
        aria-describedby=${described}
        .value=${String(this.#value(field))}
        @input=${(event: Event) => {
          if (event.target instanceof HTMLTextAreaElement) this.#set(field, event.target.value);
        }}
      ></textarea>`;
    }
    return html`<input
      id=${id}
      type=${field.kind === "number" ? "text" : INPUT_TYPES[field.format ?? "plain"]}
      inputmode=${field.kind === "number" ? "decimal" : nothing}
      autocomplete="off"
      aria-required=${field.isRequired}
      aria-invalid=${isWrong}
      aria-describedby=${described}
      .value=${String(this.#value(field))}
      @input=${(event: Event) => {
        if (event.target instanceof HTMLInputElement) this.#set(field, event.target.value);
      }}
    />`;
  }

  #choice(field: Extract<FormField, { kind: "choice" }>, { id, described, isWrong }: Described): TemplateResult {
    const chosen = this.#value(field);
    return html`<select
      id=${id}
      aria-required=${field.isRequired}
      aria-invalid=${isWrong}
      aria-describedby=${described}
      @change=${({ target }: Event) => {
        // The first is none of the server's.
        if (target instanceof HTMLSelectElement) this.#set(field, field.options[target.selectedIndex - 1]?.value ?? "");
      }}
    >
      <option ?selected=${chosen === ""}>${field.isRequired ? "Choose one" : "None"}</option>
      ${field.options.map(
        ({ value, label }) => html`<option ?selected=${value === chosen}>${visibleLine(label)}</option>`,
      )}
    </select>`;
  }

  /** What a server filled in beforehand is seen whole: a control of one line also leaves line breaks out. */
  #isLong(field: FormField): boolean {
    const known = this.#long.get(field.name);
    if (known !== undefined) return known;
    const value = String(this.#value(field));
    const isLong = value.length > LONGEST_TEXT || /[\n\r]/.test(value);
    this.#long.set(field.name, isLong);
    return isLong;
  }

  #longChoice(
    field: Extract<FormField, { kind: "choice" }>,
    { id, described, isWrong }: Described,
    notes: TemplateResult,
  ): TemplateResult {
    const chosen = this.#value(field);
    const option = (value: string, label: TemplateResult | string): TemplateResult =>
      html`<label class="check"
        ><input
          type="radio"
          name=${id}
          .checked=${value === chosen}
          @change=${() => {
            this.#set(field, value);
          }}
        /><span>${label}</span></label
      >`;
    return html`<fieldset
      class="field"
      id=${id}
      tabindex="-1"
      role="radiogroup"
      aria-required=${field.isRequired}
      aria-invalid=${isWrong}
      aria-describedby=${described}
    >
      <legend>${this.#label(field)}</legend>
      <div class="asked-options long">
        ${field.isRequired ? nothing : option("", "None")}
        ${field.options.map(({ value, label }) => option(value, serverLine(label)))}
      </div>
      ${notes}
    </fieldset>`;
  }

  #choices(
    field: Extract<FormField, { kind: "choices" }>,
    { id, described }: Described,
    notes: TemplateResult,
  ): TemplateResult {
    const value = this.#value(field);
    const chosen: readonly string[] = typeof value === "object" ? value : [];
    const toggle = (option: FormOption, isChosen: boolean): void => {
      this.#set(field, isChosen ? [...chosen, option.value] : chosen.filter((one) => one !== option.value));
    };
    return html`<fieldset class="field" id=${id} tabindex="-1" aria-describedby=${described}>
      <legend>${this.#label(field)}</legend>
      <div class="asked-options">
        ${field.options.map(
          (option) =>
            html`<label class="check"
              ><input
                type="checkbox"
                .checked=${chosen.includes(option.value)}
                @change=${({ target }: Event) => {
                  if (target instanceof HTMLInputElement) toggle(option, target.checked);
                }}
              /><span>${serverLine(option.label)}</span></label
            >`,
        )}
      </div>
      ${notes}
    </fieldset>`;
  }

  #value({ name }: FormField): FieldValue {
    return this.pending?.form.value(name) ?? "";
  }

  #set({ name }: FormField, value: FieldValue): void {
    const { pending } = this;
    if (pending === undefined) return;
    pending.form.set(name, value);
    // What was wrong is looked at again as it is mended, not while something is written for the first time.
    if (this.#problems.size > 0) this.#problems = pending.form.problems();
    this.requestUpdate();
  }

  async #submit(): Promise<void> {
    const { pending } = this;
    if (pending === undefined) return;
    const { form } = pending;
    this.#problems = form.problems();
    if (this.#problems.size === 0) {
      pending.accept(form.content());
      return;
    }
    this.requestUpdate();
    await this.updateComplete;
    const first = form.fields.findIndex(({ name }) => this.#problems.has(name));
    this.querySelector<HTMLElement>(`#asked-${String(first)}`)?.focus();
  }
}
customElements.define("vitrine-app-elicitation", ElicitationCard);

/** A control shows no characters that are invisible or change the reading direction, but sends them. */
function writtenOut(value: FieldValue): TemplateResult | typeof nothing {
  if (typeof value !== "string" || visibleText(value) === value) return nothing;
  return html`<span class="hint">Not all of it can be seen. Written out it is:</span>
    <pre tabindex="0">${visibleText(value)}</pre>`;
}

/** How a field is found and described. */
interface Described {
  readonly id: string;
  readonly described: string | typeof nothing;
  readonly isWrong: boolean;
}

const INPUT_TYPES = { plain: "text", email: "email", uri: "url", date: "date", "date-time": "datetime-local" } as const;
