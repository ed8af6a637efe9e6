import { Slices } from "../../protocol/index.js";
import { plainDeclarations, plainSelector, type PlainDeclaration, type PlainSelector } from "./plain-styles.js";

/** Characters of style sheets and attributes that are read, and of one attribute. */
const LONGEST = 500_000;
const LONGEST_ATTRIBUTE = 5000;

/** Characters that are given to the browser's parser at a time, and levels of blocks in them. */
const PIECE = 20_000;
const DEEPEST_BLOCK = 20;

/** Declarations that are looked at, of a document and of a rule: `all` stands for hundreds. */
const MOST_DECLARATIONS = 200_000;
const MOST_IN_RULE = 700;

/** Steps that a browser takes to match elements against selectors and to apply declarations. */
const MOST_STEPS = 500_000;

/** Boxes that are laid out or painted apart: with a gradient, a shadow, contents of a text, flex, grid, or a float. */
const MOST_BOXES = 1500;

/** Boxes inside one another that lay out what is in them by more than one pass. */
const DEEPEST_LAYOUT = 6;

/** Characters of a document whose letters may be spaced, justified or given shadows. */
const LONGEST_TEXT = 50_000;

/** Characters of the classes of an element. */
const LONGEST_CLASSES = 2000;

/** Places in tables that cells stand for, beyond one each. */
const MOST_PLACES = 20_000;

/** Clippings of SVG, and shapes by which one clips. */
const MOST_CLIPPED = 2000;
const MOST_SHAPES = 3;

/** What moves is drawn again and again, and some of the others inside one another stand for very many elements. */
const COSTLY = "filter, mask, pattern, marker, animateColor, animateMotion, animateTransform";
const COSTLY_ATTRIBUTES = ["filter", "mask", "marker-start", "marker-mid", "marker-end"];

const MEDIA = /^[\w\s():.,-]{0,200}$/;

/**
 * Rewrites the styles of foreign HTML to those that cost little. They have been through the browser's own parser, so that
 * no spelling gets past this; what it does not know is left out. In Firefox and WebKitGTK the frame is laid out and painted
 * on the page's thread, where some lines of CSS would take minutes.
 *
 * @returns whether styles were left out because there were too many.
 */
export async function cleanStyles(parsed: Document): Promise<boolean> {
  const styles = new ForeignStyles();
  await styles.rewrite(parsed);
  return styles.isOver;
}

class ForeignStyles {
  isOver = false;

  readonly #slices = new Slices();
  /** In a document where nothing is loaded or drawn. */
  readonly #block = document.implementation.createHTMLDocument().createElement("div").style;
  /** By `#id`, `.class`, tag, and all by `*`. */
  readonly #elements = new Map<string, Element[]>();
  readonly #layouts = new Set<Element>();
  /** How many of those are inside one another in an element, itself included. */
  readonly #levels = new Map<Element, number>();
  #depth = 0;
  #siblings = 0;
  #text = 0;
  #read = 0;
  #declarations = 0;
  #customs = 0;
  #steps = 0;
  #boxes = 0;

  async rewrite(parsed: Document): Promise<void> {
    for (const element of parsed.querySelectorAll(COSTLY)) element.remove();
    for (const element of parsed.querySelectorAll("html marquee")) element.replaceWith(...element.childNodes);
    for (const name of COSTLY_ATTRIBUTES) {
      for (const element of parsed.querySelectorAll(`[${name}]`)) element.removeAttribute(name);
    }
    this.#limitSpans(parsed);
    this.#limitClips(parsed);
    await this.#measure(parsed);
    for (const element of [...parsed.querySelectorAll("style, [style]")]) {
      await this.#slices.rest();
      const attribute = element.getAttribute("style");
      if (element.localName === "style") element.textContent = await this.#sheet(element.textContent);
      if (attribute === null) continue;
      const text = await this.#attribute(element, attribute);
      if (text === "") element.removeAttribute("style");
      else element.setAttribute("style", text);
    }
  }

