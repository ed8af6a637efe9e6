import { isNumberArray, isRecord, PythonFloat, PythonTemporal, ZonedDate, type Value } from "../../protocol/index.js";
import type { JsonSchema } from "../json-schema.js";

/** The key of the object that stands for bytes in an instance: JSON has none. */
export const BYTES_KEY = "\u0000bytes";

/**
 * A value of Python as what JSON Schema is applied to: tuples and sets are arrays, dates and times text, a dict's keys
 * text. Bytes become an object that only a schema of binary content accepts.
 */
export function jsonInstance(value: Value): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object") return value;
  if (value instanceof PythonFloat) return value.value;
  if (value instanceof ZonedDate || value instanceof PythonTemporal) return value.text;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array || isNumberArray(value)) return { [BYTES_KEY]: true };
  if (Array.isArray(value) || value instanceof Set) return Array.from(value as Iterable<Value>, jsonInstance);
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([key, item]) => [keyText(key as Value), jsonInstance(item as Value)]));
  }
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonInstance(item)]));
  return {};
}

/** A key as `json.dumps` writes it. */
export function keyText(key: Value): string {
  const plain = jsonInstance(key);
  return typeof plain === "string" ? plain : JSON.stringify(plain);
}

/** Whether the schema means a body of bytes: a string in JSON Schema's eyes. */
export function holdsBytes({ type, format, contentMediaType, contentEncoding }: JsonSchema): boolean {
  if (type !== "string") return false;
  return format === "binary" || (typeof contentMediaType === "string" && contentEncoding === undefined);
}
