import { isOpaque, isRecord, type Value } from "../protocol/index.js";

/** Values that are looked at in one go: a millisecond. */
const MOST_AT_ONCE = 10_000;

/**
 * Whether arguments have to be searched for objects that have no counterpart: there is one in them, or there are too many
 * values to tell at once.
 */
export function mayHoldOpaque(args: Readonly<Record<string, Value>>): boolean {
  const values: Value[] = [args];
  // The list grows while it is gone through.
  for (const value of values) {
    if (isOpaque(value)) return true;
    for (const part of partsOf(value)) if (values.push(part) > MOST_AT_ONCE) return true;
  }
  return false;
}

function* partsOf(value: Value): Generator<Value> {
  if (Array.isArray(value) || value instanceof Set) yield* value as Iterable<Value>;
  else if (value instanceof Map) for (const pair of value as ReadonlyMap<Value, Value>) yield* pair;
  // Not `Object.values`, which reads all of them although the first may be enough.
  else if (isRecord(value)) for (const key in value) yield value[key];
}
