import { z } from "zod";

import type { Value } from "../protocol/index.js";

import type { JsonSchema } from "./json-schema.js";
import type { JsonSchemaType } from "./json-schema-type.js";
import {
  checkSchema,
  isStandardSchema,
  issuePath,
  jsonSchemaOf,
  pathText,
  type SchemaMismatch,
  type StandardResult,
  type StandardSchema,
} from "./schema/index.js";

/** A schema as a page may write it: zod's, that of another library with Standard Schema, or plain JSON Schema. */
export type ValueSchema = StandardSchema | JsonSchema;

/** What a schema makes of a value. Of JSON Schema what {@link JsonSchemaType} understands. */
export type SchemaOutput<S> =
  S extends StandardSchema<unknown, infer Output>
    ? Output
    : S extends { readonly properties: Readonly<Record<string, object>> }
      ? string extends keyof S["properties"]
        ? Readonly<Record<string, Value>>
        : JsonSchemaType<S & { readonly type: "object" }>
      : Readonly<Record<string, Value>>;

/** What a schema is given. */
export type SchemaInput<S> = S extends StandardSchema<infer Input> ? Input : Value;

/** Either the value that came out, or what is wrong. */
export type Parsed = { readonly value: unknown } | { readonly reason: string; readonly parameter?: string };

/** The schema as JSON Schema. Where its library cannot say it, all that is known is that it may be anything. */
export function asJsonSchema(schema: ValueSchema, side: "input" | "output"): JsonSchema {
  if (!isStandardSchema(schema)) return schema;
  // What cannot be said in JSON Schema (a date, a custom check) is left open there and checked by zod all the same.
  if (schema instanceof z.ZodType) return z.toJSONSchema(schema, { io: side, unrepresentable: "any" }) as JsonSchema;
  return jsonSchemaOf(schema, side) ?? { ...(side === "input" ? ANY_ARGUMENTS : {}) };
}

const ANY_ARGUMENTS: JsonSchema = { type: "object", additionalProperties: true };

/**
 * Holds a value against the schema. A library's own schema may change it (defaults, transforms); JSON Schema leaves it.
 *
 * @throws {Error} when a JSON Schema cannot be used.
 */
export function parseValue(schema: ValueSchema, value: Value): Parsed | Promise<Parsed> {
  if (!isStandardSchema(schema)) {
    const checked = checkSchema(schema, value);
    return checked instanceof Promise
      ? checked.then((mismatch) => parsedOf(value, mismatch))
      : parsedOf(value, checked);
  }
  const result = schema["~standard"].validate(value);
  return result instanceof Promise ? result.then(parsedByLibrary) : parsedByLibrary(result);
}

function parsedOf(value: Value, mismatch: SchemaMismatch | undefined): Parsed {
  if (mismatch === undefined) return { value };
  return misfit(mismatch.path, (location) => (location === "" ? mismatch.reason : `'${location}' ${mismatch.reason}`));
}

function parsedByLibrary(result: StandardResult<unknown>): Parsed {
  if (result.issues === undefined) return { value: result.value };
  const [issue] = result.issues;
  const message = issue?.message ?? "it does not fit";
  return misfit(issue === undefined ? [] : issuePath(issue), (location) =>
    location === "" ? message : `'${location}': ${message}`,
  );
}

function misfit(path: readonly (string | number)[], say: (location: string) => string): Parsed {
  const [first] = path;
  return { reason: say(pathText(path)), ...(first === undefined ? {} : { parameter: String(first) }) };
}
