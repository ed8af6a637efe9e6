import { html, nothing, type TemplateResult } from "lit";

import type { WriterSettings } from "../../state/session/writer-settings.js";

export interface WriterFieldsOptions {
  /** Whether what is written there keeps the settings from being saved. */
  readonly isBad: boolean;
  readonly change: (part: Partial<WriterSettings>) => void;
}

/** Which models of the server write files together. */
export function writerFields(writers: WriterSettings, { isBad, change }: WriterFieldsOptions): TemplateResult {
  return html`<fieldset>
    <legend>Write files with several models</legend>
    <label class="check"
      ><input
        type="checkbox"
        name="writes"
        .checked=${writers.isOn}
        @change=${({ target }: Event) => {
          if (target instanceof HTMLInputElement) change({ isOn: target.checked });
        }}
      /><span
        >Offer the tool write_codebase_tool<span class="hint"
          >Each file is written by all of these models at once, and one of the texts is taken. You see them side by
          side, and are asked before a file is written. What they cost counts as the task's.</span
        ></span
      ></label
    >
    ${writers.isOn ? named(writers, { isBad, change }) : nothing}
  </fieldset>`;
}

function named({ models, arbiter, fallback }: WriterSettings, { isBad, change }: WriterFieldsOptions): TemplateResult {
  return html`<label class="field"
      ><span>Models that write, one in each line</span
      ><textarea
        name="writers"
        rows="3"
        autocomplete="off"
        spellcheck="false"
        aria-invalid=${isBad}
        aria-describedby=${isBad ? "settings-problem" : "writers-hint"}
        .value=${models}
        @input=${({ target }: Event) => {
          if (target instanceof HTMLTextAreaElement) change({ models: target.value });
        }}
      ></textarea>
    </label>
    <p class="hint" id="writers-hint">Models of the server above, as it names them.</p>
    ${modelField("Arbiter", "chooses between their texts; empty: the first one is taken", arbiter, (name) => {
      change({ arbiter: name });
    })}
    ${modelField(
      "Fallback",
      "asked where none of them came to anything; empty: such a file fails",
      fallback,
      (name) => {
        change({ fallback: name });
      },
    )}`;
}

function modelField(label: string, hint: string, value: string, change: (name: string) => void): TemplateResult {
  return html`<label class="field"
    ><span>${label} <small class="hint">${hint}</small></span
    ><input
      type="text"
      name=${label.toLowerCase()}
      autocomplete="off"
      spellcheck="false"
      .value=${value}
      @input=${({ target }: Event) => {
        if (target instanceof HTMLInputElement) change(target.value);
      }}
  /></label>`;
}
