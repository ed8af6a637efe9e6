import MiniSearch from "minisearch";

import type { Slices } from "../../../../protocol/index.js";
import type { Passage } from "./passage.js";

/** Characters, and words, of a query that are looked at. */
const LONGEST_QUERY = 1000;
const MOST_WORDS = 40;

/** Characters of a word. */
const LONGEST_WORD = 60;

/** Scripts that write words without blanks between them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

interface IndexedPassage {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly words: string;
}

/** Passages by their words, ranked as MiniSearch does (BM25+), with which the tools of a session are searched as well. */
export class PassageIndex {
  readonly #passages: Passage[] = [];
  readonly #words = new MiniSearch<IndexedPassage>({
    fields: ["title", "text", "words"],
    tokenize: wordsOf,
    processTerm: (word) => word,
    searchOptions: { boost: { title: 3, text: 1, words: 0.8 }, combineWith: "OR" },
    autoVacuum: false,
  });

  get size(): number {
    return this.#passages.length;
  }

  async add(passages: readonly Passage[], slices: Slices): Promise<void> {
    for (const passage of passages) {
      const { title, text, words = "" } = passage;
      this.#words.add({ id: this.#passages.length, title, text, words });
      this.#passages.push(passage);
      await slices.rest();
    }
  }

  /** The best first. */
  search(query: string, limit: number): readonly Passage[] {
    const words = [...new Set(wordsOf(query.slice(0, LONGEST_QUERY)))].slice(0, MOST_WORDS);
    const results = this.#words.search(query, {
      tokenize: () => words,
      prefix: (word) => word.length >= 4,
      fuzzy: (word) => (word.length >= 6 ? 0.15 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    });
    return results.slice(0, limit).flatMap(({ id }) => this.#passages[id as number] ?? []);
  }
}

/** In small letters; `readCsv` is `read` and `csv`, and what is written without blanks goes in pairs of signs. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [word.slice(0, LONGEST_WORD)]))
    .filter((word) => word !== "");
}

function pairsOf(word: string): string[] {
  const signs = Array.from(word);
  return signs.length < 2 ? signs : signs.slice(1).map((sign, index) => `${signs[index] ?? ""}${sign}`);
}
