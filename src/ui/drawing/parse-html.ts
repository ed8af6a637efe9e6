import { Slices } from "../../protocol/index.js";
import { turnsTooOften } from "../state/text/turns-of-direction.js";

/** Characters of HTML that are read at all. */
const LONGEST = 2_000_000;

/** Characters that are given to the parser at a time, at most; the longest tag that it holds back is many times that. */
const CHUNK = 500;

/** Levels of elements in one another with which it gets half as many: each paragraph may open all that are open again. */
const DEEP = 32;

const MOST_ELEMENTS = 10_000;

/** Ends of lines in all of it: each may be laid out as a line of its own. */
const MOST_LINES = 20_000;
const DEEPEST = 256;
const MOST_ATTRIBUTES = 500;

/**
 * Blanks and slashes of which the parser makes nothing: a tag has no more attributes than these, and each is compared to all
 * before it. A style sheet counts as well, of which Chromium makes nothing before its end.
 */
const MOST_SEPARATORS = 20_000;

/**
 * Parses HTML into a document of its own, where nothing runs or loads, and lets the page go on in between.
 *
 * The text does not tell how much will come of it, since a parser closes what was left open and opens it again: so the text
 * is given bit by bit, and what came of each bit is counted.
 *
 * @returns null where it is too large to be drawn.
 */
export async function parseHtml(html: string): Promise<Document | null> {
  if (html.length > LONGEST) return null;
  // The content of a template is in another document, which the observer does not see. Without scripts it is never shown.
  const text = html.replaceAll(/<(\/?)template\b/gi, (_tag, slash: string) => (slash === "" ? "<div hidden" : "</div"));
  const parsed = document.implementation.createHTMLDocument();
  const size = new SizeCheck(parsed);
  const slices = new Slices();
  parsed.open();
  let at = 0;
  while (at < text.length) {
    const chunk = text.slice(at, at + Math.ceil(CHUNK / (1 + size.deepest / DEEP)));
    at += chunk.length;
    // oxlint-disable-next-line typescript/no-deprecated -- only it gives a parser text bit by bit
    parsed.write(chunk);
    if (!size.allows(chunk)) return null;
    await slices.rest();
  }
  parsed.close();
  return turnsTooOften(parsed.body.textContent) ? null : parsed;
}

/** Follows a document while it grows. */
class SizeCheck {
  readonly #observer = new MutationObserver(() => undefined);
  readonly #depths = new WeakMap<Node, number>();
  #elements = 0;
  #deepest = 0;
  #lines = 0;
  /** Since the parser last made something of what it got. */
  #separators = 0;

  readonly #parsed: Document;

  constructor(parsed: Document) {
    this.#parsed = parsed;
    this.#observer.observe(parsed, { childList: true, characterData: true, subtree: true });
  }

  /** Levels of elements in one another, of all so far. */
  get deepest(): number {
    return this.#deepest;
  }

  /** Whether the document, with what the parser made of this chunk, can be drawn. */
  allows(chunk: string): boolean {
    const records = this.#observer.takeRecords();
    if (records.length > 0) this.#separators = 0;
    else this.#separators += chunk.match(/[\s/]/g)?.length ?? 0;
    this.#lines += chunk.split("\n").length - 1;
    if (this.#separators > MOST_SEPARATORS || this.#lines > MOST_LINES) return false;
    // Further tags of these two add to the first.
    if ([this.#parsed.documentElement, this.#parsed.body].some((root) => hasTooMany(root))) return false;
    return records.every((record) => [...record.addedNodes].every((node) => this.#isSmall(node, record.target)));
  }

  #isSmall(node: Node, parent: Node): boolean {
    if (!(node instanceof Element)) return true;
    this.#elements += 1;
    const depth = (this.#depths.get(parent) ?? 0) + 1;
    this.#depths.set(node, depth);
    this.#deepest = Math.max(this.#deepest, depth);
    return this.#elements <= MOST_ELEMENTS && depth <= DEEPEST && !hasTooMany(node);
  }
}

/** Null until the parser has made it. */
function hasTooMany(element: Element | null): boolean {
  return (element?.attributes.length ?? 0) > MOST_ATTRIBUTES;
}
