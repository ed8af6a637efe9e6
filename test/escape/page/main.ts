import { memoryStorage, Session } from "../../../src/index.js";
import { attempts, titleOf, type Attempt } from "../attempts/index.js";
import { attemptByDrawing } from "./render-ring.js";
import { attemptOverBridge, takeAnswers, watchAnswers } from "./bridge-ring.js";
import { attemptInFrame, type Outcome } from "./frame-ring.js";
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
      const attempt = attempts.find((candidate) => titleOf(candidate) === title);
      if (attempt === undefined) throw new Error(`There is no attempt "${title}".`);
      const { text } = await make(attempt, { workers, sealed: environment === "sealed" });
      const effects = await sprungTraps();
      if (takeAnswers() > 0) effects.push("an answer of the page to a forged message");
      return { outcome: text.slice(0, 300), effects, toldSecret: text.includes(setting.secret), silence: 0 };
    },
    neighbourAnswers: async () => (await neighbour.run("answer")).value === 42,
    runsScripts: () => workers.runsScripts(),
    reset: async () => {
      for (const frame of document.querySelectorAll("iframe.control")) frame.remove();
      // What a worker holds, a lock for instance, goes with it.
      if ((await sprungTraps()).some((trap) => trap.includes("lock"))) await workers.drop("local");
      await resetTraps();
    },
  };
}

function make(attempt: Attempt, { workers, sealed }: { workers: WorkerRing; sealed: boolean }): Promise<Outcome> {
  const place = placeOf(attempt, setting);
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
