import { hasOneWay } from "./pattern-ways.js";
import { readPattern, type PatternChoice, type PatternPart } from "./pattern-tree.js";

/** Steps that one test of a pattern may take at the worst, a tenth of a second: the page's thread is held meanwhile. */
export const MOST_STEPS = 3e7;
/** Steps that one more turn is worth of a repeated group, where the engine keeps the place, and of what it counts. */
const STEPS_OF_TURN = 4;
/** Lengths of text that the steps are counted for. */
const LENGTHS = [8, 32, 128, 512];
/** Numbers that may be added up for one pattern and one length, and for all patterns of a schema. */
const MOST_WORK = 2_000_000;
const MOST_WORK_OF_ALL = 8_000_000;
/** Patterns of a schema that are looked into. */
const MOST_PATTERNS = 1000;
/** What each addition is worth beside its numbers. */
const WORK_OF_STEP = 30;
/** What is repeated oftener may as well be repeated without end. */
const FEW = 8;
/** A limit beyond this is none. */
const NO_LIMIT = 1_000_000;
/** Larger numbers are all the same, and none becomes infinite. */
const LARGEST = 1e100;

/** What one pattern costs. */
interface PatternCost {
  /** Characters up to which a test of a text surely ends soon: Infinity for most, -1 where not even that of none does. */
  readonly longest: number;
  /** The steps of a test at the worst, by length of the text, the shortest first. */
  readonly samples: readonly (readonly [length: number, steps: number])[];
  /** Of the length, with which the steps grow beyond the samples. */
  readonly power: number;
}

/** Of a pattern that is tried on no text. */
const UNKNOWN: PatternCost = { longest: -1, samples: [], power: 0 };

/**
 * Finds how long a text may be for the patterns of one schema, and what it takes to hold one against it.
 *
 * Engines of browsers try one way after the other. How many ways there are is counted for a text that fits wherever it
 * could: real patterns tell characters apart and take less.
 */
export class PatternLimits {
  readonly #known = new Map<string, PatternCost>();
  #work = 0;

  /**
   * Up to how many characters of a text a regular expression surely comes to an end soon: Infinity for most, -1 for one
   * that is too much even for the empty text.
   */
  longestTextFor(pattern: string): number {
    return this.#costOf(pattern).longest;
  }

  /** The steps that holding a text of that length against the pattern takes at the worst. */
  stepsFor(pattern: string, length: number): number {
    const { samples, power } = this.#costOf(pattern);
    const sample = samples.find(([upTo]) => length <= upTo);
    if (sample !== undefined) return sample[1];
    const [upTo, steps] = samples.at(-1) ?? [1, 1];
    return Math.min(MOST_STEPS, steps * (length / upTo) ** power);
  }

  #costOf(pattern: string): PatternCost {
    const known = this.#known.get(pattern);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_PATTERNS) return UNKNOWN;
    const cost = this.#find(pattern);
    this.#known.set(pattern, cost);
    return cost;
  }

  #find(pattern: string): PatternCost {
    const tree = readPattern(pattern);
    if (tree === undefined) return UNKNOWN;
    const isAnchored = tree.branches.every(([first]) => first?.kind === "begin");
    if (this.#work < MOST_WORK_OF_ALL && hasOneWay(tree)) return costOfOneWay(tree, isAnchored);
    const samples: [number, number][] = [];
    const upTo = (longest: number, power = 0): PatternCost => ({ longest, samples, power });
    for (const length of LENGTHS) {
      const steps = this.#stepsByLength(tree, { length, isAnchored });
      if (steps === undefined) return upTo(samples.at(-1)?.[0] ?? -1);
      const tooMuch = steps.findIndex((count) => count > MOST_STEPS);
      if (tooMuch >= 0) {
        samples.push([tooMuch - 1, steps[tooMuch - 1] ?? 1]);
        return upTo(tooMuch - 1);
      }
      samples.push([length, Math.max(1, steps.at(-1) ?? 1)]);
    }
    const [longest, worst] = samples.at(-1) ?? [0, 1];
    const { least, power, multiplies } = shapeOf(tree);
    // What comes behind so many characters has hardly been counted yet.
    if (multiplies || least > longest / 2) return upTo(longest);
    const growing = power + (isAnchored ? 0 : 1);
    if (growing === 0) return upTo(Infinity);
    const reached = least + (longest - least) * (MOST_STEPS / worst) ** (1 / growing);
    return upTo(reached >= NO_LIMIT ? Infinity : Math.floor(reached), growing);
  }

  /** By length of the text, up to `length`: the steps of a whole test. Undefined where counting them is too much work. */
  #stepsByLength(tree: PatternChoice, { length, isAnchored }: Counting): number[] | undefined {
    const walk = new Walk(length, Math.min(MOST_WORK, MOST_WORK_OF_ALL - this.#work));
    try {
      walk.through(tree, walk.start());
    } catch (error) {
      if (error instanceof TooMuchWork) return undefined;
      throw error;
    } finally {
      this.#work += walk.work;
    }
    const fromBegin = sums(walk.steps);
    // Without ^ each character may be the beginning.
    return isAnchored ? fromBegin : sums(fromBegin);
  }
}

