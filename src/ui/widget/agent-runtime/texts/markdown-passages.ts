import type { Slices } from "../../../../protocol/index.js";
import {
  absolute,
  addressOf,
  LONGEST_TITLE,
  MOST_PASSAGES,
  pieces,
  type LinkedPage,
  type Passage,
  type ReadText,
  withoutPart,
} from "./passage.js";

/** Characters of a line in which headings and links are looked for. */
const LONGEST_LINE = 5000;

/**
 * The passages of Markdown, or of any text: an llms.txt with its links, an llms-full.txt, a page. It is cut at its headings,
 * and an entry of a list that is a link with a note is a passage of its own, with the address of the link.
 *
 * @param url - where it came from; links are relative to that.
 */
export async function markdownPassages(text: string, url: string, slices: Slices): Promise<ReadText> {
  const reader = new MarkdownReader(url);
  for (const line of linesOf(text)) {
    reader.take(line);
    if (reader.isFull) break;
    await slices.rest();
  }
  return reader.end();
}

class MarkdownReader {
  readonly #source: string;
  readonly #passages: Passage[] = [];
  readonly #links = new Map<string, LinkedPage>();
  /** The headings above, by level. */
  #headings: string[] = [];
  /** Where the text says that this part of it came from. */
  #page: string;
  #lines: string[] = [];
  #fence: string | null = null;

  constructor(source: string) {
    this.#source = source;
    this.#page = addressOf(source, source) ?? source;
  }

  get isFull(): boolean {
    return this.#passages.length >= MOST_PASSAGES;
  }

  take(line: string): void {
    const start = line.slice(0, LONGEST_LINE).trim();
    const mark = /^(```+|~~~+)/.exec(start)?.[0];
    if (mark !== undefined) {
      if (this.#fence === null) this.#fence = mark;
      else if (start === mark && mark.startsWith(this.#fence)) this.#fence = null;
    } else if (this.#fence === null) {
      const level = headingLevel(start);
      if (level > 0) {
        this.#flush();
        const title = start.slice(level).replace(/#+$/, "").trim();
        this.#headings = [...this.#headings.slice(0, level - 1), title.slice(0, LONGEST_TITLE)];
        return;
      }
      const origin = this.#lines.length === 0 ? originIn(start) : null;
      if (origin !== null) {
        this.#page = addressOf(origin, this.#source) ?? this.#page;
        return;
      }
      const entry = linkEntry(start);
      if (entry !== null && this.#addLink(entry)) return;
    }
    this.#lines.push(line);
  }

  end(): ReadText {
    this.#flush();
    return { passages: this.#passages.slice(0, MOST_PASSAGES), links: [...this.#links.values()] };
  }

  #addLink({ title, target, note }: LinkEntry): boolean {
    const href = absolute(target, this.#source);
    if (href === null) return false;
    const url = withoutPart(href);
    const name = title === "" ? url : title.slice(0, LONGEST_TITLE);
    if (this.#links.size < MOST_PASSAGES && !this.#links.has(url)) this.#links.set(url, { title: name, url });
    this.#passages.push({ title: name, url: href, text: note, words: this.#headings.join(" ") });
    return true;
  }

  #flush(): void {
    const text = this.#lines.join("\n");
    this.#lines = [];
    const title = this.#headings.filter((heading) => heading !== "").join(" › ");
    for (const piece of pieces(text)) this.#passages.push({ title, url: this.#page, text: piece });
  }
}

interface LinkEntry {
  readonly title: string;
  readonly target: string;
  readonly note: string;
}

/** `- [Title](address): what it is about`. By looking for one mark after the other: a line may be of any kind. */
function linkEntry(line: string): LinkEntry | null {
  if (!/^[-*+] /.test(line)) return null;
  const link = line.slice(2).trimStart();
  const middle = link.indexOf("](");
  if (!link.startsWith("[") || middle < 0) return null;
  const end = link.indexOf(")", middle);
  if (end < 0) return null;
  const [target = ""] = link
    .slice(middle + 2, end)
    .trim()
    .split(/\s/, 1);
  const note = link.slice(end + 1).trim();
  return { title: link.slice(1, middle).trim(), target, note: note.replace(/^[:–—-]\s?/, "").trim() };
}

/** From 1 to 6; 0 for a line that is no heading. */
function headingLevel(line: string): number {
  return /^(#{1,6})(?:\s|$)/.exec(line)?.[1]?.length ?? 0;
}

/** The line that some generators of llms-full.txt put below the heading of a page. */
function originIn(line: string): string | null {
  return /^(?:source|url):\s{0,10}<?(https?:\/\/[^\s<>]+)>?$/i.exec(line)?.[1] ?? null;
}

function* linesOf(text: string): Iterable<string> {
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end;
    yield text.slice(at, next).replace(/\r$/, "");
    at = next + 1;
  }
}
