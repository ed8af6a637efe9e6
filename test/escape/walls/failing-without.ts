import type { EngineName } from "../../engines/drivers/index.js";
import { everyAttempt, MARK, titleOf, type Attempt } from "../attempts/index.js";
import { batchesOf, sealedGrouping } from "../batches.js";
import { observe, signsIn, type Seen } from "../observe.js";
import type { Pass } from "../suite.js";
import { workerChecks } from "../worker-checks.js";

/** The titles of the tests that fail on a page without a wall, in one engine; of those chosen. */
export async function failingWithout(
  pass: Pass,
  engine: EngineName,
  isChosen: (title: string) => boolean,
): Promise<string[]> {
  const failing: string[] = [];
  for (const { title, find } of workerChecks.filter((check) => isChosen(check.title))) {
    if (isFound(await find(pass))) failing.push(title);
  }
  const isHeld = ({ allowedBy = [] }: Attempt): boolean => !allowedBy.includes(engine);
  const held = everyAttempt.filter((attempt) => isHeld(attempt) && isChosen(titleOf(attempt)));
  const results = batchesOf(held, sealedGrouping, (titles) => failingOf(pass, titles));
  for (const [title, fails] of results) if (await fails()) failing.push(title);
  const outliving = held.some(({ outlivesIn = [] }) => outlivesIn.includes(engine));
  if (outliving) await pass.reopen();
  return failing;
}

/** Whether the test with this title fails on the page. */
export async function notices(pass: Pass, title: string): Promise<boolean> {
  const check = workerChecks.find((candidate) => candidate.title === title);
  return check === undefined ? (await failingOf(pass, [title]))(title) : isFound(await check.find(pass));
}

async function failingOf(pass: Pass, titles: readonly string[]): Promise<(title: string) => boolean> {
  const seen = await attempt(pass, titles);
  if (seen !== null && titles.every((title) => !fails(seen(title)))) return () => false;
  const isShared = seen === null || titles.some((title) => isOfAny(seen(title)));
  // A page that has lost its other session, or has more windows than before, says nothing about what comes next.
  if (isShared) await pass.reopen();
  if (isShared && titles.length > 1) {
    const alone = new Map<string, boolean>();
    for (const title of titles) alone.set(title, (await failingOf(pass, [title]))(title));
    return (title) => alone.get(title) ?? false;
  }
  return seen === null ? () => true : (title) => fails(seen(title));
}

/** Null where the page was lost on the way. */
async function attempt(pass: Pass, titles: readonly string[]): Promise<((title: string) => Seen) | null> {
  try {
    const seen = await observe(pass, titles, { environment: "sealed" });
    return (title) => seen.of(title);
  } catch {
    return null;
  }
}

/** Whether it shows something that is not said to be of one attempt. */
function isOfAny({ wasSilent, effects }: Seen): boolean {
  return wasSilent || effects.some((effect) => !effect.includes(MARK));
}

function isFound(found: unknown): boolean {
  return !Array.isArray(found) || found.length > 0;
}

function fails(seen: Seen): boolean {
  return signsIn(seen).length > 0;
}

/** All titles that {@link failingWithout} may name. */
export function knownTitles(): ReadonlySet<string> {
  return new Set([...workerChecks.map(({ title }) => title), ...everyAttempt.map(titleOf)]);
}
