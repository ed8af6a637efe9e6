import { indexedDBStorage, Session, type RunResult } from "../../src/index.js";
import type { InterruptsPage, LoopPlace } from "./bench-page.js";
import { nextMessage } from "./next-message.js";
import { failure } from "./sides/vitrine-side.js";

/** Milliseconds after which the runs that never end are to be ended. */
const DEADLINE = 300;

const LOOP = `
import time
def time_loop(count):
    started = time.perf_counter()
    total = 0
    for index in range(count):
        total += index & 7
    return (time.perf_counter() - started) * 1000
`;

const sessions = new Map<string, Promise<Session>>();

/** With a deadline far off and a way to be stopped, as any session has them. */
function sessionAt(trust: "sandboxed" | "local"): Promise<Session> {
  let session = sessions.get(trust);
  if (session === undefined) {
    session = Session.open({ storage: indexedDBStorage(`bench-interrupts-${trust}`), trust, timeout: 600_000 });
    sessions.set(trust, session);
  }
  return session;
}

function mustBe(code: string, { error }: RunResult): void {
  if (error?.code !== code) throw new Error(`The run ended with ${error?.code ?? "a value"} and not with ${code}.`);
}

async function timeOfLoop(trust: "sandboxed" | "local", count: number): Promise<number> {
  const session = await sessionAt(trust);
  const { value, error } = await session.run(`${LOOP}\ntime_loop(${String(count)})`);
  if (error !== null) throw failure(error);
  return Number(value);
}

let bare: Promise<Worker> | undefined;

async function startBare(): Promise<Worker> {
  const worker = new Worker(new URL("./bare-worker.ts", import.meta.url), { type: "module" });
  await nextMessage(worker);
  return worker;
}

const page: InterruptsPage = {
  deadline: async (trust) => {
    const session = await sessionAt(trust);
    const started = performance.now();
    const result = await session.run("while True: pass", { timeout: DEADLINE });
    const late = performance.now() - started - DEADLINE;
    mustBe("RUN_TIMEOUT", result);
    return late;
  },
  stop: async (trust) => {
    const session = await sessionAt(trust);
    const { promise: printed, resolve: onOutput } = Promise.withResolvers<unknown>();
    const running = session.run("print('computing')\nwhile True: pass", { onOutput });
    await printed;
    // Anywhere between two looks of the worker.
    await new Promise((done) => setTimeout(done, 100 + Math.random() * 100));
    const asked = performance.now();
    session.interrupt();
    const result = await running;
    const time = performance.now() - asked;
    mustBe("RUN_INTERRUPTED", result);
    return time;
  },
  sleep: async (trust, seconds) => {
    const session = await sessionAt(trust);
    const { error } = await session.run(`import time\ntime.sleep(${String(seconds)})`);
    if (error !== null) throw failure(error);
    return seconds;
  },
  loop: async (place: LoopPlace, count) => {
    if (place !== "bare") return timeOfLoop(place, count);
    const worker = await (bare ??= startBare());
    worker.postMessage(`${LOOP}\ntime_loop(${String(count)})`);
    return Number(await nextMessage(worker));
  },
};
globalThis.interrupts = page;
