import { Slices } from "../../protocol/index.js";
import { limitCostly } from "./costly-elements.js";
import {
  partsOf,
  plainDeclarations,
  plainSelector,
  type PlainDeclaration,
  type PlainSelector,
} from "./plain-styles.js";
import { partsOfAttribute, piecesOf } from "./style-pieces.js";

/** Characters of style sheets and attributes that are read, and of one attribute. */
const LONGEST = 500_000;
const LONGEST_ATTRIBUTE = 5000;

/** Declarations that are looked at, of a document and of a rule: `all` stands for hundreds. */
const MOST_DECLARATIONS = 200_000;
const MOST_IN_RULE = 700;

/** Custom properties that stand for others, which browsers follow one inside another. */
const MOST_CHAINED = 300;

/** Selectors of a rule inside another, with those of the other. */
const MOST_COMBINED = 100;

/** Steps that a browser takes to match elements against selectors and to apply declarations. */
const MOST_STEPS = 500_000;

/** Boxes that are laid out or painted apart: with a gradient, a shadow, contents of a text, flex, grid, or a float. */
const MOST_BOXES = 1500;

/** Boxes inside one another that lay out what is in them by more than one pass, and what they cost a document at most. */
const DEEPEST_LAYOUT = 6;
const MOST_LAID_OUT = 10_000 * 3 ** DEEPEST_LAYOUT;

/** What each of them weighs beside a paragraph of one letter. */
const STEP = 0.01;
const BOX = 2;
const LAYOUT = 0.05;

/** Characters of text that are laid out in the time of an element. */
const CHARACTERS = 20;

/** Characters of a document whose letters may be spaced, justified or given shadows. */
const LONGEST_TEXT = 50_000;

/** Characters of the classes of an element. */
const LONGEST_CLASSES = 2000;

/** Attributes that may ask for as much as a declaration. */
const ATTRIBUTES = ["align", "opacity", "stroke-dasharray", "font-size", "letter-spacing", "word-spacing"];

const MEDIA = /^(?!.*<\/)[\w\s():.,<>=/-]{0,200}$/;

/** Elements by what they are, for every pseudo-element, or none, of theirs that a rule is for. */
type Targets = ReadonlyMap<string, ReadonlySet<Element>>;

/**
 * Rewrites the styles of foreign HTML to those that cost little. They have been through the browser's own parser, so that
 * no spelling gets past this; what it does not know is left out. In Firefox and WebKitGTK the frame is laid out and painted
 * on the page's thread, where some lines of CSS would take minutes.
 *
 * @returns whether styles were left out because there were too many, and what those that are left weigh (`holdsUpPage`).
 */
export async function cleanStyles(parsed: Document): Promise<{ readonly isOver: boolean; readonly weight: number }> {
  const styles = new ForeignStyles();
  await styles.rewrite(parsed);
  return { isOver: styles.isOver, weight: styles.weight };
}

class ForeignStyles {
  isOver = false;

  get weight(): number {
    const layout = this.#deepest === 0 ? 0 : this.#size * 3 ** this.#deepest * LAYOUT;
    return this.#steps * STEP + this.#boxes * BOX + layout;
  }

  readonly #slices = new Slices();
  /** In a document where nothing is loaded or drawn. */
  readonly #block = document.implementation.createHTMLDocument().createElement("div").style;
  /** By `#id`, `.class`, tag, and all by `*`. */
  readonly #elements = new Map<string, Element[]>();
  /** How many siblings those have, all together. */
  readonly #widths = new Map<string, number>();
  /** What is counted of an element, or a pseudo-element of it, by the property. */
  readonly #charged = new Map<string, Map<Element, number>>();
  readonly #layouts = new Set<Element>();
  /** How many of those are inside one another in an element, itself included. */
  readonly #levels = new Map<Element, number>();
  #depth = 0;
  #siblings = 0;
  #size = 0;
  #text = 0;
  #read = 0;
  #declarations = 0;
  #customs = 0;
  #chained = 0;
  #steps = 0;
  #boxes = 0;
  /** The most boxes inside one another that lay out what is in them by more than one pass. */
  #deepest = 0;

