/** A pattern cannot be read. */
export class PatternError extends Error {}

/** Characters that need their backslash in JavaScript too. */
const SYNTAX = "^$\\.*+?()[]{}|/";

const POSIX: ReadonlyMap<string, string> = new Map([
  ["alnum", "0-9A-Za-z"],
  ["alpha", "A-Za-z"],
  ["blank", "\\t "],
  ["cntrl", "\\0-\\x1F\\x7F"],
  ["digit", "0-9"],
  ["graph", "!-~"],
  ["lower", "a-z"],
  ["print", " -~"],
  ["punct", "!-\\/:-@\\[-`\\{-~"],
  ["space", "\\t\\n\\v\\f\\r "],
  ["upper", "A-Z"],
  ["word", "0-9A-Za-z_"],
  ["xdigit", "0-9A-Fa-f"],
]);

/** What is written in another way. Lines are looked at alone, so that a line's ends are those of the text. */
const BOUNDARIES: ReadonlyMap<string, string> = new Map([
  ["A", "^"],
  ["z", "$"],
  ["<", "\\b(?=\\w)"],
  [">", "\\b(?<=\\w)"],
]);

/**
 * Reads a pattern as ripgrep does, which looks neither around nor back: that a text has a match then says so of one of its
 * lines, as long as no match reaches over a line's end.
 *
 * @throws {PatternError}
 */
export function rustPattern(source: string): RegExp {
  const [leading = "", given = ""] = /^\(\?([a-zA-Z]+)\)/.exec(source) ?? [];
  if (/[^imsu]/.test(given)) throw new PatternError(`the flags ${leading} are not known here`);
  const own = source.slice(leading.length);
  try {
    return new RegExp(translated(own), `mu${given.includes("i") ? "i" : ""}${given.includes("s") ? "s" : ""}`);
  } catch (error) {
    if (error instanceof PatternError) throw error;
    throw new PatternError(error instanceof Error ? error.message : String(error));
  }
}

function translated(source: string): string {
  let pattern = "";
  for (let at = 0; at < source.length;) {
    const [piece, length] = source[at] === "[" ? readClass(source, at) : readPiece(source, at);
    pattern += piece;
    at += length;
  }
  return pattern;
}

type Piece = readonly [pattern: string, length: number];

function readPiece(source: string, at: number): Piece {
  const here = source.slice(at, at + 64);
  if (here.startsWith("\\")) return readEscape(here);
  if (/^\(\?(?:<?[=!])/.test(here))
    throw new PatternError("look-around, including look-ahead and look-behind, is not supported");
  if (here.startsWith("(?P<")) return ["(?<", 4];
  if (here.startsWith("/")) return ["\\/", 1];
  // Written by itself it stands for itself there.
  if (/^[\]}]/.test(here))
    return here.startsWith("}") && isRepetition(source, at) ? ["}", 1] : [`\\${here.charAt(0)}`, 1];
  return [here.charAt(0), 1];
}

/** Whether the brace at this place ends `{3}` or `{3,5}`. */
function isRepetition(source: string, end: number): boolean {
  return /\{\d+(?:,\d*)?$/.test(source.slice(Math.max(0, end - 20), end));
}

function readEscape(here: string): Piece {
  const next = here.charAt(1);
  if (/[1-9k]/.test(next)) throw new PatternError("backreferences are not supported");
  const boundary = BOUNDARIES.get(next);
  if (boundary !== undefined) return [boundary, 2];
  const hexadecimal = /^\\[xuU]\{([0-9a-fA-F]{1,6})\}/.exec(here);
  if (hexadecimal !== null) return [`\\u{${hexadecimal[1] ?? ""}}`, hexadecimal[0].length];
  const letter = /^\\([pP])([A-Z])/.exec(here);
  if (letter !== null) return [`\\${letter[1] ?? ""}{${letter[2] ?? ""}}`, 3];
  // Any punctuation may be escaped there, in JavaScript only what is syntax.
  if (/[!-/:-@[-`{-~]/.test(next) && !SYNTAX.includes(next)) return [next === "-" ? "\\x2D" : next, 2];
  return [here.slice(0, 2), 2];
}

function readClass(source: string, start: number): Piece {
  let at = start + 1;
  let inside = "[";
  if (source[at] === "^") {
    // A negated class matches no line's end, since there lines are looked at alone.
    inside += "^\\n";
    at += 1;
  }
  // At the beginning it stands for itself.
  if (source[at] === "]") {
    inside += "\\]";
    at += 1;
  }
  for (; at < source.length;) {
    const here = source.slice(at, at + 64);
    if (here.startsWith("]")) return [`${inside}]`, at + 1 - start];
    const posix = /^\[:(\^?)([a-z]+):\]/.exec(here);
    if (posix !== null) {
      const ranges = POSIX.get(posix[2] ?? "");
      if (ranges === undefined || posix[1] === "^") throw new PatternError(`the class ${posix[0]} is not known here`);
      inside += ranges;
      at += posix[0].length;
      continue;
    }
    if (here.startsWith("\\")) {
      const [piece, length] = readEscape(here);
      inside += piece;
      at += length;
      continue;
    }
    if (here.startsWith("&&")) throw new PatternError("intersections of classes are not supported");
    inside += here.startsWith("[") ? "\\[" : here.charAt(0);
    at += 1;
  }
  throw new PatternError("unclosed character class");
}
