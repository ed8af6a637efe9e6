import { titleOf, type Attempt } from "./attempts/index.js";

/** What keeps an attempt from going on beside others of its kind, in one way or another. */
export interface Grouping {
  /** How many go on side by side. */
  readonly size: number;
  /** Only those of one kind do. */
  readonly kind: string;
}

/** Against the seal: frames and drawings are cheap, loops and whole sessions are not. */
export function sealedGrouping({ ring, ruinous = false, opensSession = false }: Attempt): Grouping {
  const kind = [ring, ruinous].join();
  if (opensSession) return { size: 1, kind: "opening" };
  // Three floods at once are three sessions that turn on one page: each is held by itself.
  if (ruinous) return { size: ring === "bridge" ? 1 : 3, kind };
  return { size: { worker: 20, frame: 20, bridge: 4, render: 20 }[ring], kind };
}

/** Where nothing holds them: apart from those that get in each other's way. */
export function openGrouping({ ring, disturbs = false }: Attempt): Grouping {
  return disturbs ? { size: 1, kind: "disturbing" } : { size: 20, kind: ring };
}

/** Stopped pages of one browser: some compute for as long as they last, others take the machine's memory meanwhile. */
export function stallGrouping({ floods = false }: Attempt): Grouping {
  return floods ? { size: 1, kind: "flooding" } : { size: 5, kind: "computing" };
}

/**
 * Puts attempts together that do not disturb each other. Each batch is made when the first of its results is asked
 * for, and once.
 */
export function batchesOf<Result>(
  attempts: readonly Attempt[],
  groupingOf: (attempt: Attempt) => Grouping,
  make: (titles: readonly string[]) => Promise<(title: string) => Result>,
): ReadonlyMap<string, () => Promise<Result>> {
  const results = new Map<string, () => Promise<Result>>();
  for (const titles of grouped(attempts, groupingOf)) {
    let batch: Promise<(title: string) => Result> | undefined;
    for (const title of titles) {
      results.set(title, async () => {
        batch ??= make(titles);
        return (await batch)(title);
      });
    }
  }
  return results;
}

function grouped(attempts: readonly Attempt[], groupingOf: (attempt: Attempt) => Grouping): string[][] {
  const groups: { kind: string; titles: string[] }[] = [];
  for (const attempt of attempts) {
    const { kind, size } = groupingOf(attempt);
    const last = groups.findLast((group) => group.kind === kind);
    if (last === undefined || last.titles.length >= size) groups.push({ kind, titles: [titleOf(attempt)] });
    else last.titles.push(titleOf(attempt));
  }
  return groups.map(({ titles }) => titles);
}
