import shared from "./shared.css?inline";

/** A sheet of the shared rules and an element's own, for all elements of its kind. */
export function styleSheet(own: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(shared + own);
  return sheet;
}
