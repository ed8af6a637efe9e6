import type { Attempt } from "./attempt.js";
import { allowed } from "./allowed.js";
import { bridge } from "./bridge.js";
import { denial, denialWithoutTwin } from "./denial.js";
import { everywhere } from "./everywhere.js";
import { frame } from "./frame.js";
import { argumentsWithoutTwin, hostileArguments } from "./hostile-arguments.js";
import { render } from "./render.js";
import { wheels } from "./wheels.js";
import { worker } from "./worker.js";

export {
  MARK,
  markOf,
  slugOf,
  titleOf,
  type Attempt,
  type Group,
  type Need,
  type Place,
  type Ring,
  type Sign,
  type Twin,
} from "./attempt.js";

export { absent, allowed } from "./allowed.js";

/** Tried, though nothing shows that they succeed anywhere. */
export const withoutTwin: readonly Attempt[] = [...argumentsWithoutTwin, ...denialWithoutTwin];

/** Every counted attempt: its twin succeeds in each engine that has what it needs. */
export const attempts: readonly Attempt[] = [
  ...worker,
  ...wheels,
  ...hostileArguments,
  ...everywhere,
  ...frame,
  ...bridge,
  ...render,
  ...denial,
];

/** The counted ones, and those that are tried without being counted. */
export const everyAttempt: readonly Attempt[] = [...attempts, ...allowed, ...withoutTwin];
