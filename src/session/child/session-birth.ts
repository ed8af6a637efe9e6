import type { Lineage } from "../runs/lineage.js";
import { createServices, type InterpreterAccess, type Services } from "../calls/services.js";
import type { SessionOptions } from "../session-options.js";

/** How a session comes into being: by itself, or inside another one. */
export interface SessionBirth {
  readonly services: (options: SessionOptions, interpreter: InterpreterAccess) => Services;
  readonly lineage?: Lineage;
}

export const ORDINARY: SessionBirth = { services: createServices };
