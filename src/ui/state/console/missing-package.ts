import type { RunResult } from "../../../session/index.js";

/** Words of the session's own advice (`import_hint` of worker/python/vitrine/_deps.py). */
const ADVICE = "which Pyodide's lockfile has as";

/** Whether code ended because it imports what was built with Pyodide, and is not installed. */
export function missesPyodidePackage(result: RunResult | null): boolean {
  const error = result?.error;
  return error?.pythonType === "ModuleNotFoundError" && error.message.includes(ADVICE);
}
