import type { Steps } from "./steps.js";

/** Ways to compare lines, from the strictest. */
const FOLDS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => inAscii(line.trim()),
];

const FOREIGN = /[\u00A0\u2002-\u2015\u2018-\u201F\u202F\u205F\u2212\u3000]/;

/** Lines that are longer, in characters, are compared as they are: to go through them would take long. */
const LONGEST_FOLDED = 100_000;

/** Dashes, quotes and spaces as a keyboard has them. */
function inAscii(line: string): string {
  if (line.length > LONGEST_FOLDED || !FOREIGN.test(line)) return line;
  return line
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018-\u201B]/g, "'")
    .replace(/[\u201C-\u201F]/g, '"')
    .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}

/** Lines that are compared in one go. */
const AT_ONCE = 4096;

/** Finds blocks of lines in a file. What a search costs grows with the lines that it passes, whatever they are. */
export class LineFinder {
  readonly #lines: readonly string[];
  readonly #steps: Steps;
  readonly #levels: (FoldedLines | undefined)[] = [];

  constructor(lines: readonly string[], steps: Steps) {
    this.#lines = lines;
    this.#steps = steps;
  }

  /** Where the block begins at or after `from`; compared in the strictest way that finds it. Null where none does. */
  async find(
    block: readonly string[],
    { from, atEnd = false }: { from: number; atEnd?: boolean },
  ): Promise<number | null> {
    const first = atEnd ? this.#lines.length - block.length : from;
    if (first < from) return null;
    for (const level of FOLDS.keys()) {
      const { ids, idsOf } = await this.#level(level);
      await this.#steps.spend(block.length);
      const wanted = idsOf(block);
      if (wanted.includes(UNKNOWN)) continue;
      const { start, length } = await this.#search(ids, wanted, first);
      if (length === block.length) return start;
    }
    return null;
  }

  /** The longest beginning of the block that is in the file, compared in the most lenient way, and where it is. */
  async longestStart(block: readonly string[]): Promise<{ readonly start: number; readonly length: number }> {
    const { ids, idsOf } = await this.#level(FOLDS.length - 1);
    return this.#search(ids, idsOf(block), 0);
  }

  /** @returns the first place of the whole block, or else of its longest beginning. */
  async #search(ids: Int32Array, block: Int32Array, from: number): Promise<{ start: number; length: number }> {
    const borders = bordersOf(block);
    let best = { start: from, length: 0 };
    let length = 0;
    let counted = from;
    for (let at = from; at < ids.length && best.length < block.length; at += 1) {
      while (length > 0 && ids[at] !== block[length]) length = borders[length - 1] ?? 0;
      if (ids[at] === block[length]) length += 1;
      if (length > best.length) best = { start: at + 1 - length, length };
      if (at - counted < AT_ONCE) continue;
      await this.#steps.spend(at - counted);
      counted = at;
    }
    return best;
  }

  async #level(level: number): Promise<FoldedLines> {
    return (this.#levels[level] ??= await foldedLines(this.#lines, FOLDS[level] ?? String, this.#steps));
  }
}

/** In place of the number of a line that the file does not have. */
const UNKNOWN = -1;

/** Lines as numbers: equal ones have the same. */
interface FoldedLines {
  readonly ids: Int32Array;
  readonly idsOf: (lines: readonly string[]) => Int32Array;
}

async function foldedLines(
  lines: readonly string[],
  fold: (line: string) => string,
  steps: Steps,
): Promise<FoldedLines> {
  const known = new Map<string, number>();
  const ids = new Int32Array(lines.length);
  for (const [index, line] of lines.entries()) {
    const folded = fold(line);
    const id = known.get(folded) ?? known.size;
    known.set(folded, id);
    ids[index] = id;
    // A line may be long.
    if (index % 256 === 255) await steps.spend(256);
  }
  return { ids, idsOf: (some) => Int32Array.from(some, (line) => known.get(fold(line)) ?? UNKNOWN) };
}

/** For each beginning of the block the length of the longest shorter one that it ends with. */
function bordersOf(block: Int32Array): Int32Array {
  const borders = new Int32Array(block.length);
  let length = 0;
  for (let at = 1; at < block.length; at += 1) {
    while (length > 0 && block[at] !== block[length]) length = borders[length - 1] ?? 0;
    if (block[at] === block[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
