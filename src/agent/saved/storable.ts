import {
  Content,
  isNumberArray,
  PythonFloat,
  PythonTemporal,
  Tuple,
  VitrineError,
  type Value,
} from "../../protocol/index.js";

/** Levels of an event that are kept; the wire's own limit is a little higher. */
const DEEPEST = 90;

/** Of an array of numbers of one kind. */
const MOST_NUMBERS = 1000;

/**
 * What is kept of an event: its fields, with errors as name, code and message. What nests deeper than any reader wants
 * to know is left out, and says so.
 */
export function storable(value: unknown, depth = 0): Value {
  if (depth > DEEPEST) return "(nested too deeply to be kept)";
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case "boolean":
    case "number":
    case "bigint":
    case "string":
      return value;
    case "object":
      return storableObject(value, depth + 1);
    default:
      return `(a ${typeof value})`;
  }
}

function storableObject(value: object, depth: number): Value {
  if (value instanceof Error) {
    const code = value instanceof VitrineError ? value.code : "INTERNAL";
    return { name: value.name, code, message: value.message };
  }
  if (value instanceof Uint8Array || value instanceof Date) return value;
  if (value instanceof PythonFloat || value instanceof PythonTemporal || value instanceof Content) return value;
  // Kept as the list that comes back of it anyway, as long as that is short.
  if (isNumberArray(value))
    return value.length <= MOST_NUMBERS ? Array.from<Value>(value) : `(${String(value.length)} numbers)`;
  if (Array.isArray(value)) {
    const items = value.map((item) => storable(item, depth));
    return value instanceof Tuple ? Tuple.from(items) : items;
  }
  if (value instanceof Set) return new Set(Array.from(value, (item) => storable(item, depth)));
  if (value instanceof Map) {
    return new Map(Array.from(value, ([key, item]) => [storable(key, depth), storable(item, depth)] as const));
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && typeof item !== "function");
  return Object.fromEntries(entries.map(([key, item]) => [key, storable(item, depth)]));
}
