import type { Beat, Silence } from "./heart.js";

/** Milliseconds between two looks. */
const PACE = 50;

/** Milliseconds after which silence is counted in work. */
const QUIET = 300;

/** Milliseconds of work at a time, on a machine that has nothing else to do. */
const PIECE = 20;

/** What is watched, from its last beat on. */
interface Watched {
  heard: number;
  /** Milliseconds of work since then. */
  worked: number;
  longest: Silence;
}

let number = 1;
const watched = new Map<string, Watched>();
const steps = stepsIn(PIECE);

onmessage = ({ data }: MessageEvent<Beat>) => {
  if (data.kind === "end") {
    const all = [...watched.keys()].map((name) => heardOf(name).longest);
    watched.clear();
    postMessage({
      worked: Math.max(0, ...all.map(({ worked }) => worked)),
      waited: Math.max(0, ...all.map(({ waited }) => waited)),
    } satisfies Silence);
    return;
  }
  heardOf(data.of);
};
look();

function heardOf(name: string): Watched {
  const now = performance.now();
  const known = watched.get(name);
  if (known === undefined) {
    const fresh = { heard: now, worked: 0, longest: { worked: 0, waited: 0 } };
    watched.set(name, fresh);
    return fresh;
  }
  const { longest } = known;
  known.longest = {
    worked: Math.max(longest.worked, known.worked === 0 ? 0 : QUIET + known.worked),
    waited: Math.max(longest.waited, now - known.heard),
  };
  known.heard = now;
  known.worked = 0;
  return known;
}

/** Works for as long as something is silent. */
function look(): void {
  const now = performance.now();
  const silent = [...watched.values()].filter(({ heard }) => now - heard > QUIET);
  if (silent.length === 0) {
    setTimeout(look, PACE);
    return;
  }
  work(steps);
  for (const one of silent) one.worked += PIECE;
  // What has come meanwhile is heard first.
  setTimeout(look);
}

function work(count: number): void {
  for (let step = 0; step < count; step += 1) number = (number * 48_271) % 2_147_483_647;
}

/** As many as fit into the time when nothing else runs: the quickest of several goes, since any may be interrupted. */
function stepsIn(milliseconds: number): number {
  const count = 500_000;
  let quickest = Infinity;
  for (let go = 0; go < 20; go += 1) {
    const begun = performance.now();
    work(count);
    // Clocks may tell whole milliseconds only.
    quickest = Math.min(quickest, Math.max(performance.now() - begun, 0.5));
  }
  return Math.round((count * milliseconds) / quickest);
}
