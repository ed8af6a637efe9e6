import { Content, isNumberArray, type Value } from "./value.js";

/** What a list, a dict, a number or anything else counts beside its contents. */
const NODE = 16;

/** About how many bytes of memory a value takes; where it is more than `most`, some number above that. */
export function valueSize(value: Value, most: number): number {
  let size = 0;
  const open: Value[] = [value];
  while (open.length > 0 && size <= most) {
    const next = open.pop();
    size += NODE;
    if (typeof next === "string") size += 2 * next.length;
    else if (typeof next === "bigint") size += next.toString(16).length;
    else if (next instanceof Uint8Array || isNumberArray(next)) size += next.byteLength;
    else if (typeof next === "object" && next !== null) {
      for (const part of partsOf(next)) {
        open.push(part);
        // A long list is not copied to find out that it is too long.
        if (open.length * NODE > most) return Infinity;
      }
    }
  }
  return size;
}

function* partsOf(value: object & Value): Generator<Value> {
  if (Array.isArray(value) || value instanceof Set) yield* value as Iterable<Value>;
  else if (value instanceof Map) for (const [key, item] of value as ReadonlyMap<Value, Value>) yield* [key, item];
  else if (value instanceof Content) yield* [value.data, value.uri, value.name, value.description];
  else for (const [key, item] of Object.entries(value) as [string, Value][]) yield* [key, item];
}
