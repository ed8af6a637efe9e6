import { Slices } from "../../protocol/index.js";
import { turnsTooOften } from "../state/text/turns-of-direction.js";

/** Characters of an SVG that is drawn. */
const LONGEST = 2_000_000;

/** Elements that are drawn, each as often as others refer to it: the browser lays them out and paints them in one go. */
const MOST_ELEMENTS = 10_000;

/** Characters of text that take as long as an element. So does the end of a line in HTML, which a drawing may hold. */
const CHARACTERS = 20;

/** Elements of whose text nothing is drawn. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(["style", "metadata", "title", "desc", "script"]);

const HTML = "http://www.w3.org/1999/xhtml";

/** Elements between two looks at the clock. */
const ELEMENTS = 100;

/** Why an SVG cannot be drawn; empty where it can. It is gone through in slices. */
export async function svgFault(text: string): Promise<string> {
  if (text.length > LONGEST) return TOO_LARGE;
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  if (parsed.querySelector("parsererror") !== null) return "This SVG is damaged and cannot be drawn. Its text:";
  if (turnsTooOften(parsed.documentElement.textContent)) return TOO_LARGE;
  return (await isSmall(parsed, text.includes("#"))) ? "" : TOO_LARGE;
}

const TOO_LARGE = "This SVG is too large to be drawn. The beginning of its text:";

/** A few lines of `<use>` that refer to each other may stand for millions of elements. */
async function isSmall(parsed: Document, hasReferences: boolean): Promise<boolean> {
  const all = parsed.getElementsByTagName("*");
  if (all.length > MOST_ELEMENTS) return false;
  const slices = new Slices();
  const waiting: Element[] = hasReferences ? [parsed.documentElement] : [...all];
  let elements = 0;
  let cost = 0;
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    elements += 1;
    cost += 1 + costOfText(element);
    if (cost > MOST_ELEMENTS) return false;
    if (elements % ELEMENTS === 0) await slices.rest();
    if (!hasReferences) continue;
    for (let child = element.firstElementChild; child !== null; child = child.nextElementSibling) waiting.push(child);
    for (const { value } of element.attributes) {
      const id = /^\s*(?:url\(["']?)?#([^"')]{1,200})/.exec(value)?.[1];
      const target = id === undefined ? null : parsed.getElementById(id);
      if (target !== null) waiting.push(target);
    }
  }
  return true;
}

/** What the text of an element itself, without that of others inside of it, counts for, in elements. */
function costOfText({ childNodes, localName, namespaceURI }: Element): number {
  if (WITHOUT_TEXT.has(localName)) return 0;
  const isHtml = namespaceURI === HTML;
  let cost = 0;
  for (const { nodeType, nodeValue } of childNodes) {
    if ((nodeType !== Node.TEXT_NODE && nodeType !== Node.CDATA_SECTION_NODE) || nodeValue === null) continue;
    if (isHtml) cost += nodeValue.length / CHARACTERS + nodeValue.split("\n").length - 1;
    else if (nodeValue.trim() !== "") cost += nodeValue.length / CHARACTERS;
  }
  return cost;
}
