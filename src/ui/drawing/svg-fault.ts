/** Characters of an SVG that is drawn. */
const LONGEST = 2_000_000;

/** Elements that are drawn, each as often as others refer to it. */
const MOST_ELEMENTS = 50_000;

/** Why an SVG cannot be drawn; empty where it can. */
export function svgFault(text: string): string {
  if (text.length > LONGEST) return TOO_LARGE;
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  if (parsed.querySelector("parsererror") !== null) return "This SVG is damaged and cannot be drawn. Its text:";
  return isSmall(parsed) ? "" : TOO_LARGE;
}

const TOO_LARGE = "This SVG is too large to be drawn. The beginning of its text:";

/** A few lines of `<use>` that refer to each other may stand for millions of elements. */
function isSmall(parsed: Document): boolean {
  const waiting: Element[] = [parsed.documentElement];
  let elements = 0;
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    elements += 1;
    if (elements > MOST_ELEMENTS) return false;
    for (const child of element.children) waiting.push(child);
    for (const { value } of element.attributes) {
      const id = /^\s*(?:url\(["']?)?#([^"')]{1,200})/.exec(value)?.[1];
      const target = id === undefined ? null : parsed.getElementById(id);
      if (target !== null) waiting.push(target);
    }
  }
  return true;
}
