import { memoryStorage, Session } from "../../../src/index.js";
import { everyAttempt, titleOf, type Attempt } from "../attempts/index.js";
import { attemptByDrawing } from "./render-ring.js";
import { attemptOverBridge, takeAnswers, watchAnswers } from "./bridge-ring.js";
import { attemptInFrame, removeFrames, type Outcome } from "./frame-ring.js";
import { Heart } from "./heart.js";
import { placeOf, readSetting } from "./places.js";
import type { BatchReport, Environment, EscapePage } from "./report.js";
import { holdLocks, resetTraps, setTraps, sprungTraps } from "./traps.js";
import { WorkerRing } from "./worker-ring.js";

declare global {
  /** Settles when the page is ready for attempts. */
  var escapePage: Promise<EscapePage>;
}

const setting = readSetting();
globalThis.escapePage = open();

async function open(): Promise<EscapePage> {
  watchAnswers();
  await setTraps(setting.secret);
  const neighbour = await Session.open({ storage: memoryStorage(), timeout: null });
  await neighbour.run("answer = 42");
  const workers = new WorkerRing();
  const heart = new Heart(neighbour);
  let made: Promise<BatchReport> | undefined;
  const make = async (titles: readonly string[], environment: Environment): Promise<BatchReport> => {
    const attempts = titles.map(attemptOf);
    await holdLocks(attempts.map((attempt) => placeOf(attempt, setting).heldLock));
    const silence = heart.beat();
    const isOpening = attempts.some(({ opensSession = false }) => opensSession);
    const opening = isOpening ? opensMeanwhile() : Promise.resolve(true);
    const outcomes = await makeAll(attempts, { workers, sealed: environment === "sealed" });
    const effects = await sprungTraps();
    if (!(await opening)) effects.push("another session did not open");
    if (isOpening) removeFrames();
    for (const mark of takeAnswers()) effects.push(`an answer of the page to a forged message: ${mark}`);
    return {
      attempts: titles.map((title, at) => {
        const text = outcomes[at]?.text ?? "";
        return { title, outcome: text.slice(0, 300), toldSecret: text.includes(setting.secret) };
      }),
      effects,
      silence: await silence(),
    };
  };
  return {
    make: (titles, environment) => {
      made = make(titles, environment);
      return made;
    },
    made: () => made ?? Promise.reject(new Error("Nothing was attempted yet.")),
    opensSession: opens,
    present: (names) => workers.present(names),
    runsScripts: () => workers.runsScripts(),
    finestClock: () => workers.finestClock(),
    reset: async () => {
      for (const frame of document.querySelectorAll("iframe.unsealed")) frame.remove();
      // What a worker holds goes with it.
      if ((await sprungTraps()).some((trap) => /lock|IndexedDB/.test(trap))) await workers.drop("local");
      await resetTraps();
    },
  };
}

function attemptOf(title: string): Attempt {
  const attempt = everyAttempt.find((candidate) => titleOf(candidate) === title);
  if (attempt === undefined) throw new Error(`There is no attempt "${title}".`);
  return attempt;
}

async function opensMeanwhile(): Promise<boolean> {
  // The attacker's frame loads first.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return opens();
}

async function opens(): Promise<boolean> {
  try {
    const session = await Session.open({ storage: memoryStorage() });
    await session.close();
    return true;
  } catch {
    return false;
  }
}

interface Attackers {
  readonly workers: WorkerRing;
  readonly sealed: boolean;
}

/** Those in a worker share a session, the others go on side by side. */
async function makeAll(attempts: readonly Attempt[], { workers, sealed }: Attackers): Promise<readonly Outcome[]> {
  const trust = sealed ? "sandboxed" : "local";
  const inSession = attempts.filter(({ ring, ruinous = false }) => ring === "worker" && !ruinous);
  const own = (attempt: Attempt) => placeOf(attempt, setting);
  const shared = inSession.length === 0 ? [] : await workers.attempts(inSession, { placeOf: own, trust });
  return Promise.all(
    attempts.map(async (attempt) => {
      return shared[inSession.indexOf(attempt)] ?? (await makeOne(attempt, { workers, sealed }));
    }),
  );
}

function makeOne(attempt: Attempt, { workers, sealed }: Attackers): Promise<Outcome> {
  const place = placeOf(attempt, setting);
  switch (attempt.ring) {
    case "worker":
      return workers.attemptRuin(attempt, { place, trust: sealed ? "sandboxed" : "local" });
    case "frame":
      return attemptInFrame(attempt, { place, sealed });
    case "bridge":
      return attemptOverBridge(attempt, { place, sealed });
    case "render":
      return attemptByDrawing(attempt, { place, sealed });
  }
}
