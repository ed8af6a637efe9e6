/** `[[S:1]]`, `[[S:1,3]]`, `[[S:2-5]]`. */
const MARK = /\[\[S:([\d\s,\-–]+)\]\]/g;
/** A range that names more is a slip, not a citation. */
const WIDEST_RANGE = 200;
/** Nobody looks up more; the text comes from a program, and may hold any number of marks. */
const MOST_SIDS = 5_000;

/** The sids that a text cites, ascending; of very many the first that it names. */
export function citedSids(text: string): number[] {
  const found = new Set<number>();
  for (const [, marks = ""] of text.matchAll(MARK)) {
    for (const part of marks.split(",")) {
      const [from, to = from] = part.split(/[-–]/).map((end) => Number.parseInt(end, 10));
      if (from === undefined || to === undefined) continue;
      // Beyond the safe integers one more is the same number, and counting up would never end.
      if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to - from > WIDEST_RANGE) continue;
      for (let sid = from; sid <= to; sid++) found.add(sid);
      if (found.size >= MOST_SIDS) return ascending(found).slice(0, MOST_SIDS);
    }
  }
  return ascending(found);
}

/** The sids that a program says it used: whole numbers, or rows with a `sid`. */
export function statedSids(sources: unknown): number[] {
  if (!Array.isArray(sources)) return [];
  const found = sources.map((source: unknown): unknown =>
    typeof source === "object" && source !== null && "sid" in source ? source.sid : source,
  );
  const sids = found.filter((sid): sid is number => typeof sid === "number" && Number.isSafeInteger(sid));
  return ascending(sids.slice(0, MOST_SIDS));
}

export function ascending(sids: Iterable<number>): number[] {
  return [...new Set(sids)].sort((a, b) => a - b);
}
