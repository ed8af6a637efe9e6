import type { Steps } from "../../protocol/index.js";
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

/** How many schemas there are inside of one; where there are more than `most`, some number above. */
export function countSchemas(schema: JsonSchema | boolean, most: number): number {
  let count = -1;
  const waiting: unknown[] = [schema];
  while (waiting.length > 0 && count <= most) {
    const part = waiting.pop();
    if (typeof part === "boolean") count += 1;
    if (!isSchemaObject(part)) continue;
    count += 1;
    for (const [keyword, value] of Object.entries(part)) {
      for (const inner of schemasIn(keyword, value)) waiting.push(inner);
      // Each of them is one at least, but for what is no schema at all.
      if (waiting.length > most * 2) return most + 1;
    }
  }
  return count;
}

function schemasIn(keyword: string, value: unknown): readonly unknown[] {
  if (DATA.has(keyword) || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return HOLD_LIST.has(keyword) ? value : [];
  return HOLD_BY_NAME.has(keyword) ? Object.values(value) : [value];
}

/**
 * A copy of a schema in which `change` has been applied to every schema inside, the innermost first. Nothing of the
 * copy is shared with the original but data.
 */
export function mapSchemas(schema: JsonSchema | boolean, change: MapSchema): JsonSchema | boolean {
  const steps = mapSchemaSteps(schema, change);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** {@link mapSchemas} in steps, one for each schema. */
export function* mapSchemaSteps(schema: JsonSchema | boolean, change: MapSchema): Steps<JsonSchema | boolean> {
  if (!isSchemaObject(schema)) return schema;
  const copy = new Map<string, unknown>();
  for (const [keyword, value] of Object.entries(schema)) {
    copy.set(keyword, isPlain(keyword, value) ? value : yield* mapKeyword(keyword, value, change));
  }
  yield;
  return change(Object.fromEntries(copy));
}

/** Whether a keyword's value holds no schema. */
function isPlain(keyword: string, value: unknown): value is string | number | boolean | null {
  return DATA.has(keyword) || typeof value !== "object" || value === null;
}

function* mapKeyword(keyword: string, value: unknown, change: MapSchema): Steps<unknown> {
  if (Array.isArray(value)) {
    if (!HOLD_LIST.has(keyword)) return value as unknown;
    const list: unknown[] = [];
    for (const item of value as readonly unknown[]) list.push(yield* mapUnknown(item, change));
    return list;
  }
  // What no keyword of the standard holds (`components` of an OpenAPI document) may be what a `$ref` points at.
  if (HOLD_ONE.has(keyword) || !HOLD_BY_NAME.has(keyword) || !isSchemaObject(value))
    return yield* mapUnknown(value, change);
  const byName: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) byName.push([name, yield* mapUnknown(item, change)]);
  return Object.fromEntries(byName);
}

function* mapUnknown(value: unknown, change: MapSchema): Steps<unknown> {
  return typeof value === "boolean" || isSchemaObject(value) ? yield* mapSchemaSteps(value, change) : value;
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
