import { Validator, type OutputUnit, type Schema } from "@cfworker/json-schema";

import type { Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { explain, type SchemaMismatch } from "./explain.js";
import { BYTES_KEY, jsonInstance } from "./instance.js";
import { isSchemaObject, mapSchemas } from "./subschemas.js";

/**
 * Holds values against one JSON Schema of draft 2020-12.
 *
 * `format` is an annotation, as the draft has it by default. A pattern that the engine does not know is not looked at.
 */
export class SchemaValidator {
  readonly #schema: JsonSchema | boolean;
  readonly #validator: Validator;

  constructor(schema: JsonSchema | boolean) {
    this.#schema = mapSchemas(schema, checkable);
    this.#validator = new Validator(this.#schema as Schema | boolean, "2020-12", false);
  }

  /**
   * What does not fit, if anything.
   *
   * @throws {Error} when the schema itself cannot be used: a reference leads nowhere, or in a circle.
   */
  check(value: Value): SchemaMismatch | undefined {
    const { valid, errors } = this.#validator.validate(jsonInstance(value));
    return valid ? undefined : this.#explain(errors, value);
  }

  #explain(errors: readonly OutputUnit[], value: Value): SchemaMismatch {
    return explain(errors, { schema: this.#schema, value });
  }
}

/** The schema as the library is to see it. */
function checkable(schema: JsonSchema): JsonSchema | boolean {
  const kept = Object.entries(schema).filter(([keyword, value]) => isChecked(keyword, value));
  const entries = kept.map(([keyword, value]) => [keyword, checkedValue(keyword, value)] as const);
  const checked: JsonSchema = Object.fromEntries(entries);
  return holdsBytes(schema) ? { anyOf: [checked, { type: "object", required: [BYTES_KEY] }] } : checked;
}

function isChecked(keyword: string, value: unknown): boolean {
  if (keyword === "format" || keyword === "default" || keyword === "examples") return false;
  // Where a schema came from is of no use here, and `id` is a name of drafts long gone.
  if (keyword === "id") return typeof value !== "string";
  return keyword !== "pattern" || (typeof value === "string" && isPattern(value));
}

function checkedValue(keyword: string, value: unknown): unknown {
  if (keyword !== "patternProperties" || !isSchemaObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([pattern]) => isPattern(pattern)));
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

/** Whether the schema means a body of bytes: a string in JSON Schema's eyes. */
function holdsBytes({ type, format, contentMediaType, contentEncoding }: JsonSchema): boolean {
  if (type !== "string") return false;
  return format === "binary" || (typeof contentMediaType === "string" && contentEncoding === undefined);
}
