import type { JsonSchema } from "../json-schema.js";
import { MOST_STEPS } from "./patterns.js";
import { isSchemaObject } from "./subschemas.js";

/** Parts of a schema that are held against one piece of a value: a tenth of a second. */
const MOST_VISITS = 100_000;
/** Milliseconds after which a piece whose patterns may have taken so many steps has taken them. */
const MOST_TIME = 100;
/** Entries of a schema's lists and objects (`enum`, `required`, `properties`) that count as one visit. */
const ENTRIES_A_VISIT = 50;
/** Items of a list that are compared with each other; the same times the values that the list consists of. */
const MOST_COMPARED = 3000;
const MOST_COMPARISONS = 10_000_000;
/** Comparisons that count as one visit. */
const COMPARISONS_A_VISIT = 200;
/** Lists of fewer items are no matter where others are long. */
const SHORT_LIST = 30;

/** The schema has too many ways to fit, or the value is too large for it: whether it fits is not found out. */
export class EndlessSchemaError extends Error {
  override readonly name = "EndlessSchemaError";
}

/** @throws {EndlessSchemaError} */
export function tooLong(): never {
  throw new EndlessSchemaError("holding a value against it takes too long");
}

/** What holding a piece of a value against a schema has taken. */
export interface Spent {
  visits: number;
  steps: number;
}

/** Counts how often parts of a schema are looked at, what comparing the items of lists takes, and what patterns do. */
export class ValidationWork {
  spent: Spent = { visits: 0, steps: 0 };
  #sizes: Measures = NOTHING_MEASURED;
  #isCounting = false;
  #allowed = MOST_STEPS;
  #began = 0;

  /** Counts from now on, for a value of such sizes. */
  begin(sizes: Measures): void {
    this.spent = { visits: 0, steps: 0 };
    this.#sizes = sizes;
    this.#allowed = MOST_STEPS;
    this.#began = performance.now();
    this.#isCounting = true;
  }

  stopCounting(): void {
    this.#isCounting = false;
  }