  #limitSpans(parsed: Document): void {
    let places = 0;
    const number = (element: Element, name: string): number =>
      Math.abs(parseInt(element.getAttribute(name) ?? "", 10)) || 1;
    for (const element of parsed.querySelectorAll("[colspan], [rowspan], [span]")) {
      const more = ["colspan", "rowspan", "span"].reduce((product, name) => product * number(element, name), 1);
      if (places + more <= MOST_PLACES) places += more;
      else {
        for (const name of ["colspan", "rowspan", "span"]) element.removeAttribute(name);
        this.isOver = true;
      }
    }
  }

  /** A few paths that clip each other stand for very many. */
  #limitClips(parsed: Document): void {
    const clipped = parsed.querySelectorAll("[clip-path]");
    if (clipped.length > MOST_CLIPPED) this.isOver = true;
    for (const path of parsed.querySelectorAll("clipPath")) {
      if (path.querySelector("[clip-path]") === null && path.querySelectorAll("*").length <= MOST_SHAPES) continue;
      this.isOver = true;
      path.remove();
    }
    if (clipped.length > MOST_CLIPPED) for (const element of clipped) element.removeAttribute("clip-path");
  }

  async #measure(parsed: Document): Promise<void> {
    const depths = new Map<Node, number>();
    for (const element of parsed.getElementsByTagName("*")) {
      await this.#slices.rest();
      const depth = (depths.get(element.parentNode ?? parsed) ?? 0) + 1;
      depths.set(element, depth);
      this.#depth = Math.max(this.#depth, depth);
      this.#siblings = Math.max(this.#siblings, element.childElementCount);
      if (this.#isOverLong(element.getAttribute("class") ?? "", LONGEST_CLASSES)) element.removeAttribute("class");
      const classes = [...element.classList].map((name) => `.${name}`);
      for (const key of ["*", element.localName.toLowerCase(), `#${element.id}`, ...classes]) {
        const known = this.#elements.get(key);
        if (known === undefined) this.#elements.set(key, [element]);
        else known.push(element);
      }
      if (element.localName === "style") this.#text -= element.textContent.length;
    }
    this.#text += parsed.documentElement.textContent.length;
  }

  async #sheet(text: string): Promise<string> {
    this.#read += text.length;
    if (this.#isOverLong(text, LONGEST - this.#read + text.length)) return "";
    const written: string[] = [];
    for (const piece of piecesOf(text)) {
      if (piece === null) {
        this.isOver = true;
        break;
      }
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(piece);
      for (const rule of sheet.cssRules) {
        await this.#slices.rest();
        if (rule instanceof CSSStyleRule) written.push(await this.#rule(rule));
        if (!(rule instanceof CSSMediaRule) || !MEDIA.test(rule.media.mediaText)) continue;
        const inside: string[] = [];
        for (const inner of rule.cssRules) if (inner instanceof CSSStyleRule) inside.push(await this.#rule(inner));
        written.push(`@media ${rule.media.mediaText}{${inside.join("")}}`);
      }
    }
    return written.join("");
  }

  async #rule({ selectorText, style }: CSSStyleRule): Promise<string> {
    const selectors = selectorText.split(",").flatMap((text) => plainSelector(text.trim()) ?? []);
    const declarations = this.#declared(style);
    if (selectors.length === 0 || declarations.length === 0) return "";
    let candidates = 0;
    for (const { key, climbs, siblings } of selectors) {
      const up = 1 + (climbs * this.#depth) / 4;
      candidates += (this.#elements.get(key)?.length ?? 0) * up * (1 + (siblings * this.#siblings) / 4);
    }
    if (!this.#takesSteps(candidates, declarations)) return "";
    const isCostly = declarations.some(({ demand }) => demand.boxes > 0);
    const text = await this.#written(declarations, isCostly ? await this.#found(selectors) : new Set());
    return text === "" ? "" : `${selectors.map((selector) => selector.text).join(",")}{${text}}\n`;
  }

  async #attribute(element: Element, text: string): Promise<string> {
    this.#read += text.length;
    if (this.#isOverLong(text, Math.min(LONGEST_ATTRIBUTE, LONGEST - this.#read + text.length))) return "";
    this.#block.cssText = text;
    const declarations = this.#declared(this.#block);
    return this.#takesSteps(1, declarations) ? await this.#written(declarations, new Set([element])) : "";
  }

  #isOverLong(text: string, most: number): boolean {
    if (text.length <= most) return false;
    this.isOver = true;
    return true;
  }

  #declared(style: CSSStyleDeclaration): readonly PlainDeclaration[] {
    this.#declarations += style.length;
    if (style.length <= MOST_IN_RULE && this.#declarations <= MOST_DECLARATIONS) return plainDeclarations(style);
    this.isOver = true;
    return [];
  }

  #takesSteps(candidates: number, declarations: readonly PlainDeclaration[]): boolean {
    const customs = declarations.filter(({ name }) => name.startsWith("--")).length;
    this.#customs += customs;
    // An element that has one of its own has a list of all.
    const steps = candidates * (2 + declarations.length + (customs > 0 ? this.#customs : 0));
    if (this.#steps + steps > MOST_STEPS) {
      this.isOver = true;
      return false;
    }
    this.#steps += steps;
    return true;
  }

  async #found(selectors: readonly PlainSelector[]): Promise<Set<Element>> {
    const found = new Set<Element>();
    for (const { key, lasting } of selectors) {
      for (const element of this.#elements.get(key) ?? []) {
        await this.#slices.rest();
        if (element.matches(lasting)) found.add(element);
      }
    }
    return found;
  }

  /** Those declarations that are not too much for these elements. */
  async #written(declarations: readonly PlainDeclaration[], elements: ReadonlySet<Element>): Promise<string> {
    const kept: PlainDeclaration[] = [];
    for (const declaration of declarations) {
      const { boxes, isLayout = false, isText = false } = declaration.demand;
      const more = boxes * elements.size;
      const isTooMuch =
        (more > 0 && this.#boxes + more > MOST_BOXES) ||
        (isText && this.#text > LONGEST_TEXT) ||
        (isLayout && !(await this.#nests(elements)));
      if (isTooMuch) this.isOver = true;
      else kept.push(declaration);
      if (!isTooMuch) this.#boxes += more;
    }
    this.#block.cssText = "";
    for (const { name, value, priority } of kept) this.#block.setProperty(name, value, priority);
    return this.#block.cssText;
  }

  /** Whether these may lay out what is in them as well. */
  async #nests(elements: ReadonlySet<Element>): Promise<boolean> {
    const undo: (() => void)[] = [];
    for (const element of elements) {
      await this.#slices.rest();
      if (this.#layouts.has(element)) continue;
      this.#layouts.add(element);
      undo.push(() => this.#layouts.delete(element));
      let levels = (this.#levels.get(element) ?? 0) + 1;
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (at !== element && this.#layouts.has(at)) levels += 1;
        const place = at;
        const known = this.#levels.get(place) ?? 0;
        if (known >= levels) continue;
        this.#levels.set(place, levels);
        undo.push(() => this.#levels.set(place, known));
      }
      if (levels <= DEEPEST_LAYOUT) continue;
      for (const step of undo.reverse()) step();
      return false;
    }
    return true;
  }
}

const MARK = /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\/\*[^]*?(?:\*\/|$)|\\[^]|[{}]/g;

/**
 * A style sheet in parts that end where a block does, as far as can be seen; a parser makes the same of them. Null where
 * blocks are too many levels deep.
 */
function* piecesOf(text: string): Iterable<string | null> {
  let begin = 0;
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (mark === "{") depth += 1;
    if (mark === "}") depth = Math.max(0, depth - 1);
    if (depth > DEEPEST_BLOCK) {
      yield null;
      return;
    }
    if (mark !== "}" || depth > 0 || index - begin < PIECE) continue;
    yield text.slice(begin, index + 1);
    begin = index + 1;
  }
  yield text.slice(begin);
}
