import type { WorkerHost } from "../hosts/worker-host.js";
import { loadPyodideFiles, pyodideUrlsAt } from "../pyodide-files.js";
import { BaseSnapshots } from "./base-snapshots.js";
import type { InterpreterSource } from "./prepare-worker.js";

/** By the address of the Pyodide files: one snapshot for all sessions of the page. */
const snapshotsOf = new Map<string, BaseSnapshots>();

/** Where interpreters of this host come from. @param pyodideBaseURL - default: beside Vitrine's own script. */
export function interpreterSource(
  host: WorkerHost,
  { pyodideBaseURL, useSnapshot }: { pyodideBaseURL: string | undefined; useSnapshot: boolean },
): InterpreterSource {
  const urls = pyodideBaseURL === undefined ? undefined : pyodideUrlsAt(pyodideBaseURL);
  return {
    host,
    loadFiles: (onProgress) => loadPyodideFiles(urls, onProgress),
    snapshots: useSnapshot ? snapshotsFor(pyodideBaseURL ?? "") : null,
  };
}

function snapshotsFor(key: string): BaseSnapshots {
  const known = snapshotsOf.get(key) ?? new BaseSnapshots();
  snapshotsOf.set(key, known);
  return known;
}
