import { encodeValue, isRecord, type Value } from "../protocol/index.js";

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

function sorted(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(sorted).join(",")}]`;
  if (!isRecord(json)) return JSON.stringify(json);
  const keys = Object.keys(json).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted(json[key])}`).join(",")}}`;
}
