/** Ranges of code points, in their order and apart from each other. */
export type CharacterSet = readonly (readonly [from: number, to: number])[];

const LAST = 0x10_ff_ff;

/** Where it is not known which characters are meant, all are. */
export const ANY: CharacterSet = [[0, LAST]];

const DIGITS: CharacterSet = [[0x30, 0x39]];
const WORDS: CharacterSet = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
/** Of the spaces those of ASCII. All characters beyond count as spaces and as others: which they are is not looked up. */
const SPACES: CharacterSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
];

const CONTROLS: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, 0: 0x00, b: 0x08 };

const PIECES = /\\x[0-9a-fA-F]{2}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\[^]|[^]/g;

/** The characters that an atom of a pattern takes: one character, an escape or a class. Rather too many than too few. */
export function charactersOf(atom: string): CharacterSet {
  if (atom === ".") return ANY;
  if (!atom.startsWith("[")) return charactersOfPiece(atom);
  const isNegated = atom.startsWith("[^");
  const pieces = atom.slice(isNegated ? 2 : 1, -1).match(PIECES) ?? [];
  const inside: CharacterSet[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const [piece = "", dash, last = ""] = pieces.slice(at, at + 3);
    const from = codePointOf(piece);
    const to = codePointOf(last);
    if (dash === "-" && last !== "" && from !== undefined && to !== undefined) {
      inside.push([[from, to]]);
      at += 2;
    } else {
      inside.push(charactersOfPiece(piece));
    }
  }
  const all = joined(inside.flat());
  if (!isNegated) return all;
  // What may be more than it says would be less than it says once it is negated.
  return pieces.some((piece) => /^\\[pPsS]/.test(piece)) ? ANY : without(all);
}

/** Whether no character is in both. */
export function areDisjoint(one: CharacterSet, other: CharacterSet): boolean {
  return one.every(([from, to]) => other.every(([start, end]) => to < start || end < from));
}

function charactersOfPiece(piece: string): CharacterSet {
  if (piece === "\\d") return DIGITS;
  if (piece === "\\D") return without(DIGITS);
  if (piece === "\\w") return WORDS;
  if (piece === "\\W") return without(WORDS);
  if (piece === "\\s") return [...SPACES, [0x80, LAST]];
  if (piece === "\\S") return without(SPACES);
  const code = codePointOf(piece);
  return code === undefined ? ANY : [[code, code]];
}

/** Undefined for what stands for several characters, or is half of a pair. */
function codePointOf(piece: string): number | undefined {
  const [, letter = "", digits = ""] = /^\\([xu])\{?([0-9a-fA-F]+)\}?$/.exec(piece) ?? [];
  if (letter !== "") return notHalf(Number.parseInt(digits, 16));
  if (!piece.startsWith("\\")) return notHalf(piece.codePointAt(0));
  const name = piece.slice(1);
  const control = CONTROLS[name];
  if (control !== undefined) return control;
  return /^[a-zA-Z0-9]/.test(name) ? undefined : name.codePointAt(0);
}

function notHalf(code: number | undefined): number | undefined {
  return code === undefined || (code >= 0xd8_00 && code <= 0xdf_ff) ? undefined : code;
}

function joined(ranges: CharacterSet): CharacterSet {
  const result: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

function without(set: CharacterSet): CharacterSet {
  const result: [number, number][] = [];
  let next = 0;
  for (const [from, to] of joined(set)) {
    if (from > next) result.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) result.push([next, LAST]);
  return result;
}
