import { isTypedArray, MAX_DEPTH } from "./value-codec.js";
import { Content } from "./value.js";

/** How many values a value consists of, itself included. Stops counting when there are more than `most`. */
export function countParts(value: unknown, most: number, depth = 0): number {
  // What is deeper does not cross, what lies in itself neither.
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return 1;
  if (ArrayBuffer.isView(value)) return value instanceof Uint8Array || !isTypedArray(value) ? 1 : value.length;
  if (value instanceof Content) return 1;
  let count = 1;
  for (const part of partsOf(value)) {
    if (count > most) break;
    count += countParts(part, most - count, depth + 1);
  }
  return count;
}

function* partsOf(value: object): Generator {
  if (Array.isArray(value) || value instanceof Set) yield* value as Iterable<unknown>;
  else if (value instanceof Map) for (const pair of value as ReadonlyMap<unknown, unknown>) yield* pair;
  else yield* Object.values(value);
}
