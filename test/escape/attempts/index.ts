import type { Attempt } from "./attempt.js";
import { bridge } from "./bridge.js";
import { everywhere } from "./everywhere.js";
import { frame } from "./frame.js";
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

/** Every counted attempt: its control succeeds in Chromium. */
export const attempts: readonly Attempt[] = [...worker, ...everywhere, ...frame, ...bridge, ...render];
