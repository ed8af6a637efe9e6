import { memoryStorage, Session } from "../../../src/index.js";
import { everyAttempt, titleOf, type Attempt } from "../attempts/index.js";
import { attemptByDrawing } from "./render-ring.js";
import { attemptOverBridge, takeAnswers, watchAnswers } from "./bridge-ring.js";
import { attemptInFrame, type Outcome } from "./frame-ring.js";
import { attemptOnPage } from "./plain-page.js";
import { Pulse } from "./pulse.js";
import { placeOf, readSetting } from "./places.js";
import type { EscapePage } from "./report.js";
import { resetTraps, setTraps, sprungTraps } from "./traps.js";
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
  return {
    attempt: async (title, environment) => {
      const attempt = everyAttempt.find((candidate) => titleOf(candidate) === title);
      if (attempt === undefined) throw new Error(`There is no attempt "${title}".`);
      const pulse = new Pulse(neighbour);
      const opening = attempt.opensSession === true ? opens() : Promise.resolve(true);
      const { text } = await make(attempt, { workers, sealed: environment === "sealed" });
      const effects = await sprungTraps();
      if (!(await opening)) effects.push("another session did not open");
      if (takeAnswers() > 0) effects.push("an answer of the page to a forged message");
      return {
        outcome: text.slice(0, 300),
        effects,
        toldSecret: text.includes(setting.secret),
        silence: await pulse.end(),
      };
    },
    neighbourAnswers: async () => (await neighbour.run("answer")).value === 42,
    present: (names) => workers.present(names),
    runsScripts: () => workers.runsScripts(),
    reset: async () => {
      for (const frame of document.querySelectorAll("iframe.control")) frame.remove();
      // What a worker holds, a lock for instance, goes with it.
      if ((await sprungTraps()).some((trap) => trap.includes("lock"))) await workers.drop("local");
      await resetTraps();
    },
  };
}

/** Whether a session opens while the attempt goes on. */
async function opens(): Promise<boolean> {
  // The attacker's frame loads first.
  await new Promise((resolve) => setTimeout(resolve, 100));
  try {
    const session = await Session.open({ storage: memoryStorage() });
    await session.close();
    return true;
  } catch {
    return false;
  }
}

function make(attempt: Attempt, { workers, sealed }: { workers: WorkerRing; sealed: boolean }): Promise<Outcome> {
  const place = placeOf(attempt, setting);
  if (!sealed && attempt.control === "plain page") return attemptOnPage(attempt, place);
  switch (attempt.ring) {
    case "worker":
      return workers.attempt(attempt, { place, trust: sealed ? "sandboxed" : "local" });
    case "frame":
      return attemptInFrame(attempt, { place, sealed });
    case "bridge":
      return attemptOverBridge(attempt, { place, sealed });
    case "render":
      return attemptByDrawing(attempt, { place, sealed });
  }
}
