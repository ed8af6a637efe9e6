import { html, nothing, type TemplateResult } from "lit";

import { ModelSettingsError, openaiModel } from "../../../model/index.js";
import { messageOf } from "../../../protocol/index.js";
import type { AppState } from "../../state/app-state.js";
import { spareText } from "../../state/text/format.js";
import { MissingKeyError, PRESETS, requireKey, type DemoSettings } from "../../state/session/settings.js";
import { LIMIT_LABELS, LimitError, limitTexts, readLimits, type LimitName } from "../../state/session/task-limits.js";
import type { PackageSettings } from "../../state/session/package-settings.js";
import { PackageAddressError, readPackages } from "../../state/session/read-packages.js";
import { readWriters, WritersError, type WriterSettings } from "../../state/session/writer-settings.js";
import { DialogElement } from "../base/dialog-element.js";
import type { PackageFields } from "./package-fields.js";
import "./package-fields.js";
import "./secrets-fields.js";
import { writerFields } from "./writer-fields.js";

/** Which model answers, and what requests need. */
export class SettingsDialog extends DialogElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #draft: DemoSettings | undefined;
  #limits: Readonly<Record<LimitName, string>> | undefined;
  #record: string | undefined;
  #problem = "";
  #badField = "";

  /** @param record - a task to run with the model that is set up. */
  open(record?: string): void {
    const { current } = this.app.settings;
    this.#draft = record === undefined ? current : { ...current, kind: "openai" };
    this.#limits = limitTexts(current.limits);
    this.#record = record;
    this.#problem = "";
    this.#badField = "";
    this.show();
  }

  override render(): TemplateResult | typeof nothing {
    const draft = this.#draft;
    if (draft === undefined) return nothing;
    return html`<dialog class="dialog" aria-labelledby="settings-title" @close=${this.closed}>
      <form @submit=${this.#save}>
        <header><h2 id="settings-title">Settings</h2></header>
        <div class="body">
          <fieldset>
            <legend>Model</legend>
            ${this.#choice("kind", "recorded", { label: "Recorded", text: "Replays what came with the page. No key, no network; it knows its own tasks only. The code it writes is really run." })}
            ${this.#choice("kind", "openai", { label: "OpenAI-compatible", text: "A server that you name. The page asks it directly; your tasks, and what code shows the model, go there." })}
          </fieldset>
          ${draft.kind === "openai" ? this.#server(draft) : nothing}
          ${draft.kind === "openai" ? this.#agents() : nothing}
          ${draft.kind === "openai" ? writerFields(draft.writers, { isBad: this.#badField === "writers", change: this.#changeWriters }) : nothing}
          <fieldset>
            <legend>What a task may use</legend>
            <div class="limits">
              ${this.#limit("maxSteps", "10")} ${this.#limit("modelCalls")} ${this.#limit("tokens")}
              ${this.#limit("toolCalls")} ${this.#limit("minutes")} ${this.#limit("money")}
            </div>
            <p class="hint">
              Empty: as much as it needs. Minutes are without those in which you are asked. What was used stands under
              each task.
            </p>
            <div class="limits prices">
              ${this.#limit("inputPrice", "not counted")} ${this.#limit("outputPrice", "not counted")}
            </div>
          </fieldset>
          <label class="field"
            ><span>CORS proxy <small class="hint">optional</small></span
            ><input
              type="url"
              name="corsProxy"
              placeholder="https://proxy.example.org/?url="
              .value=${draft.corsProxy}
              @input=${this.#edit}
          /></label>
          <p class="hint">
            For tools whose server does not let pages of this site ask it. The proxy sees these requests. Changing it
            starts Python anew.
          </p>
          <label class="field"
            ><span>Allowed hosts <small class="hint">optional</small></span
            ><input
              type="text"
              name="allowedHosts"
              placeholder="api.example.org, data.example.org"
              autocomplete="off"
              spellcheck="false"
              .value=${draft.allowedHosts}
              @input=${this.#edit}
          /></label>
          <p class="hint">
            Tools and <code>curl</code> reach these hosts only. Empty: each tool reaches the host its file names, and
            <code>curl</code> reaches none. A change restarts Python.
          </p>
          <vitrine-app-package-fields
            .app=${this.app}
            .value=${draft.packages}
            .badField=${this.#badField}
            .change=${this.#changePackages}
          ></vitrine-app-package-fields>
          <vitrine-app-secrets .app=${this.app}></vitrine-app-secrets>
          ${this.#spare()}
          ${this.#problem === "" ? nothing : html`<p class="notice bad" role="alert" id="settings-problem">${this.#problem}</p>`}
        </div>
        <footer>
          <button type="button" class="btn" @click=${this.close}>Cancel</button>
          <button type="submit" class="btn primary">${this.#record === undefined ? "Save" : "Save and record"}</button>
        </footer>
      </form>
    </dialog>`;
  }

  /** What the page keeps ready, and what that costs. */
  #spare(): TemplateResult | typeof nothing {
    const text = spareText(this.app.session.current?.spare);
    return text === "" ? nothing : html`<p class="hint">${text}</p>`;
  }

  #choice<Name extends "kind" | "agent">(
    name: Name,
    value: DemoSettings[Name],
    { label, text }: { readonly label: string; readonly text: string },
  ): TemplateResult {
    return html`<label class="choice"
      ><input
        type="radio"
        name=${name}
        value=${value}
        .checked=${this.#draft?.[name] === value}
        @change=${() => {
          this.#change({ [name]: value });
        }}
      /><span><b>${label}</b><span class="hint">${text}</span></span></label
    >`;
  }

  #server(draft: DemoSettings): TemplateResult {
    return html`<div class="row" role="group" aria-label="Presets">
        ${PRESETS.map(
          ({ label, baseURL, model }) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${draft.baseURL === baseURL}
              @click=${() => {
                this.#change({ baseURL, model });
              }}
            >
              ${label}
            </button>`,
        )}
      </div>
      ${this.#field("baseURL", "Base URL", { type: "url", placeholder: "https://api.openai.com/v1" })}
      ${this.#field("model", "Model", { type: "text", placeholder: "gpt-4.1-mini" })}
      ${this.#field("apiKey", "Key", { type: "password", placeholder: "Local servers need none" })}
      ${this.#check("keepKey", "Keep the key on this device", "In localStorage, where no worker can read it. Otherwise it is gone when you leave the page.")}
      ${this.#check("sees", "The model takes images", "It is shown the pictures that its code draws. A server that refuses them is told of them in words.")}`;
  }

  #check(
    name: "keepKey" | "sees" | "offersAgents" | "learnsSkills" | "worksOnCode",
    label: string,
    text: string,
  ): TemplateResult {
    return html`<label class="check"
      ><input
        type="checkbox"
        name=${name}
        .checked=${this.#draft?.[name] ?? false}
        @change=${({ target }: Event) => {
          if (target instanceof HTMLInputElement) this.#change({ [name]: target.checked });
        }}
      /><span>${label}<span class="hint">${text}</span></span></label
    >`;
  }

  #field(
    name: "baseURL" | "model" | "apiKey",
    label: string,
    { type, placeholder }: { type: string; placeholder: string },
  ): TemplateResult {
    const bad = this.#badField === name;
    return html`<label class="field"
      ><span>${label}</span
      ><input
        type=${type}
        name=${name}
        autocomplete="off"
        spellcheck="false"
        placeholder=${placeholder}
        aria-invalid=${bad}
        aria-describedby=${bad ? "settings-problem" : nothing}
        .value=${this.#draft?.[name] ?? ""}
        @input=${this.#edit}
    /></label>`;
  }

  #agents(): TemplateResult {
    return html`<fieldset>
      <legend>Agent</legend>
      ${this.#choice("agent", "code", { label: "Writes Python", text: "Each step is a piece of code, which calls tools and computes." })}
      ${this.#choice("agent", "react", { label: "Calls tools", text: "Each step calls one or more tools, as JSON. No code of it is run." })}
      ${this.#check(
        "offersAgents",
        "Offer it an assistant and programs by contract",
        "Two more tools: another agent, which writes Python, and one that has a program written. They make its prompt " +
          "up to a few hundred tokens longer, and what they use counts as the task's.",
      )}
      ${this.#check(
        "learnsSkills",
        "Propose skills",
        "After a task the model may propose a skill of what it did. It is tried first, and you are asked before it is " +
          "saved. One request more.",
      )}
      ${this.#check(
        "worksOnCode",
        "Work on code",
        "It reads, searches and patches the files in /workspace and runs their tests, in a Python of its own for each " +
          "task. You see the diff of the task, and can undo it as one.",
      )}
    </fieldset>`;
  }

  #limit(name: LimitName, placeholder = "no limit"): TemplateResult {
    const bad = this.#badField === name;
    return html`<label class="field"
      ><span>${LIMIT_LABELS[name]}</span
      ><input
        type="text"
        inputmode="decimal"
        name=${name}
        autocomplete="off"
        placeholder=${placeholder}
        aria-invalid=${bad}
        aria-describedby=${bad ? "settings-problem" : nothing}
        .value=${this.#limits?.[name] ?? ""}
        @input=${({ target }: Event) => {
          if (!(target instanceof HTMLInputElement) || this.#limits === undefined) return;
          this.#limits = { ...this.#limits, [name]: target.value };
          this.#change({});
        }}
    /></label>`;
  }

  readonly #edit = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement) this.#change({ [target.name]: target.value });
  };

  readonly #changePackages = (part: Partial<PackageSettings>): void => {
    if (this.#draft !== undefined) this.#change({ packages: { ...this.#draft.packages, ...part } });
  };

  readonly #changeWriters = (part: Partial<WriterSettings>): void => {
    if (this.#draft !== undefined) this.#change({ writers: { ...this.#draft.writers, ...part } });
  };

  #change(part: Partial<DemoSettings>): void {
    if (this.#draft !== undefined) this.#draft = { ...this.#draft, ...part };
    this.#problem = "";
    this.#badField = "";
    this.requestUpdate();
  }

  readonly #save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const draft = this.#draft;
    const texts = this.#limits;
    if (draft === undefined || texts === undefined) return;
    const settings = {
      ...draft,
      baseURL: draft.baseURL.trim(),
      model: draft.model.trim(),
      apiKey: draft.apiKey.trim(),
      corsProxy: draft.corsProxy.trim(),
      allowedHosts: draft.allowedHosts.trim(),
    };
    let limits: DemoSettings["limits"];
    let packages: PackageSettings;
    let writers: WriterSettings;
    try {
      const { kind, baseURL, apiKey, model, sees } = settings;
      if (kind === "openai") openaiModel({ baseURL, apiKey, model, sees });
      requireKey(settings);
      limits = readLimits(texts);
      packages = readPackages(settings.packages);
      // What is not shown keeps nothing from being saved.
      writers = kind === "openai" ? readWriters(settings.writers) : settings.writers;
    } catch (error) {
      this.#problem = messageOf(error);
      this.#badField = fieldOf(error);
      this.requestUpdate();
      await this.updateComplete;
      await this.querySelector<PackageFields>("vitrine-app-package-fields")?.updateComplete;
      this.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      return;
    }
    const record = this.#record;
    // Python may have to start again, which the page shows behind the dialog.
    this.close();
    try {
      const problem = await this.app.saveSettings({ ...settings, limits, packages, writers });
      if (problem !== null) this.app.setTrouble(problem);
    } catch (error) {
      this.app.setTrouble(messageOf(error));
      return;
    }
    if (record !== undefined) await this.app.runTask(record);
  };

  protected override forget(): void {
    this.#draft = undefined;
    this.requestUpdate();
  }
}
customElements.define("vitrine-app-settings-dialog", SettingsDialog);

function fieldOf(error: unknown): string {
  if (error instanceof MissingKeyError) return "apiKey";
  const isOfField =
    error instanceof ModelSettingsError ||
    error instanceof LimitError ||
    error instanceof PackageAddressError ||
    error instanceof WritersError;
  return isOfField ? error.field : "";
}
