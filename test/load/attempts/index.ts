import type { LoadAttempt } from "./attempt.js";
import { chartAttempts } from "./charts.js";
import { contractAttempts } from "./contracts.js";
import { drawingAttempts } from "./drawings.js";
import { fileAttempts } from "./files.js";
import { methodAttempts } from "./methods.js";
import { packageAttempts } from "./packages.js";
import { shelfAttempts } from "./shelf.js";
import { valueAttempts } from "./values.js";
import { writeCodeAttempts } from "./write-code.js";

export type { Drawing, LoadAttempt } from "./attempt.js";

export const loadAttempts: readonly LoadAttempt[] = [
  ...methodAttempts,
  ...valueAttempts,
  ...contractAttempts,
  ...packageAttempts,
  ...fileAttempts,
  ...writeCodeAttempts,
  ...drawingAttempts,
  ...chartAttempts,
  ...shelfAttempts,
];

/** What of the page can be kept busy beside the methods of the bridge. */
export const otherEntries: readonly string[] = [
  "results",
  "outputs",
  "displays",
  "files",
  "file tools",
  "write_codebase_tool",
  "names",
  "schemas",
  "tool definitions",
  "approvals",
  "artifacts",
  "codegen contracts",
  "journal",
  "packages",
  "the shelf",
];
