import type { Slices } from "./slices.js";

/** Work in many steps. */
export type Steps<Result> = Generator<undefined, Result>;

/** Does work step by step, and lets the page go on in between. */
export async function stepped<Result>(steps: Steps<Result>, slices: Slices): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await slices.rest();
  }
}
