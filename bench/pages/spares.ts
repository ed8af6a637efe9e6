import { indexedDBStorage, Session } from "../../src/index.js";
import type { Readiness, SparesPage } from "./bench-page.js";
import { nextMessage } from "./next-message.js";
import { failure } from "./sides/vitrine-side.js";

/** Milliseconds between two looks whether the spare is there. */
const LOOK = 20;

/** Keeps the spare, and is the session that is reset. */
let keeper: Promise<Session> | undefined;

function openSession(): Promise<Session> {
  return Session.open({ storage: indexedDBStorage("bench-spares"), trust: "sandboxed", spare: "one" });
}

/** Waits until the spare is there; the time that it takes is nobody's. */
async function keeperWithSpare(): Promise<Session> {
  const session = await (keeper ??= openSession());
  while (session.spare.state !== "ready") {
    if (session.spare.problem !== null) throw new Error(`There is no spare: ${session.spare.problem}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
  return session;
}

/** From the call of `start` on. */
async function measure(start: () => Promise<Session>): Promise<Readiness> {
  const started = performance.now();
  const session = await start();
  const ready = performance.now() - started;
  const { value, error } = await session.run("1 + 1");
  const firstResult = performance.now() - started;
  if (error !== null) throw failure(error);
  if (value !== 2) throw new Error(`Python says ${JSON.stringify(value)}.`);
  if (session.capabilities?.boot.spare !== true) throw new Error("The session was not given the spare.");
  if (session !== (await keeper)) await session.close();
  // The other side is measured next, and the making of a spare takes a core.
  await keeperWithSpare();
  return { ready, firstResult };
}

const page: SparesPage = {
  open: async () => {
    await keeperWithSpare();
    return measure(openSession);
  },
  reset: async () => {
    const session = await keeperWithSpare();
    return measure(async () => {
      await session.reset();
      return session;
    });
  },
  bare: async () => {
    await keeperWithSpare();
    const started = performance.now();
    const worker = new Worker(new URL("./bare-worker.ts", import.meta.url), { type: "module" });
    await nextMessage(worker);
    const ready = performance.now() - started;
    worker.postMessage("1 + 1");
    if ((await nextMessage(worker)) !== 2) throw new Error("Python does not answer 2.");
    const firstResult = performance.now() - started;
    worker.terminate();
    return { ready, firstResult };
  },
};
globalThis.spares = page;
