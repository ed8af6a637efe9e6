import { button, h } from "../shared/dom.js";
import { keepTyping } from "../shared/input-form.js";
import { message } from "../shared/state-line.js";

import { wordsOfModel, wordsOfReach } from "./agent-words.js";
import { hostOf, isSecurePage, readModelAddress, type ModelAddress } from "./model-address.js";
import type { ModelChoice, ModelState, SiteModel } from "./page-models.js";

type Field = "address" | "model" | "key";

/** What the form shows. */
export interface ModelView {
  readonly site: SiteModel;
  readonly state: ModelState;
}

/** The fold in which the reader names the model, with the key that it wants. */
export class ModelForm {
  readonly #name = h("bdi");
  readonly #address = h("input", {
    id: "address",
    type: "text",
    inputmode: "url",
    placeholder: "https://api.example.org/v1",
    dir: "ltr",
  });
  readonly #model = h("input", { id: "model", type: "text", dir: "ltr" });
  readonly #key = h("input", { id: "key", type: "password", dir: "ltr", "aria-describedby": "reach" });
  readonly #keep = h("input", { id: "keep", type: "checkbox" });
  readonly #keyRow = h("div", { class: "field" }, h("label", { for: "key" }, "Key"), this.#key);
  readonly #keepRow = h("div", { class: "keep" }, this.#keep, h("label", { for: "keep" }, "Keep on this device"));
  readonly #reach = h("bdi");
  readonly #problem = h("div", { role: "alert" });
  readonly #forget = button("forget-model", "Forget");
  readonly form: HTMLFormElement;
  readonly element: HTMLDetailsElement;
  #view: ModelView | null = null;
  #isDirty = false;

  constructor() {
    const use = button("use-model", "Use this model");
    use.type = "submit";
    for (const field of [this.#address, this.#model, this.#key]) {
      for (const [name, value] of [
        ["autocomplete", "off"],
        ["autocapitalize", "off"],
        ["spellcheck", "false"],
      ] as const) {
        field.setAttribute(name, value);
      }
    }
    this.form = h(
      "form",
      { novalidate: "" },
      h("div", { class: "field" }, h("label", { for: "address" }, "Address of the server"), this.#address),
      h("div", { class: "field" }, h("label", { for: "model" }, "Name of the model"), this.#model),
      this.#keyRow,
      h("p", { id: "reach" }, this.#reach),
      this.#keepRow,
      this.#problem,
      h("div", { class: "buttons" }, use, this.#forget),
    );
    this.element = h("details", { class: "model", part: "model" }, h("summary", {}, this.#name), this.form);
    for (const type of ["keydown", "keypress", "keyup"] as const) this.form.addEventListener(type, keepTyping);
    this.form.addEventListener("input", () => {
      this.#isDirty = true;
      this.#problem.replaceChildren();
      this.#showReach();
    });
  }

  /** Whether the reader filled in something that is not used yet. */
  get isDirty(): boolean {
    return this.#isDirty;
  }

  /** What the reader is filling in stays, unless the page names another server: it was meant for the one before. */
  show(view: ModelView): void {
    const isOtherSite = this.#view !== null && this.#view.site.endpoint !== view.site.endpoint;
    this.#view = view;
    this.#name.textContent = `Model: ${wordsOfModel(view.state)}`;
    this.#forget.hidden = !view.state.isOfReader;
    if (!this.#isDirty || isOtherSite) this.#fill(view.state);
    this.#showReach();
  }

  /** What the reader filled in; null where it cannot be used, which the form then says. */
  read(): ModelChoice | null {
    const address = this.#readAddress();
    const model = this.#model.value.trim();
    const apiKey = this.#keyRow.hidden ? "" : this.#key.value.trim();
    if (address.kind === "refused") return this.#refuse("address", `This address cannot be asked: ${address.reason}`);
    if (model === "") return this.#refuse("model", `Name a model that ${hostOf(address.url)} has.`);
    if (/[^\x21-\x7e]/.test(apiKey)) {
      return this.#refuse("key", "This key has a blank or a letter in it that no request can carry.");
    }
    return { baseURL: address.url, model, apiKey, isKept: this.#keep.checked };
  }

  /** What was filled in is used from now on. The key is not shown again. */
  settle(view: ModelView): void {
    this.#isDirty = false;
    this.show(view);
  }

  say(text: string | null): void {
    this.#problem.replaceChildren(...(text === null ? [] : [message(text)]));
  }

  open(field: Field): void {
    this.element.open = true;
    this.#fieldOf(field).focus();
  }

  #fieldOf(field: Field): HTMLInputElement {
    return { address: this.#address, model: this.#model, key: this.#key }[field];
  }

  #fill({ baseURL, model, isKept }: ModelState): void {
    this.#address.value = baseURL ?? "";
    this.#model.value = model ?? "";
    this.#key.value = "";
    this.#keep.checked = isKept;
    this.#isDirty = false;
    this.#problem.replaceChildren();
  }

  #refuse(field: Field, text: string): null {
    this.open(field);
    this.say(text);
    return null;
  }

  #readAddress(): ModelAddress {
    return readModelAddress(this.#address.value, { isSecure: isSecurePage() });
  }

  #showReach(): void {
    if (this.#view === null) return;
    const { site, state } = this.#view;
    const address = this.#readAddress();
    const url = address.kind === "usable" ? address.url : null;
    this.#reach.textContent = wordsOfReach(url, site);
    this.#keyRow.hidden = site.key === "none" && url !== null && url === site.endpoint;
    this.#key.placeholder = url !== null && url === state.baseURL && state.apiKey !== null ? "A key is there" : "";
  }
}
