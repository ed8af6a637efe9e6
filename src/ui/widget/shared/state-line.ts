import { h } from "./dom.js";
import type { Words } from "./words.js";

/** What an element is at, in words, with a line that fills while something is loaded. */
export class StateLine {
  readonly #done = h("div");
  readonly progress = h("div", { class: "progress", part: "progress", role: "progressbar" }, this.#done);
  readonly #words = h("span", { role: "status", "aria-live": "polite" });
  readonly #detail = h("span", { "aria-hidden": "true" });
  readonly status = h("span", { class: "status", part: "status" }, h("bdi", {}, this.#words, this.#detail));

  constructor() {
    this.progress.hidden = true;
  }

  say({ text, detail = "", progress }: Words): void {
    // The same text again would be read out again.
    if (this.#words.textContent !== text) this.#words.textContent = text;
    this.#detail.textContent = detail;
    this.progress.hidden = progress === undefined;
    if (progress === undefined) return;
    this.#done.style.setProperty("--_done", String(progress));
    this.progress.setAttribute("aria-valuenow", String(Math.round(progress * 100)));
    this.progress.setAttribute("aria-valuetext", text + detail);
    this.progress.setAttribute("aria-label", text);
  }
}

/** A sentence on what keeps an element from its work; `quiet` where it is only worth knowing. */
export function message(text: string, kind: "plain" | "quiet" = "plain"): HTMLElement {
  return h("p", { class: kind === "quiet" ? "message quiet" : "message", part: "message" }, h("bdi", {}, text));
}
