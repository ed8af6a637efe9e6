import type { JsonSchema } from "../json-schema.js";

/** Keywords of JSON Schema (2020-12 and older) that hold one schema, a list of schemas, or schemas by name. */
export const HOLD_ONE: ReadonlySet<string> = new Set([
  "items",
  "additionalItems",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
export const HOLD_LIST: ReadonlySet<string> = new Set(["prefixItems", "allOf", "anyOf", "oneOf", "items"]);
export const HOLD_BY_NAME: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "properties",
  "patternProperties",
  "dependentSchemas",
]);

/** Keywords whose values are data, whatever they look like. */
const DATA = new Set(["const", "enum", "default", "examples", "example", "required", "dependentRequired"]);

type MapSchema = (schema: JsonSchema) => JsonSchema | boolean;

/**
 * A copy of a schema in which `change` has been applied to every schema inside, the innermost first. Nothing of the
 * copy is shared with the original but data.
 */
export function mapSchemas(schema: JsonSchema | boolean, change: MapSchema): JsonSchema | boolean {
  if (!isSchemaObject(schema)) return schema;
  const copy = new Map<string, unknown>();
  for (const [keyword, value] of Object.entries(schema)) copy.set(keyword, mapKeyword(keyword, value, change));
  return change(Object.fromEntries(copy));
}

function mapKeyword(keyword: string, value: unknown, change: MapSchema): unknown {
  if (DATA.has(keyword) || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return HOLD_LIST.has(keyword) ? value.map((item: unknown) => mapUnknown(item, change)) : value;
  if (HOLD_ONE.has(keyword)) return mapUnknown(value, change);
  // What no keyword of the standard holds (`components` of an OpenAPI document) may be what a `$ref` points at.
  if (!HOLD_BY_NAME.has(keyword)) return mapUnknown(value, change);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapUnknown(item, change)]));
}

function mapUnknown(value: unknown, change: MapSchema): unknown {
  return typeof value === "boolean" || isSchemaObject(value) ? mapSchemas(value, change) : value;
}

export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a reference of the same document (`#/$defs/Address`, `#`) points at. Undefined: nothing, or another document. */
export function resolvePointer(root: JsonSchema, ref: string): JsonSchema | boolean | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let found: unknown = root;
  for (const segment of ref.slice(2).split("/")) {
    if (typeof found !== "object" || found === null) return undefined;
    const key = decodeSegment(segment);
    if (!Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return typeof found === "boolean" || isSchemaObject(found) ? found : undefined;
}

/** One segment of a JSON pointer in a URI, decoded. */
export function decodeSegment(segment: string): string {
  const plain = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
