/**
 * Whether a value holds others more than so many levels deep. What is nested ten thousand times can be parsed, but `JSON.stringify`
 * and other code that calls itself for each level fails on it.
 */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  if (levels < 0) return true;
  for (const part of partsOf(value)) if (isNestedDeeper(part, levels - 1)) return true;
  return false;
}

function partsOf(value: object): Iterable<unknown> {
  if (Array.isArray(value) || value instanceof Set) return value as Iterable<unknown>;
  if (value instanceof Map) return Array.from(value as ReadonlyMap<unknown, unknown>).flat();
  const parts: unknown[] = Object.values(value);
  return parts;
}
