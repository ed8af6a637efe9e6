import { isNestedDeeper } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { DEEPEST_DEFINITION } from "../nesting.js";
import {
  escapePointer,
  isObject,
  OpenApiFault,
  referenceOf,
  type Json,
  type JsonObject,
  type Located,
  type OpenApiDocument,
} from "./document.js";

type Mutable = { -readonly [Key in keyof JsonSchema]: JsonSchema[Key] };

/** Nested deeper, a schema is one that contains itself. */
const MAX_DEPTH = 60;
/** Parts of a schema that are looked at for its type: choices of choices can be more than anybody would ever write. */
const MOST_PARTS = 1000;

const SCHEMA_KEYS = new Set([
  "not",
  "if",
  "then",
  "else",
  "additionalProperties",
  "items",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const LIST_KEYS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAP_KEYS = new Set(["properties", "patternProperties", "dependentSchemas"]);
const EXCLUSIVE: ReadonlyMap<string, string> = new Map([
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
]);
const EXCLUSIVE_KEYS: ReadonlySet<string> = new Set(EXCLUSIVE.values());
/** What a schema of a plain text, number or choice consists of. */
const PLAIN_KEYS = new Set(
  "type enum const description title default format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern deprecated".split(
    " ",
  ),
);
/** Of OpenAPI alone, or of no use to who calls. */
const DROPPED_KEYS = new Set([
  "example",
  "examples",
  "xml",
  "externalDocs",
  "discriminator",
  "$ref",
  "nullable",
  "$schema",
  "$id",
]);

/**
 * The schemas of a document as JSON Schema: OpenAPI 3.0's own keywords are
 * rewritten, and references point to `$defs`, which {@link close} adds.
 */
export class SchemaConverter {
  readonly #document: OpenApiDocument;
  /** `#/$defs/…` of each schema that something referred to, by its pointer. */
  readonly #names = new Map<string, string>();
  readonly #pointers = new Map<string, string>();
  readonly #converted = new Map<string, { readonly schema: JsonSchema; readonly uses: ReadonlySet<string> }>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** @throws {OpenApiFault} for a reference that leads nowhere, or a schema that contains itself without one. */
  convert(schema: Located): JsonSchema {
    return this.#convert(schema, 0);
  }

  /** The schema with every definition that it needs, and those that these need. */
  close(schema: JsonSchema): JsonSchema {
    const needed = new Map<string, JsonSchema>();
    const waiting = [...usesOf(schema)];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (needed.has(name)) continue;
      const { schema: definition, uses } = this.#definition(name);
      needed.set(name, definition);
      waiting.push(...uses);
    }
    return needed.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(needed) };
  }

  /** A reference to a plain text, number or choice replaced by what it refers to. */
  simplified(schema: JsonSchema): JsonSchema {
    if (schema.$ref === undefined) return schema;
    const target = this.#target(schema);
    const isPlain = target.$ref === undefined && Object.keys(target).every((key) => PLAIN_KEYS.has(key));
    return isPlain ? { ...target, ...withoutReference(schema) } : schema;
  }

  /** The one type of a schema, as a parameter's listing names it; `any` where there are several. */
  typeOf(schema: JsonSchema): string {
    return this.#typeOf(schema, { left: MOST_PARTS }, 0);
  }

  #typeOf(schema: JsonSchema, budget: { left: number }, depth: number): string {
    budget.left -= 1;
    const isTooMuch = depth > MAX_DEPTH || budget.left < 0;
    if (schema.$ref !== undefined) return isTooMuch ? "any" : this.#typeOf(this.#target(schema), budget, depth + 1);
    const { type, enum: choices, anyOf, oneOf, allOf } = schema;
    if (typeof type === "string") return type;
    if (type === undefined && choices?.every((choice) => typeof choice === "string") === true) return "string";
    const alternatives = anyOf ?? oneOf ?? (Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : []);
    const types = type ?? (isTooMuch ? [] : alternatives.map((part) => this.#typeOf(part, budget, depth + 1)));
    const [only, ...others] = new Set(types.filter((name) => name !== "null"));
    return only !== undefined && others.length === 0 ? only : "any";
  }

  #target({ $ref = "" }: JsonSchema): JsonSchema {
    return this.#definition(definitionName($ref)).schema;
  }

  /** A definition that is broken accepts everything: the operation can be called all the same. */
  #definition(name: string): { readonly schema: JsonSchema; readonly uses: ReadonlySet<string> } {
    const known = this.#converted.get(name);
    if (known !== undefined) return known;
    const reference = this.#pointers.get(name) ?? "#";
    let schema: JsonSchema;
    try {
      schema = this.#convert(this.#document.resolve({ value: { $ref: reference }, pointer: reference.slice(1) }), 0);
    } catch (error) {
      if (!(error instanceof OpenApiFault)) throw error;
      schema = { description: `(${error.message})` };
    }
    const made = { schema, uses: usesOf(schema) };
    this.#converted.set(name, made);
    return made;
  }

  #convert({ value, pointer }: Located, depth: number): JsonSchema {
    if (depth > MAX_DEPTH) throw new OpenApiFault(pointer, "the schema contains itself without a reference");
    if (value === true) return {};
    if (value === false) return { not: {} };
    if (!isObject(value)) throw new OpenApiFault(pointer, "it is not a schema");
    const reference = referenceOf(value);
    const converted = this.#convertKeywords(value, { pointer, depth });
    if (reference !== undefined) {
      // Looked up now, so that a reference that leads nowhere is told of the operation that has it.
      this.#document.resolve({ value, pointer });
      converted.$ref = `#/$defs/${escapePointer(this.#nameOf(reference))}`;
    }
    return value.nullable === true ? withNull(converted) : converted;
  }

  #convertKeywords(schema: JsonObject, { pointer, depth }: { pointer: string; depth: number }): Mutable {
    const converted: Mutable = {};
    for (const [key, value] of Object.entries(schema)) {
      if (DROPPED_KEYS.has(key) || key.startsWith("x-")) continue;
      // In 3.0 the exclusive bound is a yes or no beside the bound.
      if (typeof schema[EXCLUSIVE.get(key) ?? ""] === "boolean") {
        const exclusive = EXCLUSIVE.get(key) ?? "";
        converted[schema[exclusive] === true ? exclusive : key] = value;
        continue;
      }
      if (EXCLUSIVE_KEYS.has(key) && typeof value === "boolean") continue;
      // Taken at its word it accepts nothing; who writes it beside a reference means that there is nothing to add.
      if (key === "enum" && Array.isArray(value) && value.length === 0) continue;
      const at = `${pointer}/${escapePointer(key)}`;
      const convert = (part: Json, where: string): JsonSchema | boolean =>
        typeof part === "boolean" ? part : this.#convert({ value: part, pointer: where }, depth + 1);
      if (SCHEMA_KEYS.has(key)) converted[key] = convert(value, at);
      else if (LIST_KEYS.has(key) && Array.isArray(value)) {
        converted[key] = (value as readonly Json[]).map((part, index) => convert(part, `${at}/${String(index)}`));
      } else if (MAP_KEYS.has(key) && isObject(value)) {
        const parts = Object.entries(value);
        converted[key] = Object.fromEntries(
          parts.map(([name, part]) => [name, convert(part, `${at}/${escapePointer(name)}`)]),
        );
      } else {
        if (isNestedDeeper(value, DEEPEST_DEFINITION)) throw new OpenApiFault(at, "it is nested too deep");
        converted[key] = value;
      }
    }
    // OpenAPI calls binary what Python has as bytes, which JSON Schema has no type for.
    if (isBinary(schema)) delete converted.type;
    return converted;
  }

  #nameOf(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const last = decodeURIComponent(reference.slice(reference.lastIndexOf("/") + 1));
    const base =
      last
        .replaceAll("~1", "_")
        .replaceAll("~0", "_")
        .replace(/[^\w.-]/g, "_") || "schema";
    let name = base;
    for (let count = 2; this.#pointers.has(name); count += 1) name = `${base}_${String(count)}`;
    this.#names.set(reference, name);
    this.#pointers.set(name, reference);
    return name;
  }
}

