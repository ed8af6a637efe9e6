import type { Batch } from "./batch.js";
import { durations } from "./durations/batch.js";
import { lending } from "./lending/batch.js";
import { prices } from "./prices/batch.js";
import { settings } from "./settings/batch.js";
import { statusPage } from "./status-page/batch.js";

export type { Batch } from "./batch.js";

/** Files that are to be written by `write_codebase_tool`. */
export const evalBatches: readonly Batch[] = [durations, lending, prices, settings, statusPage];
