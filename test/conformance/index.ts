import { artifactCases } from "./cases/f-artifacts.js";
import { depsCases } from "./cases/g-deps.js";
import { serviceCases } from "./cases/d-http.js";
import { errorCases } from "./cases/h-errors.js";
import { executionCases } from "./cases/a-execution.js";
import { skillCases } from "./cases/e-skills.js";
import { serverCases } from "./cases/d-servers.js";
import { commandCases } from "./cases/c-commands.js";
import { toolCases } from "./cases/b-tools.js";
import type { ConformanceCase } from "./conformance-case.js";

export type { ConformanceCase, PendingRow } from "./conformance-case.js";
export { fixtureCommands, fixtureSeeds, fixtureTools } from "./fixture-tools.js";
export { waitingCalls } from "./waiting-calls.js";
export { execSessionRows, pendingRows } from "./pending.js";
export { ConformanceRunner, type ConformanceResult } from "./run-conformance.js";

/** Every row that is promised, by section. */
export const conformanceCases: Readonly<Record<string, readonly ConformanceCase[]>> = {
  "A. Execution and result": executionCases,
  "B. Tools": toolCases,
  "C. Command lines": commandCases,
  "D. Services over HTTP": serviceCases,
  "D. Servers": serverCases,
  "E. Skills": skillCases,
  "F. Artifacts": artifactCases,
  "G. Deps": depsCases,
  "H. Errors across the bridge": errorCases,
};
