import { Validator, type OutputUnit, type Schema } from "@cfworker/json-schema";

import type { Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { explain, type SchemaMismatch } from "./explain.js";
import { BYTES_KEY, holdsBytes, jsonInstance } from "./instance.js";
import { PatternLimits } from "./patterns.js";
import { isSchemaObject, mapSchemas } from "./subschemas.js";

/** Parts of a schema that are held against one value, at the least; a larger value is given more. */
const MOST_VISITS = 200_000;
const VISITS_A_PART = 200;
const MOST_VISITS_OF_ALL = 5_000_000;
/** Items of a list that are compared with each other; the same times the values that the list consists of. */
const MOST_COMPARED = 3000;
const MOST_COMPARISONS = 10_000_000;
/** Comparisons that count as one visit. */
const COMPARISONS_A_VISIT = 100;
/** Lists of fewer items are no matter where others are long. */
const SHORT_LIST = 30;
/** Characters of a key where keys are held against patterns that could take long with more. */
const LONGEST_KEY = 600;

/** The schema has too many ways to fit, or the value is too large for it: whether it fits is not found out. */
class EndlessSchemaError extends Error {
  override readonly name = "EndlessSchemaError";
}

/**
 * Holds values against one JSON Schema of draft 2020-12.
 *
 * `format` is an annotation, as the draft has it by default. A pattern that the engine does not know is not looked at;
 * nor is one that could take long with a text of that length. Whoever wrote the schema, the page's thread is not held:
 * the parts that are looked at are counted.
 */
export class SchemaValidator {
  readonly #schema: JsonSchema | boolean;
  readonly #validator: Validator;
  readonly #visits = new Visits();
  readonly #patterns = new PatternLimits();
  #limitsKeys = false;

  constructor(schema: JsonSchema | boolean) {
    this.#schema = mapSchemas(schema, (part) => this.#visits.counting(this.#checkable(part)));
    this.#validator = new Validator(this.#schema as Schema | boolean, "2020-12", false);
  }

  /**
   * What does not fit, if anything.
   *
   * @throws {Error} when the schema itself cannot be used: a reference leads nowhere, or in a circle.
   * @throws {EndlessSchemaError}
   */
  check(value: Value): SchemaMismatch | undefined {
    const instance = jsonInstance(value);
    const { parts, longestKey, lists } = measure(instance);
    if (this.#limitsKeys && longestKey > LONGEST_KEY) {
      throw new EndlessSchemaError(
        `a key has more than ${String(LONGEST_KEY)} characters, which is too long for its patterns of keys`,
      );
    }
    this.#visits.allow(Math.min(MOST_VISITS + VISITS_A_PART * parts, MOST_VISITS_OF_ALL), lists);
    const { valid, errors } = this.#validate(instance);
    return valid ? undefined : this.#explain(errors, value);
  }

  #validate(instance: unknown): ReturnType<Validator["validate"]> {
    try {
      return this.#validator.validate(instance);
    } catch (error) {
      // Of the stack: the library goes deeper with each reference, and hands the failures of all ways on at once.
      if (error instanceof RangeError)
        throw new EndlessSchemaError("its references lead in a circle, or it has too many ways to fit");
      throw error;
    }
  }

  #explain(errors: readonly OutputUnit[], value: Value): SchemaMismatch {
    return explain(errors, { schema: this.#schema, value });
  }

  /** The schema as the library is to see it. */
  #checkable(schema: JsonSchema): JsonSchema {
    const kept = Object.entries(schema).filter(([keyword, value]) => isChecked(keyword, value));
    const checked = this.#withKeyPatterns(this.#withBounds(Object.fromEntries(kept)));
    return holdsBytes(schema) ? { anyOf: [checked, { type: "object", required: [BYTES_KEY] }] } : checked;
  }

  /** What could take long is held only against texts and lists that are short enough. */
  #withBounds({ pattern, uniqueItems, ...schema }: JsonSchema): JsonSchema {
    const bounded: JsonSchema[] = [];
    const maxLength = typeof pattern === "string" ? this.#patterns.longestTextFor(pattern) : Infinity;
    if (maxLength >= 0 && maxLength !== Infinity) bounded.push({ if: { maxLength }, then: { pattern } });
    if (uniqueItems === true) bounded.push(...this.#visits.uniqueItems());
    return {
      ...schema,
      ...(typeof pattern === "string" && maxLength === Infinity ? { pattern } : {}),
      ...(bounded.length === 0 ? {} : { allOf: [...listOf(schema.allOf), ...bounded] }),
    };
  }

  /** Where a pattern of keys cannot be looked at, it is not known either which keys are one too many. */
  #withKeyPatterns({ patternProperties, ...schema }: JsonSchema): JsonSchema {
    if (!isSchemaObject(patternProperties)) return schema;
    const all = Object.entries(patternProperties).map(
      ([pattern, part]) => [pattern, part, isPattern(pattern) ? this.#patterns.longestTextFor(pattern) : -1] as const,
    );
    const known = all.filter(([, , longest]) => longest >= LONGEST_KEY);
    this.#limitsKeys ||= known.some(([, , longest]) => longest !== Infinity);
    const rest = Object.entries(schema).filter(
      ([keyword]) => known.length === all.length || !/^(?:additional|unevaluated)Properties$/.test(keyword),
    );
    return {
      ...Object.fromEntries(rest),
      patternProperties: Object.fromEntries(known.map(([pattern, part]) => [pattern, part])),
    };
  }
}

