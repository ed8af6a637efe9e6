import type { Beat, Silence } from "./heart.js";

/** Milliseconds between two looks. */
const PACE = 50;

/** Milliseconds after which silence is counted in work. */
const QUIET = 300;

/** Milliseconds of work at a time, when nothing else runs. */
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
/** Milliseconds of a step: of all so far the quickest, which nothing interrupted. */
let quickest = firstLook();
for (let go = 0; go < 10; go += 1) workPiece();

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
  const worked = workPiece();
  for (const one of silent) one.worked += worked;
  // What has come meanwhile is heard first.
  setTimeout(look);
}

/** Works for a while. Milliseconds that this takes when nothing else runs: less than it took, where the machine is busy. */
function workPiece(): number {
  const steps = Math.round(PIECE / quickest);
  const begun = performance.now();
  work(steps);
  const took = performance.now() - begun;
  // Clocks may tell whole milliseconds only. Engines translate what runs often, so that it becomes quicker.
  if (took >= 1) quickest = Math.min(quickest, took / steps);
  return steps * quickest;
}

function work(steps: number): void {
  for (let step = 0; step < steps; step += 1) number = (number * 48_271) % 2_147_483_647;
}

/** What a step takes at first. */
function firstLook(): number {
  const steps = 500_000;
  const begun = performance.now();
  work(steps);
  return Math.max(performance.now() - begun, 1) / steps;
}
