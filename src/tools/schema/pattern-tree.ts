import { ANY, charactersOf, type CharacterSet } from "./character-set.js";

/** A part of a regular expression, as far as the work of an engine depends on it. */
export type PatternPart =
  | { readonly kind: "character"; readonly characters: CharacterSet }
  /** `^`. */
  | { readonly kind: "begin" }
  /** `$`, `\b`: takes no character. */
  | { readonly kind: "assertion" }
  /** A reference to a group: takes any number of characters. */
  | { readonly kind: "reference" }
  /** A look around, which is never gone back into. */
  | { readonly kind: "look"; readonly body: PatternChoice }
  | PatternChoice
  | { readonly kind: "repeat"; readonly part: PatternPart; readonly least: number; readonly most: number };

export interface PatternChoice {
  readonly kind: "choice";
  readonly branches: readonly (readonly PatternPart[])[];
}

/** Groups inside of groups. */
const DEEPEST = 100;

/** The parts of a pattern that the engine accepts; undefined where groups are nested too deep. */
export function readPattern(pattern: string): PatternChoice | undefined {
  const whole = new OpenGroup(false, false);
  const open = [whole];
  for (let at = 0; at < pattern.length;) {
    const group = open.at(-1) ?? whole;
    const [opening = ""] = match(/\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/y, pattern, at);
    if (opening !== "") {
      if (open.length > DEEPEST) return undefined;
      open.push(new OpenGroup(/[=!]$/.test(opening), group.changesFlags || /[a-z-]:$/.test(opening)));
      at += opening.length;
      continue;
    }
    const [atom = ""] = match(/\\[pPu]\{[^}]*\}|\\k<[^>]*>|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^]/y, pattern, at);
    const [quantifier, most, least] = quantifierAt(pattern, at + atom.length);
    at += atom.length + quantifier.length;
    if (atom === "|") {
      group.branches.push([]);
      continue;
    }
    const closes = atom === ")" && open.length > 1;
    if (closes) open.pop();
    const part = closes ? group.part() : partOf(atom, group);
    const holder = open.at(-1) ?? whole;
    holder.branches.at(-1)?.push(quantifier === "" ? part : { kind: "repeat", part, least, most });
  }
  return whole.choice();
}

class OpenGroup {
  readonly branches: PatternPart[][] = [[]];
  /** `(?i:`: characters in it may mean others as well. */
  readonly changesFlags: boolean;
  readonly #isLook: boolean;

  constructor(isLook: boolean, changesFlags: boolean) {
    this.#isLook = isLook;
    this.changesFlags = changesFlags;
  }

  choice(): PatternChoice {
    return { kind: "choice", branches: this.branches };
  }

  part(): PatternPart {
    return this.#isLook ? { kind: "look", body: this.choice() } : this.choice();
  }
}

function partOf(atom: string, { changesFlags }: OpenGroup): PatternPart {
  if (atom === "^") return { kind: "begin" };
  if (atom === "$" || atom === "\\b" || atom === "\\B") return { kind: "assertion" };
  if (/^\\(?:k<|[1-9])/.test(atom)) return { kind: "reference" };
  return { kind: "character", characters: changesFlags ? ANY : charactersOf(atom) };
}

/** The quantifier at a place, and how often it lets what stands before it come. */
function quantifierAt(pattern: string, at: number): readonly [quantifier: string, most: number, least: number] {
  const [quantifier = "", least, comma, most] = match(/(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y, pattern, at);
  if (quantifier.startsWith("?")) return [quantifier, 1, 0];
  if (least === undefined) return [quantifier, Infinity, quantifier.startsWith("+") ? 1 : 0];
  if (comma === "") return [quantifier, Number(least), Number(least)];
  return [quantifier, most === undefined || most === "" ? Infinity : Number(most), Number(least)];
}

function match(sticky: RegExp, text: string, at: number): readonly (string | undefined)[] {
  sticky.lastIndex = at;
  return sticky.exec(text) ?? [];
}
