/** `[[S:1]]`, `[[S:1,3]]`, `[[S:2-5]]`. */
const MARK = /\[\[S:([\d\s,\-–]+)\]\]/g;
/** A range that names more is a slip, not a citation. */
const WIDEST_RANGE = 200;

/** The sids that a text cites, ascending. */
export function citedSids(text: string): number[] {
  const found = new Set<number>();
  for (const [, marks = ""] of text.matchAll(MARK)) {
    for (const part of marks.split(",")) {
      const [from, to = from] = part.split(/[-–]/).map((end) => Number.parseInt(end, 10));
      if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) continue;
      if (to - from > WIDEST_RANGE) continue;
      for (let sid = from; sid <= to; sid++) found.add(sid);
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
  return ascending(found.filter((sid): sid is number => typeof sid === "number" && Number.isInteger(sid)));
}

export function ascending(sids: Iterable<number>): number[] {
  return [...new Set(sids)].sort((a, b) => a - b);
}
