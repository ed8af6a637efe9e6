import { closes, openString, readOpening, withoutFence, withoutThoughts, type Opening } from "../../model/index.js";
import { Slices, stepped, type Steps } from "../../protocol/index.js";
import { isMarkdown, languageOf, tagFits } from "./languages.js";
import { unwrapMarkdown } from "./unwrap-markdown.js";

/** The text of a file that a reply holds. */
export interface ExtractedFile {
  readonly kind: "text";
  readonly text: string;
  /** Lower case: as the fence says, else as the name of the file ends, else `unknown`. */
  readonly language: string;
  /** Whether the fence says that it is of another language than the file. */
  readonly isOtherLanguage: boolean;
  /** The reply ended before its block of code did. */
  readonly isUnclosed: boolean;
}

export type Extraction = ExtractedFile | { readonly kind: "none" };

/**
 * Finds the file in a reply: the largest block of code of its language, else the largest that says nothing of its
 * language, else the largest. A reply without a block is the file as a whole, and so is one for a Markdown file, without
 * a `markdown` fence around it.
 *
 * Whatever the reply is, the work grows with its length and no faster, and lets the page go on in between.
 */
export async function extractFile(reply: string, path: string): Promise<Extraction> {
  // Marks of the order of bytes are none of the text.
  const said = withoutThoughts(reply.replace(/^\uFEFF/, ""));
  if (said.trim() === "") return { kind: "none" };
  const isWhole = { isOtherLanguage: false, isUnclosed: false };
  if (isMarkdown(path)) return { kind: "text", ...isWhole, text: unwrapMarkdown(said), language: "markdown" };
  const text = said.replace(/\r\n?/g, "\n");
  const language = languageOf(path) ?? "unknown";
  const blocks = await stepped(findBlocks(text, language === "python"), new Slices());
  if (blocks.length === 0) return { kind: "text", ...isWhole, text: text.trim(), language };
  const chosen = choose(blocks, path);
  if (chosen === undefined) return { kind: "none" };
  const fit = tagFits(chosen.tag, path);
  const saysLanguage = fit === "unknown" ? language === "unknown" : !/[./]/.test(chosen.tag);
  return {
    kind: "text",
    text: chosen.text,
    language: chosen.tag !== "" && saysLanguage ? chosen.tag : language,
    isOtherLanguage: fit === "no",
    isUnclosed: chosen.isUnclosed,
  };
}

interface Block {
  /** Lower case. */
  readonly tag: string;
  readonly text: string;
  readonly isUnclosed: boolean;
}

function choose(blocks: readonly Block[], path: string): Block | undefined {
  const written = blocks.filter(({ text }) => text !== "");
  for (const fit of ["yes", "unknown", "no"]) {
    const [first, ...others] = written.filter(({ tag }) => tagFits(tag, path) === fit);
    if (first !== undefined) {
      return others.reduce((largest, block) => (block.text.length > largest.text.length ? block : largest), first);
    }
  }
  return undefined;
}

/** A line that may begin a block, or end one. */
interface FenceLine {
  readonly start: number;
  readonly end: number;
  readonly opening: Opening | null;
  /** Whether nothing but a fence is in it. */
  readonly isBare: boolean;
}

/** Lines after which the page may have its turn. */
const STEP = 500;
/** Searches for an end that go through the whole rest of the text. */
const MOST_FAILED_SEARCHES = 8;

function* findBlocks(text: string, isPython: boolean): Steps<Block[]> {
  const lines = yield* fenceLines(text);
  const search = new EndSearch(text, lines);
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index++) {
    const { opening = null, end: before = 0 } = lines[index] ?? {};
    if (opening === null) continue;
    const tag = (opening.tag.toLowerCase().split(/[:,;]/)[0] ?? "").trim();
    if (opening.inline !== null) {
      blocks.push({ tag, text: opening.inline, isUnclosed: false });
      continue;
    }
    const end = yield* search.from(index, opening, isPython || opening.kind === "python");
    const inside = text.slice(before + 1, lines[end]?.start);
    const code = trimmed(opening.indent === 0 ? inside : outdented(inside, opening.indent));
    // Some close the block behind the last line, and end there.
    const isClosedLate = end === lines.length && code.endsWith("```");
    blocks.push({
      tag,
      text: isClosedLate ? withoutFence(code) : code,
      isUnclosed: end === lines.length && !isClosedLate,
    });
    index = end;
  }
  return blocks;
}