/** OpenAPI's ways to say bytes: 3.0's format, and 3.1's media type without an encoding. */
export function isBinary(schema: Json): boolean {
  if (!isObject(schema) || referenceOf(schema) !== undefined) return false;
  if (schema.format === "binary") return true;
  return (
    typeof schema.contentMediaType === "string" && schema.contentEncoding === undefined && schema.type !== "string"
  );
}

function withNull(schema: Mutable): Mutable {
  const { type, enum: choices } = schema;
  if ("$ref" in schema || "allOf" in schema || "anyOf" in schema || "oneOf" in schema) {
    const { description, default: preset, ...rest } = schema;
    return {
      ...(description === undefined ? {} : { description }),
      ...(preset === undefined ? {} : { default: preset }),
      anyOf: [rest, { type: "null" }],
    };
  }
  if (typeof type === "string") schema.type = [type, "null"];
  if (choices?.includes(null) === false) schema.enum = [...choices, null];
  return schema;
}

/** The names in `$defs` that a schema refers to. */
function usesOf(schema: JsonSchema): ReadonlySet<string> {
  const uses = new Set<string>();
  const look = (part: unknown): void => {
    if (Array.isArray(part)) for (const item of part) look(item);
    else if (isObject(part)) {
      for (const [key, item] of Object.entries(part)) {
        if (key === "$ref" && typeof item === "string" && item.startsWith("#/$defs/")) {
          uses.add(definitionName(item));
        } else look(item);
      }
    }
  };
  look(schema);
  return uses;
}

function definitionName(reference: string): string {
  return reference.slice("#/$defs/".length).replaceAll("~1", "/").replaceAll("~0", "~");
}

function withoutReference(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$ref"));
}
