import Papa from "papaparse";

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32): data that no run changes. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function choice<T>(from: readonly T[], random: () => number): T {
  const chosen = from[Math.floor(random() * from.length)];
  if (chosen === undefined) throw new RangeError("There is nothing to choose from.");
  return chosen;
}

/** A whole number from `low` up to and with `high`. */
export function between(low: number, high: number, random: () => number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** The rows of a CSV file, by column. */
export function readCsv(text: string): Record<string, string>[] {
  return Papa.parse<Record<string, string>>(text.trim(), { header: true, skipEmptyLines: true }).data;
}

/** As `Map.groupBy`, which Node 20 does not have. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
