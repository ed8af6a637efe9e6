import { Slices } from "../../protocol/index.js";
import { drawingCost, isJoined } from "../state/text/text-ends.js";
import { drawingOf } from "./costly-elements.js";
import { framesHaveOwnProcess } from "./frame-process.js";

/**
 * What is drawn without being asked for where a drawing holds up the page. One stands for ten microseconds on two quick cores
 * in the engine that takes longest.
 */
const MOST_WEIGHT = 6000;

/** Characters of text that take as long as a paragraph of one letter. */
const CHARACTERS = 100;

/** Attributes that are drawn as text. */
const DRAWN_ATTRIBUTES = ["value", "placeholder", "alt", "label"];

/** The same of what a path is made of, and of a path for each `<use>`: letters are often drawn so. */
const PATH = 5;
const USED_PATH = 10;

/** Letters that a word may have before an engine takes longer for each, and what each further one takes. */
const LONG_WORD = 1000;
const LONG_JOINED_WORD = 60;
const LETTER = 0.1;
const JOINED_LETTER = 2;

/** What an element takes where that is more than a paragraph does. */
const WEIGHTS: Readonly<Record<string, number>> = {
  td: 2,
  th: 2,
  li: 6,
  img: 4,
  wbr: 4,
  button: 3,
  details: 6,
  summary: 6,
  meter: 6,
  progress: 6,
  input: 8,
  select: 10,
  textarea: 12,
  ruby: 25,
  rb: 25,
  rt: 25,
  rp: 25,
  rtc: 25,
  text: 6,
  tspan: 6,
  textPath: 60,
};

/** A field with parts of its own. */
const FIELD = 250;
const FIELDS = /^(?:date|datetime-local|time|month|week|color|number|file)$/i;

const SVG = "http://www.w3.org/2000/svg";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const FORMULA = 15;

/** Elements of an SVG of which a few may take seconds, or which are drawn again and again. */
const BOUNDLESS = /^(?:filter|mask|pattern|marker|image|foreignObject|set|animate.*)$/;

