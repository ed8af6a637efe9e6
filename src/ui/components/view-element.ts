import { LitElement } from "lit";

import type { Observable } from "../state/observable.js";

/**
 * Base of the page's elements. They draw into the page itself, not into a shadow
 * tree: one style sheet, and labels that reach across elements.
 */
export abstract class ViewElement extends LitElement {
  #stops: (() => void)[] = [];

  /** What this element draws; it is drawn anew when one of them changes. */
  protected sources(): readonly Observable[] {
    return [];
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stops = this.sources().map((source) =>
      source.onChange(() => {
        this.requestUpdate();
      }),
    );
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  // Once a frame: an agent's events come by the hundred.
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated && !document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve));
    await super.scheduleUpdate();
  }
}
