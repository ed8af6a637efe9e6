/** Steps that one test of a pattern may take at the worst: the page's thread is held meanwhile. */
const MOST_STEPS = 3e8;
/** The same where a step is more than one character: the ways that a text can be divided. */
const MOST_WAYS = 3e7;

/** A group that is repeated oftener than this may as well be repeated without end. */
const FEW = 8;

interface Group {
  /** Quantifiers in it without an upper bound. */
  endless: number;
  /** Whether it can fit the same text in several ways. */
  hasChoice: boolean;
  /** What `|` parts. */
  alternatives: number;
  /** By how much each further character may multiply the ways to divide the text; 1: by nothing. */
  growth: number;
}

/**
 * Up to how many characters of a text a regular expression surely comes to an end soon; Infinity for most.
 *
 * Engines of browsers try one way after the other. Where a repeated group has a choice inside (`(a+)+`), each character
 * may multiply the ways; else the steps grow with the power of the quantifiers that have no upper bound.
 */
export function longestTextFor(pattern: string): number {
  const all = newGroup();
  const groups: Group[] = [all];
  for (let at = 0; at < pattern.length;) {
    const character = pattern[at];
    if (character === "(") {
      groups.push(newGroup());
      at += 1;
      continue;
    }
    const group = groups.at(-1) ?? all;
    if (character === "|") {
      group.hasChoice = true;
      group.alternatives += 1;
    }
    const end = atomEnd(pattern, at);
    const [quantifier, most] = quantifierAt(pattern, end);
    at = end + quantifier.length;
    if (character === ")" && groups.length > 1) {
      groups.pop();
      addGroup(groups.at(-1) ?? all, group, most);
    }
    const holder = groups.at(-1) ?? all;
    holder.hasChoice ||= quantifier !== "";
    holder.endless += most === Infinity ? 1 : 0;
  }
  if (all.growth > 1) return Math.floor(Math.log(MOST_WAYS) / Math.log(all.growth));
  // Without ^ each character may be the beginning.
  const power = all.endless + (pattern.startsWith("^") ? 0 : 1);
  return all.endless === 0 || power === 1 ? Infinity : Math.floor(MOST_STEPS ** (1 / power));
}

function newGroup(): Group {
  return { endless: 0, hasChoice: false, alternatives: 1, growth: 1 };
}

/** Takes a group that comes up to `most` times into the one around it. */
function addGroup(outer: Group, inner: Group, most: number): void {
  const multiplies = most > FEW && inner.hasChoice;
  outer.growth = Math.max(outer.growth, multiplies ? inner.growth * Math.max(2, inner.alternatives) : inner.growth);
  outer.hasChoice ||= inner.hasChoice;
  outer.endless += inner.endless * Math.min(Math.max(1, most), FEW);
}

/** Behind the one character, class or escape that begins at `at`. */
function atomEnd(pattern: string, at: number): number {
  const rest = pattern.slice(at);
  const atom = /^(?:\\[pPu]\{[^}]*\}|\\k<[^>]*>|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^])/.exec(rest)?.[0] ?? "";
  return at + Math.max(1, atom.length);
}

/** The quantifier at a place, and how often it lets what stands before it come. */
function quantifierAt(pattern: string, at: number): readonly [quantifier: string, most: number] {
  const [quantifier = "", least, comma, most] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at)) ?? [];
  if (quantifier === "") return ["", 1];
  if (quantifier.startsWith("?")) return [quantifier, 1];
  if (least === undefined) return [quantifier, Infinity];
  if (comma === "") return [quantifier, Number(least)];
  return [quantifier, most === undefined || most === "" ? Infinity : Number(most)];
}
