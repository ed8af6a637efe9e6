/** Generators of sites load modules where there are no elements, and define none. */
export const ElementBase = typeof HTMLElement === "undefined" ? (Object as unknown as typeof HTMLElement) : HTMLElement;

/** An element with attributes and children. Without HTML as text, which a page with Trusted Types refuses. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** A button that does `action`, with that as its part. */
export function button(action: string, text: string): HTMLButtonElement {
  return h("button", { type: "button", part: action, "data-do": action }, text);
}

/** What the page has the focus on, within shadow roots too. */
export function focused(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
