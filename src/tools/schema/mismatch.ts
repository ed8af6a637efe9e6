import { isOpaque, isRecord, PythonFloat, PythonTemporal, type Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";
import { pythonRepr } from "../python/python-repr.js";
import { isSchemaObject } from "./subschemas.js";
import { listed, typeInWords } from "./words.js";

/** `an integer`, when the value does not fit the schema; undefined when it does. */
export function mismatch(schema: JsonSchema, value: Value): string | undefined {
  // Schemas from elsewhere may hold anything.
  if (Array.isArray(schema.enum) && !mayBeAmong(schema.enum, value)) {
    return schema.enum.length === 0 ? listed([]) : `one of ${schema.enum.map(pythonRepr).join(", ")}`;
  }
  if (schema.type === undefined) return undefined;
  const types = [schema.type].flat().filter((type) => typeof type === "string");
  if (types.length === 0) return undefined;
  if (!types.some((type) => hasType(type, value))) return types.map(typeInWords).join(" or ");
  if (!isSchemaObject(schema.items) || !Array.isArray(value)) return undefined;
  for (const item of value as readonly Value[]) {
    const wrong = mismatch(schema.items, item);
    if (wrong !== undefined) return `a list in which each item is ${wrong}`;
  }
  return undefined;
}

/** Lists and dicts are not compared part by part here: the validator does that. */
function mayBeAmong(choices: readonly Value[], value: Value): boolean {
  return choices.includes(value) || (hasParts(value) && choices.some(hasParts));
}

function hasParts(value: Value): boolean {
  return typeof value === "object" && value !== null;
}

function hasType(type: string, value: Value): boolean {
  switch (type.toLowerCase()) {
    case "string":
    case "str":
      // A number is let through: a model writes `zip=9021` as often as `zip="9021"`. The adapter sends it as text.
      return typeof value === "string" || isNumber(value) || value instanceof Date || value instanceof PythonTemporal;
    case "integer":
    case "int":
      return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
    case "number":
    case "float":
      return isNumber(value);
    case "boolean":
    case "bool":
      return typeof value === "boolean";
    case "array":
    case "list":
      return Array.isArray(value) || value instanceof Set;
    case "object":
    case "dict":
      return (isRecord(value) && !isOpaque(value)) || value instanceof Map;
    case "bytes":
      return value instanceof Uint8Array;
    case "null":
      return value === null || value === undefined;
    default:
      return true;
  }
}

function isNumber(value: Value): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof PythonFloat;
}
