import { html, nothing, type TemplateResult } from "lit";
import { until } from "lit/directives/until.js";

import { pictureAddress } from "../../drawing/picture-address.js";
import { visibleLine, visibleText } from "../../drawing/visible.js";
import { formatBytes, formatCount } from "../../state/text/format.js";
import type { Observable } from "../../state/text/observable.js";
import type { SampledMessage, SampledPart, SamplingReply } from "../../state/questions/sampling-reply.js";
import type { PendingServerQuestion } from "../../state/questions/server-questions.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";
import { declineAllLabel, serverLine, serverText, showAll } from "./server-words.js";

/** Messages that are shown at first. */
const MOST_MESSAGES = 20;

/** A server asks a model: the user reads what it asks, and what the model said before that goes back. */
export class SamplingCard extends ViewElement {
  static override properties = { pending: { attribute: false }, reply: { attribute: false } };
  declare pending: Extract<PendingServerQuestion, { kind: "sampling" }>;
  declare reply: SamplingReply;
  #isAllAsked = false;
  #isEditing = false;

  protected override sources(): readonly Observable[] {
    return [this.reply, this.reply.settings];
  }

  override render(): TemplateResult {
    const { pending, reply } = this;
    const { state, messages, obstacle, modelName } = reply;
    const isEditing = this.#isEditing && reply.canBeEdited;
    const shown = this.#isAllAsked ? messages : messages.slice(0, MOST_MESSAGES);
    const texts = shown.map((message, at) => this.#message(message, at));
    const hidden = messages.length - shown.length;
    const isPartial = hidden > 0 || texts.some(({ isWhole }) => !isWhole);
    const canAsk = obstacle === "" && modelName !== null && !isPartial && reply.saysSomething;
    return html`<div class="asked">
        ${isEditing ? messages.map((message, at) => this.#edited(message, at)) : texts.map(({ drawn }) => drawn)}
      </div>
      ${
        isEditing
          ? html`<p class="hint">
              What cannot be seen here, such as a change of the reading direction, is written out as you are done.
            </p>`
          : nothing
      }
      ${hidden > 0 && !isEditing ? html`<p class="hint">… ${formatCount(hidden, "more message")} not shown</p>` : nothing}
      <p class="hint">${this.#limits()}</p>
      ${showAll(isPartial && !isEditing, () => {
        this.#isAllAsked = true;
        this.requestUpdate();
      })}
      <div role="status" class="sampling-state" tabindex="-1">${this.#standing()}</div>
      ${reply.text === "" ? nothing : html`<pre class="sampled" tabindex="0" aria-label="What the model said">${visibleText(reply.text)}</pre>`}
      <div class="row">
        <span class="hint">The run and its clock wait for you.</span>
        <button type="button" class="btn" @click=${pending.declineAll}>
          ${declineAllLabel("Deny", pending.place)}
        </button>
        <button type="button" class="btn" @click=${pending.decline}>
          ${state === "answered" ? "Do not send" : "Deny"}
        </button>
        ${isEditing ? this.#editing() : html`${this.#edit()} ${this.#next(state, canAsk)}`}
      </div>`;
  }

  /** From a button that did its work. */
  protected override refocus(): boolean {
    this.querySelector<HTMLElement>(".sampling-state")?.focus({ preventScroll: true });
    return true;
  }

  #message({ role, parts }: SampledMessage, at: number): { readonly drawn: TemplateResult; readonly isWhole: boolean } {
    const drawn = parts.map((part) => this.#part(part));
    return {
      drawn: html`<div>
        <p class="caption">${ROLES[role]}${this.reply.isChanged(at) ? ", changed by you" : ""}</p>
        ${drawn.map((part) => part.drawn)}
      </div>`,
      isWhole: drawn.every(({ isWhole }) => isWhole),
    };
  }

  #part(part: SampledPart): { readonly drawn: TemplateResult; readonly isWhole: boolean } {
    if (part.kind === "text") return serverText(part.text, this.#isAllAsked);
    const { mime, data } = part;
    const address = pictureAddress(mime, data);
    return {
      drawn: html`<p>
        <img alt="A picture of the server" src=${until(address, nothing)} />
        <span class="hint">A picture, ${formatBytes(data.byteLength)}</span>
      </p>`,
      isWhole: true,
    };
  }

  /** A message while the user changes it. */
  #edited({ role, parts }: SampledMessage, at: number): TemplateResult {
    const { length } = this.reply.messages;
    return html`<div class="field">
      ${parts.map((part, index) => {
        if (part.kind !== "text") return this.#part(part).drawn;
        const id = `sampled-${String(at)}-${String(index)}`;
        const which = [
          length > 1 ? `message ${String(at + 1)} of ${String(length)}` : "",
          parts.length > 1 ? `part ${String(index + 1)}` : "",
        ].filter((words) => words !== "");
        return html`<label for=${id}>${[ROLES[role], ...which].join(", ")}</label>
          <textarea
            id=${id}
            rows=${Math.min(12, Math.max(3, part.text.split("\n", 12).length))}
            .value=${part.text}
            @input=${({ target }: Event) => {
              if (target instanceof HTMLTextAreaElement) this.reply.edit(at, index, target.value);
            }}
          ></textarea>`;
      })}
    </div>`;
  }

  #edit(): TemplateResult | typeof nothing {
    const { reply } = this;
    if (!reply.canBeEdited || reply.modelName === null) return nothing;
    const edit = async (): Promise<void> => {
      this.#isEditing = true;
      // Each message is seen now.
      this.#isAllAsked = true;
      this.requestUpdate();
      await this.updateComplete;
      this.querySelector("textarea")?.focus();
    };
    return html`<button type="button" class="btn" @click=${edit}>Edit</button>`;
  }

  #editing(): TemplateResult {
    const { reply } = this;
    return html`<button
        type="button"
        class="btn"
        ?disabled=${!reply.isEdited}
        @click=${() => {
          reply.undoEdits();
          this.querySelector("textarea")?.focus();
        }}
      >
        Put it back
      </button>
      <button
        type="button"
        class="btn primary"
        @click=${() => {
          this.#isEditing = false;
          this.requestUpdate();
        }}
      >
        Done
      </button>`;
  }

  /** What bounds the reply, and what it costs. */
  #limits(): TemplateResult {
    const { reply, pending } = this;
    const { temperature, stopSequences = [], maxTokens } = pending.asked;
    const cut = reply.maxTokens < maxTokens ? `; it asked for ${maxTokens.toLocaleString("en-US")}` : "";
    const hasPictures = reply.messages.some(({ parts }) => parts.some(({ kind }) => kind === "image"));
    const ends = stopSequences.map((text, at) => html`${at === 0 ? "" : ", "}“${serverLine(text)}”`);
    return html`${[
      `At most ${reply.maxTokens.toLocaleString("en-US")} tokens of reply${cut}.`,
      temperature === undefined ? "" : `Temperature ${String(temperature)}.`,
      hasPictures && reply.modelName !== null && !reply.seesPictures ? "Your model is not shown the pictures." : "",
      "The model is told nothing else: no key, and nothing of the task.",
      "The task's limits do not count it.",
    ]
      .filter((sentence) => sentence !== "")
      .join(" ")}
    ${ends.length === 0 || reply.obstacle !== "" ? nothing : html`It ends before ${ends}.`}`;
  }

  #standing(): TemplateResult {
    const { state, obstacle, modelName, problem } = this.reply;
    switch (state) {
      case "asked":
        if (obstacle !== "") return html`<p class="bad">${obstacle} It cannot be answered here.</p>`;
        if (modelName === null) {
          return html`<p>
            You have set up no model of your own, and the recorded one only repeats. Set one up, or deny: the server is
            told that nothing answers.
          </p>`;
        }
        if (!this.reply.saysSomething) return html`<p>Nothing is left to ask a model. Edit it, or deny.</p>`;
        return html`<p>
          If you allow it, your model <b>${visibleLine(modelName)}</b> is asked
          this${this.reply.isEdited ? ", as you changed it" : ""}, once.
        </p>`;
      case "answering":
        return html`<p>${visibleLine(modelName ?? "")} answers …</p>`;
      case "answered":
        return html`<p>
          <b>${visibleLine(modelName ?? "")}</b> answered. Read it: nothing has gone to the server yet.
        </p>`;
      case "failed":
        return html`<p class="bad">The model did not answer: ${problem}</p>`;
    }
  }

  #next(state: SamplingReply["state"], canAsk: boolean): TemplateResult | typeof nothing {
    const { pending, reply } = this;
    const button = (label: string, act: () => void, isDisabled = false): TemplateResult =>
      html`<button type="button" class="btn primary" ?disabled=${isDisabled} @click=${act}>${label}</button>`;
    const settings = html`<button type="button" class="btn" @click=${() => emit(this, "vitrine-settings")}>
      ${state === "failed" ? "Settings" : "Set up a model"}
    </button>`;
    const ask = (): void => void reply.ask();
    switch (state) {
      case "asked":
        if (reply.obstacle === "" && reply.modelName === null) return settings;
        return button("Allow once", ask, !canAsk);
      case "answering":
        return nothing;
      case "answered":
        return button("Send to the server", () => {
          pending.send(reply.answer);
        });
      case "failed":
        return html`${settings}${button("Try again", ask, !canAsk)}`;
    }
  }
}
customElements.define("vitrine-app-sampling", SamplingCard);

const ROLES = {
  system: "Instructions for the model",
  user: "The server says",
  assistant: "As if the model had said",
} as const;
