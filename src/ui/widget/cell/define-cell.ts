import { VitrineCell } from "./cell-element.js";
import { wordsOfVersions } from "./words.js";

/**
 * Defines `<vitrine-cell>`, once: a page that loads the widget twice keeps the first. Where the second is of another version
 * the console says so, and each cell after its run.
 */
export function defineCell(cell: typeof VitrineCell = VitrineCell): void {
  if (typeof customElements === "undefined") return;
  const present = customElements.get("vitrine-cell");
  if (present === undefined) customElements.define("vitrine-cell", cell);
  else noteVersion(present, cell.version);
}

/** The two know no more of each other than their static properties. */
function noteVersion(present: object, version: string): void {
  if (!("version" in present) || present.version === version) return;
  const running = String(present.version);
  if ("otherVersions" in present && present.otherVersions instanceof Set) present.otherVersions.add(version);
  console.warn(wordsOfVersions(running, [version]));
}
