import { tidyCode, type ExpectedOutput } from "../../../cell-text/index.js";
import type { CellCheck } from "../cell-runtime.js";
import { h } from "../shared/dom.js";
import { saidBy, words } from "../shared/read-settings.js";
import { textOf } from "../shared/read-setup.js";

/** What an author wrote between the tags of a cell. */
export interface CellMarkup {
  /** The child that shows the code, or holds it unseen; null where there is none. */
  readonly code: Element | null;
  /** Nodes that are shown, by their place. */
  readonly lead: readonly Slottable[];
  readonly outputs: readonly Element[];
  readonly rest: readonly Slottable[];
}

type Slottable = Element | Text;

/** Children that are not shown, whatever they are. */
const UNSEEN_SLOTS = new Set(["check", "setup"]);

export function readMarkup(cell: Element): CellMarkup {
  const code = Array.from(cell.children).find(holdsCode) ?? null;
  const lead: Slottable[] = [];
  const outputs: Element[] = [];
  const rest: Slottable[] = [];
  let isBefore = code !== null;
  for (const node of cell.childNodes) {
    if (node === code) isBefore = false;
    else if (node instanceof HTMLOutputElement) outputs.push(node);
    else if ((node instanceof Element && !UNSEEN_SLOTS.has(node.slot)) || node instanceof Text) {
      (isBefore ? lead : rest).push(node);
    }
  }
  return { code, lead, outputs, rest };
}

/** A `<pre>`, perhaps within what a highlighter put around it; or one of the two elements that no browser shows. */
function holdsCode(child: Element): boolean {
  if (child.slot !== "" || child instanceof HTMLOutputElement || child instanceof HTMLDetailsElement) return false;
  return isUnseenCode(child) || child instanceof HTMLPreElement || child.querySelector("pre") !== null;
}

export function isUnseenCode(element: Element): boolean {
  return element instanceof HTMLTemplateElement || element.matches('script[type="text/x-python"]');
}

/** The `<pre>` that shows the code; null where it is held unseen. */
export function preOf(code: Element | null): HTMLPreElement | null {
  if (code instanceof HTMLPreElement) return code;
  const pres = Array.from(code?.querySelectorAll("pre") ?? []);
  return pres.find((pre) => pre.closest(LINE_NUMBERS) === null) ?? null;
}

export function codeOf(code: Element | null): string {
  return code === null ? "" : tidyCode(shownText(code));
}

/** A text as a highlighter shows it, without the numbers of its lines, and without what a theme puts beside it. */
function shownText(element: Element): string {
  const pre = preOf(element);
  const shown = pre?.querySelector("code") ?? pre;
  return shown === null ? textOf(element) : linesIn(shown);
}

/** Lines end where they end in the text, at a `<br>`, or with the block that each of them is. */
function linesIn(shown: Element): string {
  let text = "";
  const endLine = (): void => {
    if (text !== "" && !text.endsWith("\n")) text += "\n";
  };
  const add = (node: Node): void => {
    if (node instanceof Text) text += node.data;
    else if (node instanceof HTMLBRElement) text += "\n";
    else if (!(node instanceof Element) || node.matches(LINE_NUMBERS)) return;
    else if (node instanceof HTMLDivElement) {
      endLine();
      node.childNodes.forEach(add);
      endLine();
    } else node.childNodes.forEach(add);
  };
  shown.childNodes.forEach(add);
  return text;
}

/** Pygments' names, which Sphinx and MkDocs have: of a column beside the code, and of a number in its line. */
const LINE_NUMBERS = ".linenos, .linenodiv, .lineno";

/** Writes `code` where a cell's author wrote it. */
export function setCode(cell: Element, code: string): void {
  const { code: holder } = readMarkup(cell);
  const pre = preOf(holder);
  const place = pre?.querySelector("code") ?? pre ?? holder;
  if (place === null) cell.prepend(h("pre", {}, code));
  else if (place instanceof HTMLTemplateElement) place.content.replaceChildren(code);
  else place.textContent = code;
}

/** Children of the cell with `slot="setup"`, in order. */
export function setupsOf(cell: Element): string[] {
  return childrenIn(cell, "setup").map(codeOf);
}

export function checksOf(cell: Element): CellCheck[] {
  return childrenIn(cell, "check").map((child, index) => ({
    code: codeOf(child),
    wants: words(child.getAttribute("data-wants")),
    label: saidBy(child, "data-label") ?? `Check ${index + 1}`,
  }));
}

/** A sentence for each check that cannot be what its author meant. */
export function problemsOfChecks(checks: readonly CellCheck[]): string[] {
  return checks.flatMap(({ wants, label }) =>
    wants
      .filter((name) => !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
      .map((name) => `${label}: data-wants names "${name}", which is no name in Python.`),
  );
}

export function expectedOf(outputs: readonly Element[]): ExpectedOutput | null {
  if (outputs.length === 0) return null;
  const isPreformatted = outputs.every((output) => preOf(output) !== null);
  return { text: outputs.map(shownText).join("\n"), isPreformatted };
}

/** What stands beside the code, for a program that runs the cells of a page. */
export interface Authored {
  readonly result: ExpectedOutput | null;
  /** Code of the child with `slot="solution"`. */
  readonly solution: string | null;
  /** How many checks judge a run. */
  readonly checks: number;
}

export function authoredIn(cell: Element): Authored {
  const [solution] = childrenIn(cell, "solution").filter((child) => preOf(child) !== null);
  return {
    result: expectedOf(readMarkup(cell).outputs),
    solution: solution === undefined ? null : codeOf(solution),
    checks: checksOf(cell).length,
  };
}

function childrenIn(cell: Element, slot: string): Element[] {
  return Array.from(cell.children).filter((child) => child.slot === slot);
}
