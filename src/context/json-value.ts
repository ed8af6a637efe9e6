import { summarize } from "../dispatch/index.js";
import {
  Content,
  isNumberArray,
  isRecord,
  jsonIn,
  PythonFloat,
  PythonTemporal,
  withDigits,
  ZonedDate,
  type Value,
} from "../protocol/index.js";

/** What a record of a context can hold: JSON, and whole numbers of any length. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

/** Deeper parts of a value are left out: records are read by walking them. */
const MAX_DEPTH = 100;

/**
 * A copy of what a tool returned as a record can hold it: dates as text, sets and tuples as lists, a dict's keys as text.
 * Bytes do not belong in a record; their size stands in for them.
 */
export function jsonValue(value: Value): Json {
  return copied(value, 0);
}

/** Arguments of a call as they are kept, large ones cut. */
export function storedParams(params: Readonly<Record<string, Value>>): Record<string, Json> {
  const kept = jsonValue(summarize(params));
  return isJsonRecord(kept) ? { ...kept } : {};
}

/** A record's value as people read it: a text as it is, everything else as JSON. */
export function jsonText(value: Json): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, withDigits, 2);
}

export function isJsonRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !isJsonList(value);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of JSON text that holds an object or a list; undefined for any other text. */
export function parsedJson(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? jsonIn(text) : undefined;
}

function copied(value: Value, depth: number): Json {
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") return value;
  if (depth >= MAX_DEPTH) return "…";
  if (value instanceof PythonFloat) return value.value;
  if (value instanceof ZonedDate || value instanceof PythonTemporal) return value.text;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return { type: "bytes", size: value.byteLength };
  if (isNumberArray(value)) return { type: "numbers", size: value.length };
  if (value instanceof Content) return contentValue(value);
  if (value instanceof Map) return record(value as ReadonlyMap<Value, Value>, depth);
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value as Iterable<Value>, (item) => copied(item, depth + 1));
  }
  return isRecord(value) ? record(Object.entries(value), depth) : "…";
}

function record(entries: Iterable<readonly [Value, Value]>, depth: number): Json {
  return Object.fromEntries(Array.from(entries, ([key, item]) => [keyText(key), copied(item, depth + 1)]));
}

function keyText(key: Value): string {
  return typeof key === "string" ? key : jsonText(jsonValue(key));
}

function contentValue({ kind, mimeType, uri, name, data }: Content): Json {
  const body = typeof data === "string" ? { text: data } : { size: data?.byteLength ?? 0 };
  return { type: kind, mime: mimeType ?? null, uri: uri ?? null, name: name ?? null, ...body };
}
