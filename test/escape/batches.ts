import { titleOf, type Attempt } from "./attempts/index.js";

/** How many go on side by side: frames and drawings are cheap, loops and whole sessions are not. */
function sizeFor({ ring, ruinous = false }: Attempt): number {
  if (ruinous) return 2;
  return { worker: 20, frame: 16, bridge: 4, render: 20 }[ring];
}

/**
 * Puts attempts together that do not disturb each other. Each batch is made when the first of its results is asked
 * for, and once.
 */
export function batchesOf<Result>(
  attempts: readonly Attempt[],
  make: (titles: readonly string[]) => Promise<ReadonlyMap<string, Result>>,
): ReadonlyMap<string, () => Promise<Result | undefined>> {
  const results = new Map<string, () => Promise<Result | undefined>>();
  for (const titles of grouped(attempts)) {
    let batch: Promise<ReadonlyMap<string, Result>> | undefined;
    for (const title of titles) {
      results.set(title, async () => {
        batch ??= make(titles);
        return (await batch).get(title);
      });
    }
  }
  return results;
}

function grouped(attempts: readonly Attempt[]): string[][] {
  const groups: { kind: string; size: number; titles: string[] }[] = [];
  for (const attempt of attempts) {
    const { ring, ruinous = false, opensSession = false } = attempt;
    const kind = [ring, ruinous, opensSession].join();
    const last = groups.findLast((group) => group.kind === kind);
    if (last === undefined || last.titles.length >= last.size || opensSession) {
      groups.push({ kind, size: sizeFor(attempt), titles: [titleOf(attempt)] });
    } else {
      last.titles.push(titleOf(attempt));
    }
  }
  return groups.map(({ titles }) => titles);
}
