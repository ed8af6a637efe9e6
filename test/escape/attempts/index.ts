import type { Attempt } from "./attempt.js";
import { allowed } from "./allowed.js";
import { bridge } from "./bridge.js";
import { denial, denialWithoutControl } from "./denial.js";
import { everywhere } from "./everywhere.js";
import { frame } from "./frame.js";
import { argumentsWithoutControl, hostileArguments } from "./hostile-arguments.js";
import { render } from "./render.js";
import { worker } from "./worker.js";

export {
  slugOf,
  titleOf,
  type Attempt,
  type Control,
  type Group,
  type Place,
  type Ring,
  type Sign,
} from "./attempt.js";

export { absent, allowed } from "./allowed.js";

/** Tried, though nothing shows that they succeed anywhere. */
export const withoutControl: readonly Attempt[] = [...argumentsWithoutControl, ...denialWithoutControl];

/** Every counted attempt: its control succeeds in Chromium. */
export const attempts: readonly Attempt[] = [
  ...worker,
  ...hostileArguments,
  ...everywhere,
  ...frame,
  ...bridge,
  ...render,
  ...denial,
];

/** The counted ones, and those that are tried without being counted. */
export const everyAttempt: readonly Attempt[] = [...attempts, ...allowed, ...withoutControl];
