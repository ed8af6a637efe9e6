import { svgFault } from "./svg-fault.js";

/** Cells of tables that others take the room of. */
const MOST_SPANS = 20_000;

/** Clippings of SVG, and shapes by which one clips. */
const MOST_CLIPPED = 2000;
const MOST_SHAPES = 3;

/** What moves is drawn again and again, and some of the others inside one another stand for very many elements. */
const COSTLY = "filter, mask, pattern, marker, animateColor, animateMotion, animateTransform";
const COSTLY_ATTRIBUTES = ["filter", "mask", "marker-start", "marker-mid", "marker-end"];

/** Characters of the drawings that are pictures in it, and what may make a few of them stand for very many elements. */
const LONGEST_DRAWINGS = 400_000;
const REFERENCES = /href|url|[&\\]/i;

/** Takes out what is drawn again and again, and what stands for very many elements. */
export function dropCostly(parsed: Document): void {
  for (const element of parsed.querySelectorAll(COSTLY)) element.remove();
  for (const element of parsed.querySelectorAll("html marquee")) element.replaceWith(...element.childNodes);
  for (const name of COSTLY_ATTRIBUTES) {
    for (const element of parsed.querySelectorAll(`[${name}]`)) element.removeAttribute(name);
  }
}

/**
 * Takes out of a document what few of its elements may make very many of: cells that take the room of others, shapes that
 * clip, drawings in addresses of pictures.
 *
 * @returns whether anything was taken out.
 */
export async function limitCostly(parsed: Document): Promise<boolean> {
  const isOver = [limitSpans(parsed), limitClips(parsed), await limitDrawings(parsed)];
  return isOver.includes(true);
}

function limitSpans(parsed: Document): boolean {
  let isOver = false;
  let spans = 0;
  const number = (element: Element, name: string): number =>
    Math.abs(parseInt(element.getAttribute(name) ?? "", 10)) || 1;
  for (const element of parsed.querySelectorAll("[colspan], [rowspan], [span]")) {
    const more = ["colspan", "rowspan", "span"].reduce((product, name) => product * number(element, name), 1);
    if (spans + more <= MOST_SPANS) spans += more;
    else {
      for (const name of ["colspan", "rowspan", "span"]) element.removeAttribute(name);
      isOver = true;
    }
  }
  return isOver;
}

/** A few paths that clip each other stand for very many. */
function limitClips(parsed: Document): boolean {
  let isOver = false;
  const clipped = parsed.querySelectorAll("[clip-path]");
  if (clipped.length > MOST_CLIPPED) isOver = true;
  for (const path of parsed.querySelectorAll("clipPath")) {
    const isClipped = path.hasAttribute("clip-path") || path.querySelector("[clip-path]") !== null;
    if (!isClipped && path.querySelectorAll("*").length <= MOST_SHAPES) continue;
    isOver = true;
    path.remove();
  }
  if (clipped.length > MOST_CLIPPED) for (const element of clipped) element.removeAttribute("clip-path");
  return isOver;
}

/** Drawings that are the addresses of pictures are drawn on the page's thread as well. */
async function limitDrawings(parsed: Document): Promise<boolean> {
  let isOver = false;
  let length = 0;
  for (const image of parsed.querySelectorAll('[src^="data:image/svg" i]')) {
    const text = drawingOf(image.getAttribute("src") ?? "");
    length += Math.max(text.length, REFERENCES.test(text) ? LONGEST_DRAWINGS / 20 : 0);
    if (length <= LONGEST_DRAWINGS && (await svgFault(text)) === "") continue;
    isOver = true;
    image.removeAttribute("src");
  }
  return isOver;
}

/** The text of a drawing by its address; empty where it is none that a browser reads. */
export function drawingOf(address: string): string {
  const comma = address.indexOf(",");
  try {
    const text = decodeURIComponent(address.slice(comma + 1).replaceAll(/%(?![\da-f]{2})/gi, "%25"));
    if (!/; *base64 *$/i.test(address.slice(0, comma))) return text;
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return "";
  }
}