  /**
   * The library asks every schema that it applies for `$recursiveAnchor`, a keyword of an older draft, and for those that
   * it has: counted there, its work has an end.
   *
   * @param stepsOf - holding a text of that length against the pattern.
   */
  counting(schema: JsonSchema, stepsOf: (pattern: string, length: number) => number): JsonSchema {
    const { pattern, patternProperties } = schema;
    const visits = 1 + entriesIn(schema) / ENTRIES_A_VISIT;
    if (typeof pattern === "string") {
      this.#define(schema, "pattern", pattern, () => stepsOf(pattern, this.#sizes.longestText));
    }
    if (isSchemaObject(patternProperties)) {
      const patterns = Object.keys(patternProperties);
      let [counted, steps] = [NOTHING_MEASURED, 0];
      this.#define(schema, "patternProperties", patternProperties, () => {
        if (counted === this.#sizes) return steps;
        counted = this.#sizes;
        // Which of the value's objects it is held against is not known here: as if it had all keys.
        const lengths = [...counted.keyLengths];
        const stepsFor = (pattern: string): number =>
          lengths.reduce((sum, [length, count]) => sum + count * stepsOf(pattern, length), 0);
        steps = patterns.reduce((sum, pattern) => sum + stepsFor(pattern), 0);
        return steps;
      });
    }
    return Object.defineProperty(schema, "$recursiveAnchor", {
      get: () => {
        this.#spend(visits);
      },
    });
  }

  #define(schema: JsonSchema, keyword: string, value: unknown, steps: () => number): void {
    Object.defineProperty(schema, keyword, {
      enumerable: true,
      get: () => {
        if (this.#isCounting) this.#spendSteps(steps());
        return value;
      },
    });
  }

  /** Schemas that have `uniqueItems` for lists that are not too long, and count it as what it takes at the most. */
  uniqueItems(): JsonSchema[] {
    const unique = (comparisons: () => number): JsonSchema =>
      Object.defineProperty({}, "uniqueItems", {
        get: () => {
          this.#spend(comparisons() / COMPARISONS_A_VISIT);
          return true;
        },
      });
    const notTooLong = { type: "array", minItems: SHORT_LIST };
    return [
      {
        if: { type: "array", maxItems: SHORT_LIST - 1 },
        then: unique(() => this.#sizes.lists.comparisonsOfShort),
      },
      {
        if: Object.defineProperty(notTooLong, "maxItems", { get: () => this.#sizes.lists.longest }),
        then: unique(() => this.#sizes.lists.comparisons),
      },
    ];
  }

  #spend(visits: number): void {
    if (!this.#isCounting) return;
    this.spent.visits += visits;
    if (this.spent.visits > MOST_VISITS) tooLong();
  }

  /**
   * A piece has as many steps as one test of a pattern. They are what patterns may take at the worst: where they were quick
   * all the same, it has as many again.
   */
  #spendSteps(steps: number): void {
    this.spent.steps += steps;
    if (this.spent.steps <= this.#allowed) return;
    if (steps > MOST_STEPS || performance.now() - this.#began > MOST_TIME) tooLong();
    this.#allowed = this.spent.steps + MOST_STEPS;
  }
}

/** Entries of the lists and objects that the library goes through each time. */
function entriesIn(schema: JsonSchema): number {
  return Object.entries(schema).reduce((sum, [keyword, value]) => {
    if (keyword === "enum" || keyword === "const") return sum + partsOf(value);
    if (typeof value !== "object" || value === null) return sum;
    return sum + Object.keys(value).length;
  }, 0);
}

/** What comparing the items of a value's lists takes at the most. */
interface ListSizes {
  /** Items of the longest list whose items may be compared, whatever they are. */
  readonly longest: number;
  readonly comparisons: number;
  readonly comparisonsOfShort: number;
}

export interface Measures {
  /** Characters. */
  readonly longestKey: number;
  /** The same, of keys as well. */
  readonly longestText: number;
  /** How many keys have so many characters. */
  readonly keyLengths: ReadonlyMap<number, number>;
  readonly lists: ListSizes;
}

const NOTHING_MEASURED: Measures = {
  longestKey: 0,
  longestText: 0,
  keyLengths: new Map(),
  lists: { longest: MOST_COMPARED, comparisons: 0, comparisonsOfShort: 0 },
};

export function measure(instance: unknown): Measures {
  let longestText = 0;
  const keyLengths = new Map<number, number>();
  const lists: { readonly length: number; readonly comparisons: number }[] = [];
  const partsIn = (part: unknown): number => {
    if (typeof part === "string") longestText = Math.max(longestText, part.length);
    if (typeof part !== "object" || part === null) return 1;
    let parts = 1;
    const isList = Array.isArray(part);
    for (const [key, item] of Object.entries(part)) {
      if (!isList) keyLengths.set(key.length, (keyLengths.get(key.length) ?? 0) + 1);
      parts += partsIn(item);
    }
    if (isList) lists.push({ length: part.length, comparisons: part.length * parts });
    return parts;
  };
  partsIn(instance);
  const longestKey = Math.max(0, ...keyLengths.keys());
  let longest = MOST_COMPARED;
  for (const { length, comparisons } of lists) {
    if (comparisons > MOST_COMPARISONS) longest = Math.min(longest, length - 1);
  }
  const most = (isMeant: (length: number) => boolean): number =>
    lists.reduce((sum, { length, comparisons }) => (isMeant(length) ? Math.max(sum, comparisons) : sum), 0);
  return {
    longestKey,
    longestText: Math.max(longestText, longestKey),
    keyLengths,
    lists: {
      longest,
      comparisons: most((length) => length >= SHORT_LIST && length <= longest),
      comparisonsOfShort: most((length) => length < SHORT_LIST),
    },
  };
}

/** The values that a value of JSON consists of. */
function partsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + partsOf(part), 1);
}
