import { hidesParts, partsOf } from "./plain-styles.js";

/** Characters after which a part for the browser's parser may end, those of the longest, and levels of blocks in them. */
const PIECE = 20_000;
const LONGEST_PIECE = 200_000;
const DEEPEST_BLOCK = 20;

const MARK = /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\/\*[^]*?(?:\*\/|$)|\\[^]|[{};]/g;

/** Characters of selectors that are written again to have declarations apart. */
const LONGEST_REPEATED = 20_000;

/** Declarations of an attribute, each shorthand whose parts are hidden apart from what follows. */
export function* partsOfAttribute(text: string): Iterable<string> {
  let together = "";
  for (const declaration of partsOf(text, ";")) {
    together += `${declaration};`;
    if (!hidesParts(declaration)) continue;
    yield together;
    together = "";
  }
  yield together;
}

/**
 * A style sheet in parts that end where a block does, as far as can be seen; a parser makes the same of them. Null where
 * blocks are too many levels deep, or one is too long.
 */
export function* piecesOf(text: string): Iterable<string | null> {
  let piece = "";
  /** Up to where the text is in the piece, and the mark before this one. */
  let done = 0;
  let last = 0;
  let depth = 0;
  /** What is before the block, and where the block is to end and begin again. */
  let prelude: string | null = null;
  let cuts: number[] = [];
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (!/^[{};]$/.test(mark)) continue;
    if (mark === ";" && prelude !== null && hidesParts(text.slice(last, index))) cuts.push(index + 1);
    if (mark === "{") {
      depth += 1;
      if (depth > DEEPEST_BLOCK) {
        yield null;
        return;
      }
      prelude = text.slice(last, index);
      cuts = [];
    }
    last = index + 1;
    if (mark !== "}") continue;
    depth = Math.max(0, depth - 1);
    const repeated = `}${prelude ?? ""}{`;
    if (repeated.length * cuts.length <= LONGEST_REPEATED) {
      for (const cut of cuts) {
        piece += text.slice(done, cut) + repeated;
        done = cut;
      }
    }
    prelude = null;
    cuts = [];
    if (depth > 0 || piece.length + index - done < PIECE) continue;
    piece += text.slice(done, index + 1);
    yield piece.length > LONGEST_PIECE ? null : piece;
    piece = "";
    done = index + 1;
  }
  piece += text.slice(done);
  yield piece.length > LONGEST_PIECE ? null : piece;
}