  async rewrite(parsed: Document): Promise<void> {
    if (await limitCostly(parsed)) this.isOver = true;
    await this.#measure(parsed);
    for (const name of ATTRIBUTES) {
      for (const element of parsed.querySelectorAll(`[${name}]`)) await this.#limitAttribute(element, name);
    }
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

  /** One that stands for a declaration. */
  async #limitAttribute(element: Element, name: string): Promise<void> {
    const value = element.getAttribute(name) ?? "";
    const isFloat =
      name === "align" && /^\s*(?:left|right)\s*$/i.test(value) && /^(?:table|img)$/.test(element.localName);
    if (name === "align" && !isFloat) return;
    // A shape without others in it is drawn paler in no more time.
    if (name === "opacity" && element.childElementCount === 0) return;
    this.#block.cssText = isFloat
      ? "float:left"
      : `${name}:${/^[\d.]+$/.test(value) && name !== "opacity" ? `${value}px` : value}`;
    const written = await this.#written(this.#declared(this.#block), new Map([["", new Set([element])]]));
    if (written === "") element.removeAttribute(name);
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
        this.#widths.set(key, (this.#widths.get(key) ?? 0) + (element.parentElement?.childElementCount ?? 1));
      }
      if (element.localName === "style") this.#text -= element.textContent.length;
      this.#size += 1;
    }
    this.#text += parsed.documentElement.textContent.length;
    this.#size += this.#text / CHARACTERS;
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
        if (rule instanceof CSSStyleRule) written.push(await this.#rule(rule));
        if (!(rule instanceof CSSMediaRule) || !MEDIA.test(rule.media.mediaText)) continue;
        const inside: string[] = [];
        for (const inner of rule.cssRules) if (inner instanceof CSSStyleRule) inside.push(await this.#rule(inner));
        written.push(`@media ${rule.media.mediaText}{${inside.join("")}}`);
      }
    }
    return written.join("");
  }

  async #rule(rule: CSSStyleRule, selectorText = rule.selectorText): Promise<string> {
    const nested: string[] = [];
    for (const inner of rule.cssRules) {
      if (!(inner instanceof CSSStyleRule)) continue;
      const outer = [...partsOf(selectorText, ",")];
      const parts = [...partsOf(inner.selectorText, ",")];
      if (outer.length * parts.length > MOST_COMBINED) this.isOver = true;
      else
        nested.push(
          await this.#rule(inner, parts.flatMap((part) => outer.map((text) => within(text, part))).join(",")),
        );
    }
    return (await this.#ownRule(selectorText, rule.style)) + nested.join("");
  }

  async #ownRule(selectorText: string, style: CSSStyleDeclaration): Promise<string> {
    await this.#slices.rest();
    const declarations = this.#declared(style);
    if (declarations.length === 0) return "";
    const selectors: PlainSelector[] = [];
    let candidates = 0;
    for (const part of partsOf(selectorText, ",")) {
      await this.#slices.rest();
      const selector = plainSelector(part.trim());
      if (selector === null) continue;
      selectors.push(selector);
      const { key, climbs, siblings, ownSiblings } = selector;
      const own = (this.#elements.get(key)?.length ?? 0) + (ownSiblings * (this.#widths.get(key) ?? 0)) / 4;
      candidates += own * (1 + (climbs * this.#depth) / 4) * (1 + (siblings * this.#siblings) / 4);
    }
    if (selectors.length === 0 || !this.#takesSteps(candidates * 2)) return "";
    const targets = await this.#found(selectors);
    const matches = [...targets.values()].reduce((sum, { size }) => sum + size, 0);
    if (!this.#takesSteps(matches * this.#stepsOf(declarations))) return "";
    const text = await this.#written(declarations, targets);
    return text === "" ? "" : `${selectors.map((selector) => selector.text).join(",")}{${text}}\n`;
  }

  async #attribute(element: Element, text: string): Promise<string> {
    this.#read += text.length;
    if (this.#isOverLong(text, Math.min(LONGEST_ATTRIBUTE, LONGEST - this.#read + text.length))) return "";
    const written: string[] = [];
    for (const part of partsOfAttribute(text)) {
      this.#block.cssText = part;
      const declarations = this.#declared(this.#block);
      if (!this.#takesSteps(2 + this.#stepsOf(declarations))) return "";
      written.push(await this.#written(declarations, new Map([["", new Set([element])]])));
    }
    return written.join(" ").trim();
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

  #stepsOf(declarations: readonly PlainDeclaration[]): number {
    const customs = declarations.filter(({ name }) => name.startsWith("--")).length;
    this.#customs += customs;
    // An element that has one of its own has a list of all.
    return declarations.length + (customs > 0 ? this.#customs : 0);
  }

  #takesSteps(steps: number): boolean {
    if (this.#steps + steps > MOST_STEPS) {
      this.isOver = true;
      return false;
    }
    this.#steps += steps;
    return true;
  }

  async #found(selectors: readonly PlainSelector[]): Promise<Targets> {
    const targets = new Map<string, Set<Element>>();
    for (const { key, lasting, pseudo } of selectors) {
      const found = targets.get(pseudo) ?? new Set();
      targets.set(pseudo, found);
      for (const element of this.#elements.get(key) ?? []) {
        await this.#slices.rest();
        if (element.matches(lasting)) found.add(element);
      }
    }
    return targets;
  }

  /** Those declarations that are not too much for these elements. */
  async #written(declarations: readonly PlainDeclaration[], targets: Targets): Promise<string> {
    const kept: PlainDeclaration[] = [];
    for (const declaration of declarations) {
      const { name, value } = declaration;
      if (isOfCellsAlone(name, targets)) continue;
      if (await this.#allows(declaration, targets)) kept.push(declaration);
      else {
        this.isOver = true;
        // What it shows may have been hidden before.
        if (name === "display") kept.push({ ...declaration, value: value.startsWith("inline") ? "inline" : "block" });
      }
    }
    this.#block.cssText = "";
    for (const { name, value, priority } of kept) this.#block.setProperty(name, value, priority);
    return this.#block.cssText;
  }

  async #allows({ name, value, demand }: PlainDeclaration, targets: Targets): Promise<boolean> {
    if (demand.isText === true && this.#text > LONGEST_TEXT) return false;
    if (name.startsWith("--") && /var\(/i.test(value)) return (this.#chained += 1) <= MOST_CHAINED;
    if (demand.boxes === 0) return true;
    let more = 0;
    const charges: (() => void)[] = [];
    for (const [pseudo, elements] of targets) {
      const kind = name.replace(/-(?:x|y|image)$/, "") + pseudo;
      const charged = this.#charged.get(kind) ?? new Map<Element, number>();
      this.#charged.set(kind, charged);
      for (const element of elements) {
        await this.#slices.rest();
        const known = charged.get(element) ?? 0;
        if (known >= demand.boxes) continue;
        more += demand.boxes - known;
        charges.push(() => charged.set(element, demand.boxes));
      }
    }
    if (this.#boxes + more > MOST_BOXES) return false;
    if (demand.isLayout === true && !(await this.#nests(targets.get("") ?? new Set()))) return false;
    this.#boxes += more;
    for (const charge of charges) charge();
    return true;
  }

  /** Whether these may lay out what is in them as well. */
  async #nests(elements: ReadonlySet<Element>): Promise<boolean> {
    const undo: (() => void)[] = [];
    for (const element of elements) {
      await this.#slices.rest();
      if (this.#layouts.has(element) || element.childElementCount === 0) continue;
      this.#layouts.add(element);
      undo.push(() => this.#layouts.delete(element));
      let levels = (this.#levels.get(element) ?? 0) + 1;
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (at !== element && this.#layouts.has(at)) levels += 1;
        const box = at;
        const known = this.#levels.get(box) ?? 0;
        if (known >= levels) continue;
        this.#levels.set(box, levels);
        undo.push(() => this.#levels.set(box, known));
      }
      if (levels <= DEEPEST_LAYOUT || this.#size * 3 ** levels <= MOST_LAID_OUT) {
        this.#deepest = Math.max(this.#deepest, levels);
        continue;
      }
      for (const step of undo.reverse()) step();
      return false;
    }
    return true;
  }
}

/** A cell grows with what is in it, so that there is hardly anything to clip, and a table has very many. */
function isOfCellsAlone(name: string, targets: Targets): boolean {
  if (!name.startsWith("overflow")) return false;
  return [...targets].every(
    ([pseudo, elements]) => pseudo === "" && [...elements].every(({ localName }) => /^t[dh]$/.test(localName)),
  );
}

/** A selector inside of a rule, as it is outside. */
function within(outer: string, inner: string): string {
  return inner.includes("&") ? inner.replaceAll("&", () => outer.trim()) : `${outer} ${inner}`;
}
