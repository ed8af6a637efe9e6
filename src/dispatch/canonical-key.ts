import { countParts, encodeValue, isRecord, MAX_DEPTH, type Value } from "../protocol/index.js";

/** Bytes of binary arguments up to which they are compared. */
const MAX_BYTES = 100_000;

/**
 * A text that two values have in common if and only if they are the same value, in whatever order their keys are.
 * Undefined for what cannot be written down, or is too large to be worth it.
 */
export function canonicalKey(value: Value): string | undefined {
  try {
    const { text, buffers } = encodeValue(value);
    if (buffers.reduce((sum, bytes) => sum + bytes.byteLength, 0) > MAX_BYTES) return undefined;
    return [sorted(JSON.parse(text)), ...buffers.map((bytes) => Array.from(bytes).join(","))].join("\n");
  } catch {
    // A function, a cycle: it is equal to nothing but itself.
    return undefined;
  }
}

/** The same, undefined also for a value that takes long to write down. */
export function smallKey(value: Value): string | undefined {
  const isSmall = countParts(value, MOST_PARTS) <= MOST_PARTS && textLength(value) <= MOST_TEXT;
  return isSmall ? canonicalKey(value) : undefined;
}

/** Of a value that is small. */
const MOST_PARTS = 10_000;
const MOST_TEXT = 100_000;

function textLength(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return 0;
  if (depth > MAX_DEPTH) return MOST_TEXT;
  let length = 0;
  for (const part of partsOf(value)) length += textLength(part, depth + 1);
  return length;
}

function* partsOf(value: object): Generator {
  if (Array.isArray(value) || value instanceof Set || value instanceof Map) yield* value as Iterable<unknown>;
  else for (const pair of Object.entries(value)) yield* pair;
}

function sorted(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(sorted).join(",")}]`;
  if (!isRecord(json)) return JSON.stringify(json);
  const keys = Object.keys(json).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted(json[key])}`).join(",")}}`;
}