function* fenceLines(text: string): Steps<FenceLine[]> {
  const lines: FenceLine[] = [];
  for (let at = text.indexOf("```"); at >= 0;) {
    const start = text.lastIndexOf("\n", at) + 1;
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    const line = text.slice(start, end);
    lines.push({ start, end, opening: readOpening(line), isBare: /^[ \t]*`+[ \t]*$/.test(line) });
    if (lines.length % STEP === 0) yield;
    at = text.indexOf("```", end);
  }
  return lines;
}

/** Finds the lines that end blocks. A search that came to nothing is paid for; after some of them the next fence will do. */
class EndSearch {
  readonly #text: string;
  readonly #lines: readonly FenceLine[];
  #failed = 0;

  constructor(text: string, lines: readonly FenceLine[]) {
    this.#text = text;
    this.#lines = lines;
  }

  /** The number of lines where there is none. */
  *from(index: number, opening: Opening, isPython: boolean): Steps<number> {
    const searches = [
      isPython ? this.#behindStrings(index, opening) : this.#behindInnerBlocks(index, opening),
      this.#first(index, (line) => this.#closes(line, opening, 0)),
    ];
    for (const search of searches) {
      if (this.#failed >= MOST_FAILED_SEARCHES) break;
      const end = yield* search;
      if (end !== null) return end;
      this.#failed += 1;
    }
    return (yield* this.#first(index, (line) => this.#closes(line, opening, 3))) ?? this.#lines.length;
  }

  /** The first fence that is not part of a string of Python: a text in one may hold fences of its own. */
  *#behindStrings(index: number, opening: Opening): Steps<number | null> {
    let open: string | null = null;
    let at = (this.#lines[index]?.end ?? 0) + 1;
    let steps = 0;
    for (let next = index + 1; next < this.#lines.length; next++) {
      const line = this.#lines[next];
      if (line === undefined) break;
      while (at <= line.start) {
        if (at === line.start && open?.length !== 3 && this.#closes(line, opening, 0)) return next;
        const end = this.#text.indexOf("\n", at);
        const stop = end < 0 ? this.#text.length : end;
        open = openString(this.#text.slice(at, stop), open);
        at = stop + 1;
        if (++steps % STEP === 0) yield;
      }
    }
    return null;
  }

  /** The first fence behind as many that close as there are tagged ones that open. */
  *#behindInnerBlocks(index: number, opening: Opening): Steps<number | null> {
    let depth = 0;
    return yield* this.#first(index, (line) => {
      if (this.#closes(line, opening, 0)) return depth-- === 0;
      if (line.opening !== null && line.opening.tag !== "" && line.opening.inline === null) depth += 1;
      return false;
    });
  }

  *#first(index: number, isIt: (line: FenceLine) => boolean): Steps<number | null> {
    for (let next = index + 1; next < this.#lines.length; next++) {
      const line = this.#lines[next];
      if (line !== undefined && isIt(line)) return next;
      if (next % STEP === 0) yield;
    }
    return null;
  }

  /** @param leeway - blanks by which it may be further in than the fence that it closes. */
  #closes({ start, end, isBare }: FenceLine, opening: Opening, leeway: number): boolean {
    if (!isBare) return false;
    const line = this.#text.slice(start, end);
    return closes(line, opening) && line.indexOf("`") <= opening.indent + leeway;
  }
}

function outdented(text: string, indent: number): string {
  const margin = new RegExp(`^[ \\t]{1,${String(indent)}}`, "gm");
  return text.replace(margin, "");
}

/** Without blank lines around it, and without blanks at its end. */
function trimmed(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}
