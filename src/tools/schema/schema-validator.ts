import { dereference, validate, type Schema } from "@cfworker/json-schema";

import { isOpaque, isRecord, pythonTypeOf, Slices, stepped, type Steps, type Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { explain, type SchemaMismatch } from "./explain.js";
import { BYTES_KEY, holdsBytes, jsonInstance } from "./instance.js";
import { PatternLimits } from "./patterns.js";
import { isLargerThan, PIECE, piecesOf } from "./pieces.js";
import { countSchemas, isSchemaObject, mapSchemaSteps } from "./subschemas.js";
import { schemaInWords } from "./words.js";
import { EndlessSchemaError, measure, tooLong, ValidationWork, type Spent } from "./validation-work.js";

/** What may be spent on all pieces of a value, between which the page has its turn. */
const MOST_OF_ALL: Readonly<Spent> = { visits: 1e7, steps: 1e10 };
/** Schemas in one that are made ready in one go, and those that it may have: the library makes its list of them in one go. */
const SCHEMAS_AT_ONCE = 500;
const MOST_SCHEMAS = 10_000;
/** Failures of which the one is chosen that is told. */
const MOST_ERRORS = 2000;
/** Characters of a key where keys are held against patterns that could take long with more. */
const LONGEST_KEY = 600;

/**
 * Holds values against one JSON Schema of draft 2020-12.
 *
 * `format` is an annotation, as the draft has it by default. A pattern that the engine does not know is not looked at;
 * nor is one that could take long with a text of that length. Whoever wrote the schema, the page's thread is not held:
 * the parts that are looked at are counted, and a large value is taken apart.
 */
export class SchemaValidator {
  #schema: JsonSchema | boolean = true;
  #lookup: ReturnType<typeof dereference> = {};
  readonly #work = new ValidationWork();
  readonly #patterns = new PatternLimits();
  #limitsKeys = false;

  private constructor() {
    // See `of`.
  }

  /**
   * The validator of a schema. It is there at once for all but large schemas, for which the page goes on meanwhile.
   *
   * @throws {EndlessSchemaError} when there are too many schemas in it.
   * @throws {Error} when it names something twice.
   */
  static of(schema: JsonSchema | boolean): SchemaValidator | Promise<SchemaValidator> {
    const count = countSchemas(schema, MOST_SCHEMAS);
    if (count > MOST_SCHEMAS) {
      throw new EndlessSchemaError(`it has more than ${MOST_SCHEMAS.toLocaleString("en-US")} schemas in it`);
    }
    const validator = new SchemaValidator();
    const preparation = validator.#prepare(schema);
    if (count > SCHEMAS_AT_ONCE) return stepped(preparation, new Slices());
    for (;;) {
      const step = preparation.next();
      if (step.done === true) return step.value;
    }
  }

  *#prepare(schema: JsonSchema | boolean): Steps<this> {
    this.#schema = yield* mapSchemaSteps(schema, (part) => this.#counting(this.#checkable(part)));
    yield;
    this.#lookup = dereference(this.#schema as Schema | boolean);
    return this;
  }

  /**
   * What does not fit, if anything. The answer comes at once for all but large values.
   *
   * @throws {Error} when the schema itself cannot be used: a reference leads nowhere, or in a circle.
   * @throws {EndlessSchemaError}
   */
  check(value: Value): SchemaMismatch | undefined | Promise<SchemaMismatch | undefined> {
    return (
      this.#objectAmongArguments(value) ??
      (isLargerThan(PIECE, value) ? this.#checkInPieces(value) : this.#checkAtOnce(this.#schema, value))
    );
  }

  /** An object of Python that has no counterpart crosses as a record, which no schema of a type means. */
  #objectAmongArguments(value: Value): SchemaMismatch | undefined {
    const { properties } = isSchemaObject(this.#schema) ? this.#schema : {};
    if (!isRecord(value) || !isSchemaObject(properties)) return undefined;
    for (const [name, schema] of Object.entries(properties)) {
      const argument = Object.hasOwn(value, name) ? value[name] : undefined;
      if (!isOpaque(argument) || !isSchemaObject(schema) || schema.type === undefined) continue;
      const kind = pythonTypeOf(argument) ?? "object";
      return {
        path: [name],
        reason: `must be ${schemaInWords(schema)}, and a ${kind} is none that could be handed over`,
      };
    }
    return undefined;
  }

  async #checkInPieces(whole: Value): Promise<SchemaMismatch | undefined> {
    const slices = new Slices();
    const left: Spent = { ...MOST_OF_ALL };
    for (const { schema, value, meant, pathInWhole } of piecesOf(this.#schema, whole)) {
      const mismatch = this.#checkAtOnce(schema, value, meant);
      if (mismatch !== undefined) return { ...mismatch, path: pathInWhole(mismatch.path) };
      left.visits -= this.#work.spent.visits;
      left.steps -= this.#work.spent.steps;
      if (left.visits < 0 || left.steps < 0) tooLong();
      await slices.rest();
    }
    return undefined;
  }

  #checkAtOnce(schema: JsonSchema | boolean, value: Value, meant = value): SchemaMismatch | undefined {
    const instance = jsonInstance(value);
    const sizes = measure(instance);
    if (this.#limitsKeys && sizes.longestKey > LONGEST_KEY) {
      throw new EndlessSchemaError(
        `a key has more than ${String(LONGEST_KEY)} characters, which is too long for its patterns of keys`,
      );
    }
    this.#work.begin(sizes);
    try {
      const { valid, errors } = validate(instance, schema as Schema | boolean, "2020-12", this.#lookup, false);
      if (valid) return undefined;
      this.#work.stopCounting();
      // The first says enough, and telling it takes all of them together.
      return explain(errors.slice(0, MOST_ERRORS), { schema, root: this.#schema, value: meant });
    } catch (error) {
      // Of the stack: the library goes deeper with each reference, and hands the failures of all ways on at once.
      if (error instanceof RangeError)
        throw new EndlessSchemaError("its references lead in a circle, or it has too many ways to fit");
      throw error;
    }
  }

  /** The schema as the library is to see it. */
  #checkable(schema: JsonSchema): JsonSchema {
    const kept = Object.entries(schema).filter(([keyword, value]) => isChecked(keyword, value));
    const checked = this.#withKeyPatterns(this.#withBounds(Object.fromEntries(kept)));
    return holdsBytes(schema) ? { anyOf: [checked, { type: "object", required: [BYTES_KEY] }] } : checked;
  }

  #counting(schema: JsonSchema): JsonSchema {
    return this.#work.counting(schema, (pattern, length) => this.#patterns.stepsFor(pattern, length));
  }

  /** What could take long is held only against texts and lists that are short enough. */
  #withBounds({ pattern, uniqueItems, ...schema }: JsonSchema): JsonSchema {
    const bounded: JsonSchema[] = [];
    const maxLength = typeof pattern === "string" ? this.#patterns.longestTextFor(pattern) : Infinity;
    if (maxLength >= 0 && maxLength !== Infinity)
      bounded.push({ if: { maxLength }, then: this.#counting({ pattern }) });
    if (uniqueItems === true) bounded.push(...this.#work.uniqueItems());
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
