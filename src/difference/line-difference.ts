/** A line of two sources, laid into one another. */
export interface DifferenceLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Pairs of lines that are compared at most; where there are more, between lines that both texts have once. */
const MOST_PAIRS = 4_000_000;

/** Equal lines that stand around what differs. */
const CONTEXT = 3;

/** What is to be done to `before` to come to `after`, line by line, with as few changes as there can be. */
export function lineDifference(before: string, after: string): readonly DifferenceLine[] {
  return differenceOfLines(linesOf(before), linesOf(after));
}

/** The same, of texts that are lines already. */
export function differenceOfLines(old: readonly string[], young: readonly string[]): readonly DifferenceLine[] {
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let tail = 0;
  const most = Math.min(old.length, young.length) - start;
  while (tail < most && old[old.length - 1 - tail] === young[young.length - 1 - tail]) tail += 1;
  return [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, old.length - tail), young.slice(start, young.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
}

/** A run of lines, `to` not among them. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Where lines differ, with some around them; places that are close to one another are one. */
export function differenceHunks(lines: readonly DifferenceLine[]): readonly LineRange[] {
  const hunks: { from: number; to: number }[] = [];
  lines.forEach(({ kind }, index) => {
    if (kind === "same") return;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(lines.length, index + 1 + CONTEXT);
    const last = hunks.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  });
  return hunks;
}

/**
 * The difference as `diff -u` writes it, without the names of files; empty where there is none.
 *
 * @param before - null where there was nothing: all lines are new.
 */
export function unifiedDifference(before: string | null, after: string): string {
  return unifiedHunks(lineDifference(before ?? "", after)).join("\n");
}

/** The lines of the hunks as `diff -u` writes them. */
export function unifiedHunks(lines: readonly DifferenceLine[]): readonly string[] {
  const written: string[] = [];
  let end = 0;
  let oldLines = 0;
  let newLines = 0;
  for (const { from, to } of differenceHunks(lines)) {
    // Between hunks, all lines are the same.
    oldLines += from - end;
    newLines += from - end;
    const hunk = lines.slice(from, to);
    const removals = hunk.filter(({ kind }) => kind !== "added").length;
    const additions = hunk.filter(({ kind }) => kind !== "removed").length;
    written.push(`@@ -${rangeText(oldLines, removals)} +${rangeText(newLines, additions)} @@`);
    for (const { kind, text } of hunk) written.push(`${MARKS[kind]}${text}`);
    oldLines += removals;
    newLines += additions;
    end = to;
  }
  return written;
}

const MARKS: Readonly<Record<DifferenceLine["kind"], string>> = { same: " ", added: "+", removed: "-" };

/** An empty range is named by the line before it. */
function rangeText(before: number, count: number): string {
  return `${String(count === 0 ? before : before + 1)},${String(count)}`;
}

/** What both have in the middle, once what is equal at both ends is left out. */
function middle(old: readonly string[], young: readonly string[]): DifferenceLine[] {
  return old.length * young.length > MOST_PAIRS ? betweenAnchors(old, young) : compared(old, young);
}

/** Compares what lies between lines that both have once, as far as pairs may be compared; the rest is removed and added. */
function betweenAnchors(old: readonly string[], young: readonly string[]): DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  let pairs = 0;
  let line = 0;
  let other = 0;
  const goTo = (end: number, otherEnd: number): void => {
    const gone = old.slice(line, end);
    const come = young.slice(other, otherEnd);
    const isLittle = pairs + gone.length * come.length <= MOST_PAIRS;
    if (isLittle) pairs += gone.length * come.length;
    const between = isLittle ? compared(gone, come) : [...gone.map(removed), ...come.map(added)];
    for (const one of between) lines.push(one);
    line = end;
    other = otherEnd;
  };
  for (const [end, otherEnd] of anchorsOf(old, young)) {
    goTo(end, otherEnd);
    lines.push(same(old[end] ?? ""));
    line += 1;
    other += 1;
  }
  goTo(old.length, young.length);
  return lines;
}

/** Where lines are that both have once: the longest row of them that is in the same order in both. */
function anchorsOf(old: readonly string[], young: readonly string[]): readonly (readonly [number, number])[] {
  const olds = placesOfSingles(old);
  const youngs = placesOfSingles(young);
  // Of each length of a row, the place of the last line of the one that ends first, and of each line the one before it.
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  const place = (line: number): number => youngs.get(old[line] ?? "") ?? -1;
  for (const [text, line] of olds) {
    const other = youngs.get(text);
    if (line === undefined || other === undefined) continue;
    let from = 0;
    for (let to = ends.length; from < to;) {
      const half = (from + to) >> 1;
      if (place(ends[half] ?? 0) < other) from = half + 1;
      else to = half;
    }
    before.set(line, ends[from - 1]);
    ends[from] = line;
  }
  const row: [number, number][] = [];
  for (let line = ends.at(-1); line !== undefined; line = before.get(line)) row.push([line, place(line)]);
  return row.reverse();
}

/** In their order; undefined for a line that is there more than once. */
function placesOfSingles(lines: readonly string[]): ReadonlyMap<string, number | undefined> {
  const places = new Map<string, number | undefined>();
  lines.forEach((text, line) => places.set(text, places.has(text) ? undefined : line));
  return places;
}

/**
 * By the longest common run of lines, as text-book as it gets: most texts are short. Of the same bound on pairs, `diff`
 * of npm makes up to twenty times the work, and other differences where several are equally short.
 */
function compared(old: readonly string[], young: readonly string[]): DifferenceLine[] {
  // Long lines that begin alike would be read once for each pair.
  const numbers = new Map<string, number>();
  const oldNumbers = numbered(old, numbers);
  const youngNumbers = numbered(young, numbers);
  const width = young.length + 1;
  // How many lines are equal, in order, from here to the ends. So few pairs have at most 2,000 lines on their shorter side.
  const equal = new Uint16Array((old.length + 1) * width);
  const at = (line: number, other: number): number => equal[line * width + other] ?? 0;
  for (let line = old.length - 1; line >= 0; line--) {
    const number = oldNumbers[line];
    const row = line * width;
    // Each cell needs the ones below it, beside it, and below beside it; two of them were just at hand.
    let beside = 0;
    let belowBeside = 0;
    for (let other = young.length - 1; other >= 0; other--) {
      const below = equal[row + width + other] ?? 0;
      if (number === youngNumbers[other]) beside = belowBeside + 1;
      else if (below > beside) beside = below;
      equal[row + other] = beside;
      belowBeside = below;
    }
  }
  const lines: DifferenceLine[] = [];
  let line = 0;
  let other = 0;
  for (;;) {
    const gone = old[line];
    const come = young[other];
    if (gone === undefined && come === undefined) return lines;
    if (gone !== undefined && gone === come) {
      lines.push(same(gone));
      line += 1;
      other += 1;
    } else if (gone !== undefined && (come === undefined || at(line + 1, other) >= at(line, other + 1))) {
      lines.push(removed(gone));
      line += 1;
    } else if (come !== undefined) {
      lines.push(added(come));
      other += 1;
    }
  }
}

/** For each line a number, equal ones for equal lines. */
function numbered(lines: readonly string[], numbers: Map<string, number>): Uint32Array {
  return Uint32Array.from(lines, (line) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  });
}

/** Lines as Python reads them. An end of line at the end of a text begins no line of its own. */
function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r\n?|\n/);
}

function same(text: string): DifferenceLine {
  return { kind: "same", text };
}

function added(text: string): DifferenceLine {
  return { kind: "added", text };
}

function removed(text: string): DifferenceLine {
  return { kind: "removed", text };
}
