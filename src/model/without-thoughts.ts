import { closes, readOpening, type Opening } from "./code-fences.js";

/** One that stands in a string, by what follows it, is something that the reply speaks of. A fence may follow a real one. */
const CLOSING = /<\/think(?:ing)?>(?!["'\\]|`(?!``))/;
const OPENING = /<think(?:ing)?>(?!(?<=["'`]<think(?:ing)?>)["'`])/;
const TAGS = new RegExp(`${OPENING.source}|${CLOSING.source}`, "g");

/**
 * The reply without what a reasoning model thought before it, where its server sends that as part of the reply. A closing
 * tag alone ends thoughts too: some templates put the opening one into the prompt. Within a block of code it does so only
 * where its line begins: elsewhere it is the program's.
 *
 * @param isProse - whether the reply is to be words; a closing tag between words of its first line is then one of them.
 */
export function withoutThoughts(reply: string, { isProse = false }: { readonly isProse?: boolean } = {}): string {
  const lines = new LinesBefore(reply);
  for (const { 0: tag, index } of reply.matchAll(TAGS)) {
    const rest = reply.slice(index + tag.length);
    if (!tag.startsWith("</")) {
      // Tags in the middle are part of what is said.
      if (reply.slice(0, index).trim() !== "") return reply;
      const end = CLOSING.exec(rest);
      return end === null ? "" : rest.slice(end.index + end[0].length);
    }
    const { isInBlock, startsLine, isFirstLine } = lines.at(index);
    if (isInBlock && !startsLine) continue;
    if (isProse && isFirstLine && !startsLine && !/^[ \t]*(?:[\r\n]|$)/.test(rest)) continue;
    return rest;
  }
  return reply;
}

/** Reads the lines of a text once, however many places in it are asked about, each behind the one before. */
class LinesBefore {
  readonly #text: string;
  readonly #breaks: IterableIterator<RegExpExecArray>;
  #start = 0;
  #end = 0;
  #next = 0;
  #block: Opening | null = null;
  #wasAsked = false;

  constructor(text: string) {
    this.#text = text;
    this.#breaks = text.matchAll(/\r\n?|\n/g);
    this.#advance();
  }

  at(index: number): { readonly isInBlock: boolean; readonly startsLine: boolean; readonly isFirstLine: boolean } {
    while (this.#end < index) {
      this.#readLine(this.#text.slice(this.#start, this.#end));
      this.#start = this.#next;
      this.#advance();
      this.#wasAsked = false;
    }
    const startsLine = !this.#wasAsked && this.#text.slice(this.#start, index).trim() === "";
    this.#wasAsked = true;
    return { isInBlock: this.#block !== null, startsLine, isFirstLine: this.#start === 0 };
  }

  #advance(): void {
    const found: IteratorResult<RegExpExecArray, unknown> = this.#breaks.next();
    this.#end = found.done === true ? this.#text.length : found.value.index;
    this.#next = found.done === true ? this.#end : this.#end + found.value[0].length;
  }

  #readLine(line: string): void {
    if (this.#block === null) {
      const opening = readOpening(line);
      if (opening?.inline === null) this.#block = opening;
    } else if (closes(line, this.#block)) {
      this.#block = null;
    }
  }
}
