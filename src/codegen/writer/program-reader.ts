import { jsonIn } from "../../protocol/index.js";

/** Characters in which what a program begins with is found, however its reply comes in pieces. */
const LONGEST_BEGINNING = 100;
const IN_JSON = /"content"\s{0,20}:\s{0,20}"/g;
const IN_FENCE = /```(?:python|py)[23]?[ \t]{0,20}\n/gi;

/**
 * Reads the program out of a reply while it still streams. Only for people to look at. It goes on from where it was, so that
 * the work grows with the reply and no faster.
 */
export class ProgramReader {
  #reply = "";
  /** Where it goes on. */
  #at = 0;
  #kind: "none" | "json" | "fence" | "over" = "none";

  /** @returns what of the program has come with this piece of the reply. */
  read(piece: string): string {
    if (this.#kind === "over") return "";
    this.#reply = this.#reply.slice(this.#at) + piece;
    this.#at = 0;
    if (this.#kind === "none") this.#begin();
    return this.#kind === "json" ? this.#fromJson() : this.#kind === "fence" ? this.#fromFence() : "";
  }

  #begin(): void {
    const json = endOf(IN_JSON, this.#reply);
    const fence = endOf(IN_FENCE, this.#reply);
    this.#kind = json >= 0 ? "json" : fence >= 0 ? "fence" : "none";
    this.#at = json >= 0 ? json : fence >= 0 ? fence : Math.max(0, this.#reply.length - LONGEST_BEGINNING);
  }

  /** Up to the end of the JSON string, or as far as it goes. An escape that is not whole yet comes with the next piece. */
  #fromJson(): string {
    const [from, reply] = [this.#at, this.#reply];
    let to = from;
    while (to < reply.length && reply[to] !== '"') {
      const length = reply[to] !== "\\" ? 1 : reply[to + 1] === "u" ? 6 : 2;
      if (to + length > reply.length) break;
      to += length;
    }
    this.#at = to;
    if (reply[to] === '"') this.#kind = "over";
    return unescaped(reply.slice(from, to));
  }

  /** Up to the fence that ends it. What may be the beginning of that comes with the next piece. */
  #fromFence(): string {
    const [from, reply] = [this.#at, this.#reply];
    const end = reply.indexOf("\n```", from);
    if (end >= 0) this.#kind = "over";
    this.#at = end >= 0 ? end : from + reply.slice(from).replace(/\n`{0,2}$/, "").length;
    return reply.slice(from, this.#at);
  }
}

function endOf(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function unescaped(text: string): string {
  const read = jsonIn(`"${text.replace(/[\n\r\t]/g, (control) => JSON.stringify(control).slice(1, -1))}"`);
  return typeof read === "string" ? read : text;
}
