import { html, nothing, type TemplateResult } from "lit";

import type { ApprovalRequest } from "../../../dispatch/index.js";
import type { Value } from "../../../protocol/index.js";
import { firstOtherLetter, visibleLine } from "../../drawing/visible.js";
import { nameNote } from "./who-asks.js";

/** Files that are drawn at once, and characters of each. What is longer is drawn as any other arguments. */
const MOST_LINES = 100;
const LONGEST_LINE = 2000;

const FROM = ", from ";

/**
 * The files that an import would fetch: their sizes, and where they come from.
 *
 * @returns null where it is asked about something else, or there is more than is drawn at once.
 */
export function packageFiles({ name, arguments: { modules, packages } }: ApprovalRequest): TemplateResult | null {
  if (name !== "deps.provide" || !areLines(modules) || !areLines(packages)) return null;
  const unusual = modules.filter((module) => firstOtherLetter(module) >= 0);
  const byFolder = Map.groupBy(packages.map(readLine), ({ folder }) => folder);
  return html`${Array.from(
    byFolder,
    ([folder, lines]) =>
      html`<ul class="package-files">
          ${lines.map(({ what }) => html`<li>${visibleLine(what)}</li>`)}
        </ul>
        ${folder === "" ? nothing : html`<p>from <code>${visibleLine(folder)}</code></p>`}`,
  )}
  ${unusual.map((module) => nameNote(module, `the name ${visibleLine(module)}`))}`;
}

/** Name, version and size; and the folder of its address, empty where it has none. */
function readLine(text: string): { readonly what: string; readonly folder: string } {
  const at = text.lastIndexOf(FROM);
  if (at < 0) return { what: text, folder: "" };
  const address = text.slice(at + FROM.length);
  return { what: text.slice(0, at), folder: address.slice(0, address.lastIndexOf("/") + 1) };
}

function areLines(value: Value | undefined): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MOST_LINES &&
    value.every((line) => typeof line === "string" && line.length <= LONGEST_LINE)
  );
}