/** Where each character is taken in one way, from each beginning that there may be. */
function costOfOneWay(tree: PatternChoice, isAnchored: boolean): PatternCost {
  const steps = STEPS_OF_TURN * sizeOf(tree);
  const power = isAnchored ? 1 : 2;
  const longest = Math.floor((MOST_STEPS / steps) ** (1 / power));
  const isBounded = isAnchored && shapeOf(tree).power === 0;
  return { longest: isBounded || longest >= NO_LIMIT ? Infinity : longest, samples: [[1, steps]], power };
}

function sizeOf(part: PatternPart): number {
  switch (part.kind) {
    case "choice":
      return part.branches.flat().reduce((sum, each) => sum + sizeOf(each), part.branches.length);
    case "look":
      return 1 + sizeOf(part.body);
    case "repeat":
      return 1 + sizeOf(part.part);
    case "character":
    case "begin":
    case "assertion":
    case "reference":
      return 1;
  }
}

interface Counting {
  readonly length: number;
  readonly isAnchored: boolean;
}

interface Shape {
  /** Characters that it takes at the least. */
  readonly least: number;
  /** Of the length, with which the steps grow. */
  readonly power: number;
  /** Whether it can fit the same text in several ways. */
  readonly hasChoice: boolean;
  /** Whether each further character may multiply the steps. */
  readonly multiplies: boolean;
}

const NOTHING: Shape = { least: 0, power: 0, hasChoice: false, multiplies: false };

function shapeOf(part: PatternPart): Shape {
  switch (part.kind) {
    case "character":
      return { ...NOTHING, least: 1 };
    case "begin":
    case "assertion":
      return NOTHING;
    case "reference":
      return { ...NOTHING, power: 1, hasChoice: true };
    case "look":
      return { ...shapeOf(part.body), least: 0, hasChoice: false };
    case "choice": {
      const branches = part.branches.map((branch) => branch.map(shapeOf).reduce(oneAfterTheOther, NOTHING));
      return {
        least: Math.min(...branches.map(({ least }) => least)),
        power: Math.max(...branches.map(({ power }) => power)),
        hasChoice: branches.length > 1 || branches.some(({ hasChoice }) => hasChoice),
        multiplies: branches.some(({ multiplies }) => multiplies),
      };
    }
    case "repeat": {
      const { least, most } = part;
      const inner = shapeOf(part.part);
      const isLong = most > FEW && most !== least;
      return {
        least: inner.least * least,
        power: inner.power * Math.min(Math.max(1, most), FEW) + (isLong ? 1 : 0),
        hasChoice: inner.hasChoice || most !== least,
        multiplies: inner.multiplies || (most > FEW && inner.hasChoice),
      };
    }
  }
}

function oneAfterTheOther(before: Shape, after: Shape): Shape {
  return {
    least: before.least + after.least,
    power: before.power + after.power,
    hasChoice: before.hasChoice || after.hasChoice,
    multiplies: before.multiplies || after.multiplies,
  };
}

function sums(numbers: Iterable<number>): number[] {
  let sum = 0;
  return Array.from(numbers, (number) => (sum += number));
}

class TooMuchWork extends Error {}

/** By place in the text: the ways that lead there. */
type Ways = Float64Array;

