import { isTypedArray, MAX_DEPTH } from "./value-codec.js";
import { Content } from "./value.js";

/**
 * How many values a value consists of, itself included. Stops counting when there are more than `most`.
 *
 * @param weigh - what a text, bytes or another value without parts counts. Default: one.
 */
export function countParts(value: unknown, most: number, weigh: (leaf: unknown) => number = () => 1): number {
  return count(value, { most, weigh, depth: 0 });
}

interface Counting {
  readonly most: number;
  readonly weigh: (leaf: unknown) => number;
  readonly depth: number;
}

function count(value: unknown, { most, weigh, depth }: Counting): number {
  // What is deeper does not cross, what lies in itself neither.
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return weigh(value);
  if (ArrayBuffer.isView(value)) {
    return value instanceof Uint8Array || !isTypedArray(value) ? weigh(value) : value.length;
  }
  if (value instanceof Content || value instanceof ArrayBuffer) return weigh(value);
  let parts = 1;
  for (const part of partsOf(value)) {
    if (parts > most) break;
    parts += count(part, { most: most - parts, weigh, depth: depth + 1 });
  }
  return parts;
}

function* partsOf(value: object): Generator {
  if (Array.isArray(value) || value instanceof Set) yield* value as Iterable<unknown>;
  else if (value instanceof Map) for (const pair of value as ReadonlyMap<unknown, unknown>) yield* pair;
  else yield* Object.values(value);
}

/** Characters, or bytes, that are as much work as a value without any. */
const LIKE_A_PART = 100;

/** What a value without parts counts, where it is written and copied. */
export function weighBySize(leaf: unknown): number {
  return 1 + Math.floor(sizeOf(leaf instanceof Content ? leaf.data : leaf) / LIKE_A_PART);
}

function sizeOf(leaf: unknown): number {
  if (typeof leaf === "string") return leaf.length;
  return ArrayBuffer.isView(leaf) || leaf instanceof ArrayBuffer ? leaf.byteLength : 0;
}