/** The same of what elements ask for, in attributes and in styles. */
const BOUNDLESS_ATTRIBUTES = ["filter", "mask", "marker-start", "marker-mid", "marker-end"];
const BOUNDLESS_STYLE = /filter|mask|marker|animation|transition|blend|url\(\s*["']?(?!#)|@|\\/i;

/** Dashes as plotting libraries draw them: none shorter than half a unit. */
const DASH = String.raw`(?:0?\.[5-9]|[1-9])\d{0,2}(?:\.\d{1,9})?(?:px)?`;
const LONG_DASHES = new RegExp(`^(?:none|${DASH}(?:[\\s,]+${DASH})*)$`);

/** What a rule of an SVG takes for an element, and selectors that look at others. */
const RULE = 0.05;
const LOOKS_AROUND = /[~+>:[]/;

/** What else a shape of an SVG takes: its outline, round corners, dashes, what clips it, and what makes it paler. */
const SHAPE = 5;
const SHAPES = /^(?:circle|ellipse|line|path|polygon|polyline|rect)$/;
const ROUND = 30;
const DASHED = 150;
const CLIPPED = 60;
const PALER = 25;
const PALER_GROUP = 300;
const PALER_STYLE = /(?:^|[;{\s])opacity\s*:/i;

/** Characters of a text of an SVG after which each takes an engine longer than the one before, and what that comes to. */
const LONG_TEXT = 100;
const LETTERS_SQUARED = 0.01;

/**
 * Whether a document would hold up the page, so that a person is to be asked first: it takes long to lay out and paint, and the
 * page does that itself.
 *
 * @param parsed - of HTML as it is to be drawn.
 * @param styles - what its styles weigh.
 */
export async function holdsUpPage(parsed: Document, styles: number): Promise<boolean> {
  return !framesHaveOwnProcess() && styles + (await weightOf(parsed)) > MOST_WEIGHT;
}

/** The same of an SVG's text. */
export async function svgHoldsUpPage(text: string): Promise<boolean> {
  if (framesHaveOwnProcess()) return false;
  return (await weightOf(new DOMParser().parseFromString(text, "image/svg+xml"))) > MOST_WEIGHT;
}

/** Counted as far as it is not too much. */
async function weightOf(parsed: Document): Promise<number> {
  const slices = new Slices();
  let weight = await weightOfText(parsed.documentElement.textContent, slices);
  const all = parsed.getElementsByTagName("*");
  for (const element of all) {
    if (weight > MOST_WEIGHT) return weight;
    const ofKind = element.namespaceURI === SVG ? weightInSvg(element) : await weightOfPicture(element);
    weight += weightOfElement(element) + ofKind;
    for (const name of DRAWN_ATTRIBUTES) {
      const text = element.getAttribute(name) ?? "";
      if (text !== "") weight += await weightOfText(text, slices);
    }
    // The style sheets of HTML are weighed where they are cleaned.
    if (parsed.documentElement.namespaceURI === SVG) weight += weightOfSheet(element, all.length);
    await slices.rest();
  }
  return weight;
}

async function weightOfText(text: string, slices: Slices): Promise<number> {
  if (text.length > MOST_WEIGHT * CHARACTERS) return Infinity;
  let weight = drawingCost(text) / CHARACTERS;
  for (const [word] of text.matchAll(/\S+/g)) {
    await slices.rest();
    if (word.length <= LONG_JOINED_WORD) continue;
    if (isJoined(word)) weight += (word.length - LONG_JOINED_WORD) * JOINED_LETTER;
    else weight += Math.max(0, word.length - LONG_WORD) * LETTER;
  }
  return weight;
}

function weightOfElement(element: Element): number {
  const { localName, namespaceURI } = element;
  if (namespaceURI === MATHML) return FORMULA;
  if (localName === "input" && FIELDS.test(element.getAttribute("type") ?? "")) return FIELD;
  const clip = element.hasAttribute("clip-path") ? CLIPPED : 0;
  return (WEIGHTS[localName] ?? 1) + pathLength(element) / PATH + clip;
}

function pathLength(element: Element | null): number {
  return (element?.getAttribute("d") ?? element?.getAttribute("points") ?? "").length;
}

/** A picture in HTML that is an SVG. */
async function weightOfPicture(element: Element): Promise<number> {
  const address = element.localName === "img" ? (element.getAttribute("src") ?? "") : "";
  if (!/^data:image\/svg/i.test(address)) return 0;
  return weightOf(new DOMParser().parseFromString(drawingOf(address), "image/svg+xml"));
}

function weightInSvg(element: Element): number {
  if (isBoundless(element)) return Infinity;
  const style = element.getAttribute("style") ?? "";
  const isDashed = element.hasAttribute("stroke-dasharray") || /dasharray/i.test(style);
  // What it holds has its dashes as well.
  let weight = isDashed ? DASHED * (1 + element.getElementsByTagName("*").length) : 0;
  if (SHAPES.test(element.localName)) weight += SHAPE;
  if (element.localName === "rect" && (element.hasAttribute("rx") || element.hasAttribute("ry"))) weight += ROUND;
  if (element.hasAttribute("opacity") || PALER_STYLE.test(style)) {
    weight += element.childElementCount > 0 || element.localName === "use" ? PALER_GROUP : PALER;
  }
  if (element.localName === "text")
    weight += Math.max(0, element.textContent.length - LONG_TEXT) ** 2 * LETTERS_SQUARED;
  return weight + (element.localName === "use" ? weightOfUse(element) : 0);
}

function isBoundless(element: Element): boolean {
  return (
    BOUNDLESS.test(element.localName) ||
    BOUNDLESS_ATTRIBUTES.some((name) => (element.getAttribute(name) ?? "none") !== "none") ||
    !LONG_DASHES.test((element.getAttribute("stroke-dasharray") ?? "none").trim()) ||
    isBoundlessStyle(element.getAttribute("style") ?? "")
  );
}

function weightOfUse(element: Element): number {
  const address = element.getAttribute("href") ?? element.getAttribute("xlink:href") ?? "";
  const used = element.ownerDocument.getElementById(address.trim().slice(1));
  if (used === null) return 0;
  if (used.localName === "use" || used.querySelector("use") !== null) return Infinity;
  let weight = 0;
  for (const part of [used, ...used.querySelectorAll("*")]) {
    weight += 1 + weightInSvg(part) + pathLength(part) / USED_PATH;
    if (weight > MOST_WEIGHT) break;
  }
  return weight;
}

function weightOfSheet(element: Element, elements: number): number {
  if (element.localName !== "style") return 0;
  const sheet = element.textContent;
  const selectors = selectorsOf(sheet);
  if (isBoundlessStyle(sheet) || selectors.some((selector) => LOOKS_AROUND.test(selector))) return Infinity;
  const everywhere = (PALER_STYLE.test(sheet) ? PALER_GROUP : 0) + (/dasharray/i.test(sheet) ? DASHED : 0);
  return elements * (selectors.length * RULE + everywhere);
}

/** What stands before each block of a style sheet. */
function selectorsOf(sheet: string): string[] {
  const parts = sheet.split("{");
  return parts.slice(0, -1).map((part) => part.slice(part.lastIndexOf("}") + 1));
}

function isBoundlessStyle(text: string): boolean {
  const dashes = [...text.matchAll(/stroke-dasharray\s*:\s*([^;}]*)/gi)];
  return BOUNDLESS_STYLE.test(text) || !dashes.every(([, value = ""]) => LONG_DASHES.test(value.trim()));
}
