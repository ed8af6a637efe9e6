import { areDisjoint, type CharacterSet } from "./character-set.js";
import type { PatternChoice, PatternPart } from "./pattern-tree.js";

/** Ranges of characters that are compared with others, for one pattern. */
const MOST_COMPARED = 20_000;

/**
 * Whether a text leads through a pattern in one way at the most, whichever text it is: no two characters of the pattern
 * that may come next have one in common. An engine that tries all ways is then soon done.
 *
 * These are the "one-unambiguous" expressions of Brüggemann-Klein and Wood, in the strong sense: of two loops that lead
 * to the same character, as in `(a+)+`, each is a way of its own.
 */
export function hasOneWay(pattern: PatternChoice): boolean {
  try {
    new Ways().of(pattern);
    return true;
  } catch (error) {
    if (error instanceof SeveralWays) return false;
    throw error;
  }
}

class SeveralWays extends Error {}

/** A character of the pattern, with all those that may come behind it. */
interface Position {
  readonly characters: CharacterSet;
  readonly next: Position[];
}

interface Section {
  /** It may take nothing. */
  readonly isOptional: boolean;
  readonly first: readonly Position[];
  readonly last: readonly Position[];
}

const EMPTY: Section = { isOptional: true, first: [], last: [] };

class Ways {
  #compared = 0;

  of(part: PatternPart): Section {
    switch (part.kind) {
      case "character": {
        const position: Position = { characters: part.characters, next: [] };
        return { isOptional: false, first: [position], last: [position] };
      }
      case "begin":
      case "assertion":
        return EMPTY;
      case "reference":
      case "look":
        throw new SeveralWays();
      case "choice":
        return this.#choice(part.branches.map((branch) => this.#sequence(branch)));
      case "repeat":
        return this.#repeat(part);
    }
  }

  #sequence(parts: readonly PatternPart[]): Section {
    return parts.reduce<Section>((before, part) => {
      const after = this.of(part);
      this.#connect(before.last, after.first);
      return {
        isOptional: before.isOptional && after.isOptional,
        first: before.isOptional ? this.#apart(before.first, after.first) : before.first,
        last: after.isOptional ? [...before.last, ...after.last] : after.last,
      };
    }, EMPTY);
  }

  #choice(branches: readonly Section[]): Section {
    if (branches.filter(({ isOptional }) => isOptional).length > 1) throw new SeveralWays();
    return {
      isOptional: branches.some(({ isOptional }) => isOptional),
      first: branches.reduce<readonly Position[]>((all, { first }) => this.#apart(all, first), []),
      last: branches.flatMap(({ last }) => last),
    };
  }

  #repeat({ part, least, most }: Extract<PatternPart, { kind: "repeat" }>): Section {
    const inner = this.of(part);
    if (most === 0) return EMPTY;
    // Nothing could be taken by a turn that takes nothing, or by no turn.
    if (inner.isOptional && (most > 1 || least === 0)) throw new SeveralWays();
    if (most > 1) this.#connect(inner.last, inner.first);
    return { ...inner, isOptional: inner.isOptional || least === 0 };
  }

  #connect(before: readonly Position[], after: readonly Position[]): void {
    for (const position of before) {
      this.#apart(position.next, after);
      position.next.push(...after);
    }
  }

  #apart(some: readonly Position[], others: readonly Position[]): readonly Position[] {
    this.#compared += rangesIn(some) * rangesIn(others) + others.length;
    if (this.#compared > MOST_COMPARED) throw new SeveralWays();
    const areApart = some.every((one) => others.every((other) => areDisjoint(one.characters, other.characters)));
    if (!areApart) throw new SeveralWays();
    return [...some, ...others];
  }
}

function rangesIn(positions: readonly Position[]): number {
  return positions.reduce((sum, { characters }) => sum + characters.length, 0);
}
