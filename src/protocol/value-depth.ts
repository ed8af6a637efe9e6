import { Content, type Value } from "./value.js";

/**
 * Whether lists, dicts and the like are inside one another more than `most` times. What is nested ten thousand times can be
 * parsed, and ends whoever goes through it by recursion, as `JSON.stringify` does.
 */
export function isDeeper(value: Value, most: number): boolean {
  if (!isContainer(value)) return false;
  if (most === 0) return true;
  if (value instanceof Map) {
    for (const [key, item] of value as ReadonlyMap<Value, Value>) {
      if (isDeeper(key, most - 1) || isDeeper(item, most - 1)) return true;
    }
    return false;
  }
  const parts = Array.isArray(value) || value instanceof Set ? (value as Iterable<Value>) : Object.values(value);
  for (const part of parts) if (isDeeper(part as Value, most - 1)) return true;
  return false;
}

function isContainer(value: Value): value is object & Value {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Content);
}