/** Counts how often parts of a schema are looked at, and what comparing the items of lists takes. */
class Visits {
  #left = Infinity;
  #lists: ListSizes = { longest: MOST_COMPARED, comparisons: 0, comparisonsOfShort: 0 };

  /** Allows so many from now on, for a value with such lists. */
  allow(count: number, lists: ListSizes): void {
    this.#left = count;
    this.#lists = lists;
  }

  /**
   * The library asks every schema that it applies for `$recursiveAnchor`, a keyword of an older draft: counted there,
   * its work has an end.
   */
  counting(schema: JsonSchema): JsonSchema {
    return Object.defineProperty(schema, "$recursiveAnchor", {
      get: () => {
        this.#spend(1);
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
        then: unique(() => this.#lists.comparisonsOfShort),
      },
      {
        if: Object.defineProperty(notTooLong, "maxItems", { get: () => this.#lists.longest }),
        then: unique(() => this.#lists.comparisons),
      },
    ];
  }

  #spend(visits: number): void {
    this.#left -= visits;
    if (this.#left < 0) throw new EndlessSchemaError("holding a value against it takes too long");
  }
}

/** What comparing the items of a value's lists takes at the most. */
interface ListSizes {
  /** Items of the longest list whose items may be compared, whatever they are. */
  readonly longest: number;
  readonly comparisons: number;
  readonly comparisonsOfShort: number;
}

interface Measures {
  /** The values that a value consists of. */
  readonly parts: number;
  /** Characters. */
  readonly longestKey: number;
  readonly lists: ListSizes;
}

function measure(instance: unknown): Measures {
  let longestKey = 0;
  const lists: { readonly length: number; readonly comparisons: number }[] = [];
  const partsOf = (part: unknown): number => {
    if (typeof part !== "object" || part === null) return 1;
    let parts = 1;
    for (const [key, item] of Object.entries(part)) {
      longestKey = Math.max(longestKey, key.length);
      parts += partsOf(item);
    }
    if (Array.isArray(part)) lists.push({ length: part.length, comparisons: part.length * parts });
    return parts;
  };
  const parts = partsOf(instance);
  let longest = MOST_COMPARED;
  for (const { length, comparisons } of lists) {
    if (comparisons > MOST_COMPARISONS) longest = Math.min(longest, length - 1);
  }
  const most = (isMeant: (length: number) => boolean): number =>
    lists.reduce((sum, { length, comparisons }) => (isMeant(length) ? Math.max(sum, comparisons) : sum), 0);
  return {
    parts,
    longestKey,
    lists: {
      longest,
      comparisons: most((length) => length >= SHORT_LIST && length <= longest),
      comparisonsOfShort: most((length) => length < SHORT_LIST),
    },
  };
}

function listOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly JsonSchema[]) : [];
}

function isChecked(keyword: string, value: unknown): boolean {
  if (keyword === "format" || keyword === "default" || keyword === "examples") return false;
  // Where a schema came from is of no use here, and `id` is a name of drafts long gone.
  if (keyword === "id") return typeof value !== "string";
  if (keyword === "$recursiveAnchor") return false;
  return keyword !== "pattern" || (typeof value === "string" && isPattern(value));
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}