/** Goes all ways through a pattern at once, on a text that fits wherever it could. */
class Walk {
  /** By place in the text: the steps taken there. */
  readonly steps: Ways;
  readonly #size: number;
  readonly #mostWork: number;
  work = 0;

  constructor(length: number, mostWork: number) {
    this.#size = length + 1;
    this.#mostWork = mostWork;
    this.steps = new Float64Array(this.#size);
  }

  start(): Ways {
    return this.#ways((at) => (at === 0 ? 1 : 0));
  }

  /** The ways behind a part, given those before it. */
  through(part: PatternPart, before: Ways): Ways {
    switch (part.kind) {
      case "character":
        this.#count(before);
        return this.#ways((at) => before[at - 1] ?? 0);
      case "begin":
      case "assertion":
        this.#count(before);
        return before;
      case "reference":
        return this.#characters(before, { least: 0, most: Infinity });
      case "look": {
        // It may look at what lies before, too: as if each looked at the whole text.
        const all = before.reduce((sum, ways) => sum + ways, 0);
        this.through(
          part.body,
          this.#ways((at) => (at === 0 ? all : 0)),
        );
        return before;
      }
      case "choice":
        return part.branches
          .map((branch) => {
            this.#count(before);
            return branch.reduce((ways, each) => (isNone(ways) ? ways : this.through(each, ways)), before);
          })
          .reduce((sum, ways) => this.#ways((at) => (sum[at] ?? 0) + (ways[at] ?? 0)));
      case "repeat":
        return part.part.kind === "character" ? this.#characters(before, part) : this.#turns(before, part);
    }
  }

  /** So many characters, whatever they are. */
  #characters(before: Ways, { least, most }: { readonly least: number; readonly most: number }): Ways {
    const until = [0, ...sums(before)];
    /** The ways that began between `from` and `to` characters before. */
    const began = (at: number, from: number, to: number): number =>
      from > at ? 0 : (until[at - from + 1] ?? 0) - (until[Math.max(0, at - to)] ?? 0);
    this.#count(
      this.#ways((at) => began(at, 0, most)),
      most > 1 && most !== Infinity ? STEPS_OF_TURN : 1,
    );
    return this.#ways((at) => began(at, least, most));
  }

  #turns(before: Ways, { part, least, most }: Extract<PatternPart, { kind: "repeat" }>): Ways {
    const empty = waysWithout(part);
    let behind = least === 0 ? before : new Float64Array(this.#size);
    let ways = before;
    for (let turn = 1; turn <= most && !isNone(ways); turn += 1) {
      this.#count(ways, STEPS_OF_TURN);
      const entered = ways;
      const left = this.through(part, entered);
      // A turn that takes nothing, and is not asked for, is none.
      ways = turn <= least ? left : this.#ways((at) => Math.max(0, (left[at] ?? 0) - empty * (entered[at] ?? 0)));
      const sum = behind;
      const added = ways;
      if (turn >= least) behind = this.#ways((at) => (sum[at] ?? 0) + (added[at] ?? 0));
    }
    return behind;
  }

  #count(ways: Ways, times = 1): void {
    this.#spend();
    ways.forEach((count, at) => {
      this.steps[at] = (this.steps[at] ?? 0) + count * times;
    });
  }

  #ways(count: (at: number) => number): Ways {
    this.#spend();
    const ways = new Float64Array(this.#size);
    // `Float64Array.from` takes ten times as long, and the page waits for all of it.
    for (let at = 0; at < this.#size; at += 1) ways[at] = Math.min(count(at), LARGEST);
    return ways;
  }

  #spend(): void {
    this.work += this.#size + WORK_OF_STEP;
    if (this.work > this.#mostWork) throw new TooMuchWork();
  }
}

function isNone(ways: Ways): boolean {
  return ways.every((count) => count === 0);
}

/** In how many ways a part takes no character. */
function waysWithout(part: PatternPart): number {
  switch (part.kind) {
    case "character":
      return 0;
    case "begin":
    case "assertion":
    case "reference":
    case "look":
      return 1;
    case "choice":
      return part.branches
        .map((branch) => branch.reduce((ways, each) => Math.min(ways * waysWithout(each), LARGEST), 1))
        .reduce((sum, ways) => sum + ways);
    case "repeat":
      return part.least === 0 ? 1 : Math.min(waysWithout(part.part) ** part.least, LARGEST);
  }
}
