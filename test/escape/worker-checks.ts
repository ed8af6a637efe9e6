import { absent } from "./attempts/index.js";
import type { Pass } from "./suite.js";

/** Milliseconds. Browsers give a finer clock, 5 to 20 microseconds, to pages that are cross-origin isolated. */
const COARSE = 0.05;

/** What must hold of the sealed worker besides that attempts fail: each says what it found that should not be. */
export const workerChecks: readonly { readonly title: string; readonly find: (pass: Pass) => Promise<unknown> }[] = [
  {
    title: "worker code has none of what a frame's own script is allowed",
    find: (pass) => pass.ask(`escapePage.then((page) => page.present(${JSON.stringify(absent)}))`),
  },
  {
    title: "worker code has no second thread that counts for it",
    find: (pass) =>
      pass.ask(`escapePage.then((page) => page.present(["Worker", "SharedWorker", "SharedArrayBuffer"]))`),
  },
  {
    title: "worker code has no clock finer than the coarse one",
    find: async (pass) => {
      const step = Number(await pass.ask("escapePage.then((page) => page.finestClock())"));
      return step >= COARSE ? [] : [`a clock with steps of ${String(step)} ms`];
    },
  },
];
