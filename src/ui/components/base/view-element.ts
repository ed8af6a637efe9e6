import { LitElement, type PropertyValues } from "lit";

import type { Observable } from "../../state/text/observable.js";

/**
 * Base of the page's elements. They draw into the page itself, or the one shadow tree of the widget in which they
 * are, not into trees of their own: one style sheet, and labels that reach across elements.
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

  protected override update(changed: PropertyValues): void {
    const held = rootOf(this).activeElement;
    const isWithin = held !== null && this.contains(held);
    super.update(changed);
    if (!isWithin || held.isConnected) return;
    // The browser gives the focus of what is gone to nobody.
    if (this.refocus?.(held) === true) return;
    for (let place = this.parentElement; place !== null; place = place.parentElement) {
      if (place instanceof ViewElement && place.refocus?.(held) === true) return;
    }
  }

  /**
   * Gives the focus a place, because `gone` had it and was drawn away, here or in an element below.
   *
   * @returns whether it has one: else what is around this looks for it.
   */
  protected refocus?(gone: Element): boolean;

  // Once a frame: an agent's events come by the hundred.
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated && !document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve));
    await super.scheduleUpdate();
  }
}

/** What has the styles of an element: the page, or a shadow tree. An element that is in neither counts as the page's. */
export function rootOf(element: Element): Document | ShadowRoot {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root : document;
}

/** Names an element, unless another copy of this code on the page has done so: a name can be given once. */
export function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
