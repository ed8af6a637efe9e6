import { setTimeout as delay } from "node:timers/promises";

import { SHOWS } from "../../timeouts.mjs";

/** Milliseconds between two looks. */
const INTERVAL = 100;

type Evaluate = (expression: string) => Promise<unknown>;

/** Waits until the page is wholly loaded, somewhere else than at the address it leaves. */
export async function arrived(evaluate: Evaluate, left: unknown): Promise<void> {
  for (let attempt = 0; attempt < SHOWS / INTERVAL; attempt += 1) {
    // A page that is just being left does not answer.
    const here = await evaluate("document.readyState === 'complete' ? location.href : ''").catch(() => "");
    if (here !== "" && here !== left) return;
    await delay(INTERVAL);
  }
  throw new Error(`The page did not get away from ${String(left)} in time.`);
}

/**
 * One page back, by the page's own history: the drivers' commands wait for a load, and a page out of the back/forward
 * cache does not load again.
 */
export async function goBack(evaluate: Evaluate): Promise<void> {
  const left = await evaluate("location.href");
  await evaluate("void setTimeout(() => history.back())");
  await arrived(evaluate, left);
}
