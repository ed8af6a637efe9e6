import { Validator, type OutputUnit, type Schema } from "@cfworker/json-schema";

import type { Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { explain, type SchemaMismatch } from "./explain.js";
import { BYTES_KEY, holdsBytes, jsonInstance } from "./instance.js";
import { longestTextFor } from "./patterns.js";
import { isSchemaObject, mapSchemas } from "./subschemas.js";

/** Parts of a schema that are held against one value, at the least; a larger value is given more. */
const MOST_VISITS = 200_000;
const VISITS_A_PART = 200;
const MOST_VISITS_OF_ALL = 5_000_000;
/** Items of a list that are compared with each other. */
const MOST_COMPARED = 3000;
/** Characters of a key where keys are held against patterns. */
const LONGEST_KEY = 600;

/** The schema has too many ways to fit, or the value is too large for it: whether it fits is not found out. */
export class EndlessSchemaError extends Error {
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
  #hasKeyPatterns = false;

  constructor(schema: JsonSchema | boolean) {
    this.#schema = mapSchemas(schema, (part) => {
      this.#hasKeyPatterns ||= part.patternProperties !== undefined;
      return this.#visits.counting(checkable(part));
    });
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
    const { parts, longestKey } = measure(instance);
    if (this.#hasKeyPatterns && longestKey > LONGEST_KEY) {
      throw new EndlessSchemaError(`a key has more than ${String(LONGEST_KEY)} characters`);
    }
    this.#visits.allow(Math.min(MOST_VISITS + VISITS_A_PART * parts, MOST_VISITS_OF_ALL));
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
}

/** Counts how often parts of a schema are looked at. */
class Visits {
  #left = Infinity;

  /** Allows so many from now on. */
  allow(count: number): void {
    this.#left = count;
  }

  /**
   * The library asks every schema that it applies for `$recursiveAnchor`, a keyword of an older draft: counted there,
   * its work has an end.
   */
  counting(schema: JsonSchema): JsonSchema {
    return Object.defineProperty(schema, "$recursiveAnchor", {
      get: () => {
        this.#left -= 1;
        if (this.#left < 0) throw new EndlessSchemaError("holding a value against it takes too long");
      },
    });
  }
}

/** The values that a value consists of, and the characters of the longest key. */
function measure(instance: unknown): { readonly parts: number; readonly longestKey: number } {
  let parts = 0;
  let longestKey = 0;
  const waiting = [instance];
  while (waiting.length > 0) {
    const part = waiting.pop();
    parts += 1;
    if (typeof part !== "object" || part === null) continue;
    for (const [key, item] of Object.entries(part)) {
      longestKey = Math.max(longestKey, key.length);
      waiting.push(item);
    }
  }
  return { parts, longestKey };
}

/** The schema as the library is to see it. */
function checkable(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword, value]) => isChecked(keyword, value));
  const checked = withKeyPatterns(withBounds(Object.fromEntries(kept)));
  return holdsBytes(schema) ? { anyOf: [checked, { type: "object", required: [BYTES_KEY] }] } : checked;
}

/** What could take long is held only against texts and lists that are short enough. */
function withBounds({ pattern, uniqueItems, ...schema }: JsonSchema): JsonSchema {
  const bounded: JsonSchema[] = [];
  const maxLength = typeof pattern === "string" ? longestTextFor(pattern) : Infinity;
  if (maxLength !== Infinity) bounded.push({ if: { maxLength }, then: { pattern } });
  // Each item is compared with each.
  if (uniqueItems === true) bounded.push({ if: { maxItems: MOST_COMPARED }, then: { uniqueItems } });
  return {
    ...schema,
    ...(typeof pattern === "string" && maxLength === Infinity ? { pattern } : {}),
    ...(bounded.length === 0 ? {} : { allOf: [...listOf(schema.allOf), ...bounded] }),
  };
}

function listOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly JsonSchema[]) : [];
}

/** Where a pattern of keys cannot be looked at, it is not known either which keys are one too many. */
function withKeyPatterns({ patternProperties, ...schema }: JsonSchema): JsonSchema {
  if (!isSchemaObject(patternProperties)) return schema;
  const all = Object.entries(patternProperties);
  const known = all.filter(([pattern]) => isPattern(pattern) && longestTextFor(pattern) >= LONGEST_KEY);
  const rest = Object.entries(schema).filter(
    ([keyword]) => known.length === all.length || !/^(?:additional|unevaluated)Properties$/.test(keyword),
  );
  return { ...Object.fromEntries(rest), patternProperties: Object.fromEntries(known) };
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
