import { Slices } from "../../protocol/index.js";

/** Characters of an SVG that is drawn. */
const LONGEST = 2_000_000;

/** Elements that are drawn, each as often as others refer to it: the browser lays them out and paints them in one go. */
const MOST_ELEMENTS = 10_000;

/** Elements between two looks at the clock. */
const ELEMENTS = 100;

/** Why an SVG cannot be drawn; empty where it can. It is gone through in slices. */
export async function svgFault(text: string): Promise<string> {
  if (text.length > LONGEST) return TOO_LARGE;
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  if (parsed.querySelector("parsererror") !== null) return "This SVG is damaged and cannot be drawn. Its text:";
  return (await isSmall(parsed, text.includes("#"))) ? "" : TOO_LARGE;
}

const TOO_LARGE = "This SVG is too large to be drawn. The beginning of its text:";

/** A few lines of `<use>` that refer to each other may stand for millions of elements. */
async function isSmall(parsed: Document, hasReferences: boolean): Promise<boolean> {
  if (parsed.getElementsByTagName("*").length > MOST_ELEMENTS) return false;
  if (!hasReferences) return true;
  const slices = new Slices();
  const waiting: Element[] = [parsed.documentElement];
  let elements = 0;
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    elements += 1;
    if (elements > MOST_ELEMENTS) return false;
    if (elements % ELEMENTS === 0) await slices.rest();
    for (let child = element.firstElementChild; child !== null; child = child.nextElementSibling) waiting.push(child);
    for (const { value } of element.attributes) {
      const id = /^\s*(?:url\(["']?)?#([^"')]{1,200})/.exec(value)?.[1];
      const target = id === undefined ? null : parsed.getElementById(id);
      if (target !== null) waiting.push(target);
    }
  }
  return true;
}
