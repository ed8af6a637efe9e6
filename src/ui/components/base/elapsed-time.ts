import { html, type TemplateResult } from "lit";

import { define, ViewElement } from "./view-element.js";

/** Seconds since `since`, counted while it is there. */
export class ElapsedTime extends ViewElement {
  static override properties = { since: { type: Number } };
  /** Milliseconds since 1970. */
  declare since: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.since = Date.now();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      this.requestUpdate();
    }, 100);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  override render(): TemplateResult {
    const seconds = Math.max(0, Date.now() - this.since) / 1000;
    return html`<span class="time">${seconds < 60 ? seconds.toFixed(1) : seconds.toFixed(0)} s</span>`;
  }
}
define("vitrine-app-elapsed", ElapsedTime);
