import { wordsOfVersions } from "./words.js";

/** What two copies of the widget know of each other's elements: their static properties. */
export interface VersionedElement extends CustomElementConstructor {
  readonly version: string;
}

/**
 * Defines an element, once: a page that loads the widget twice keeps the first. Where the second is of another version the
 * console says so, and each element after what it did.
 *
 * @param what - is run by the first, for the console: "The cells are".
 */
export function defineElement(name: string, element: VersionedElement, what: string): void {
  if (typeof customElements === "undefined") return;
  const present = customElements.get(name);
  if (present === undefined) customElements.define(name, element);
  else noteVersion(present, { version: element.version, what });
}

function noteVersion(present: object, { version, what }: { readonly version: string; readonly what: string }): void {
  if (!("version" in present) || present.version === version) return;
  const running = String(present.version);
  if ("otherVersions" in present && present.otherVersions instanceof Set) present.otherVersions.add(version);
  console.warn(wordsOfVersions(running, [version], what));
}
