import type { Lineage } from "../runs/lineage.js";
import { createServices, type InterpreterDoor, type Services } from "../calls/services.js";
import type { SessionOptions } from "../session-options.js";

/** How a session comes into being: by itself, or inside another one. */
export interface SessionBirth {
  readonly services: (options: SessionOptions, door: InterpreterDoor) => Services;
  readonly lineage?: Lineage;
}

export const ORDINARY: SessionBirth = { services: createServices };
