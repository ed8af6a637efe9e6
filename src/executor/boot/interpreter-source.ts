import type { TrustLevel } from "../../protocol/index.js";
import { pageHost } from "../hosts/page-host.js";
import { sealedFrameHost } from "../hosts/sealed-frame-host.js";
import type { WorkerHost } from "../hosts/worker-host.js";
import { loadPyodideFiles, pyodideUrlsAt } from "../pyodide-files.js";
import { BaseSnapshots } from "./base-snapshots.js";
import type { InterpreterSource } from "./prepare-worker.js";

/** By the address of the Pyodide files: one snapshot for all sessions of the page. */
const snapshotsOf = new Map<string, BaseSnapshots>();

export interface SourceOptions {
  readonly trust: TrustLevel;
  /** Default: the host that belongs to the trust level. */
  readonly host: WorkerHost | undefined;
  /** Default: beside Vitrine's own script. */
  readonly pyodideBaseURL: string | undefined;
  readonly useSnapshot: boolean;
}

/** Where an executor's interpreters come from. */
export function interpreterSource(options: SourceOptions): InterpreterSource {
  const { trust, host = hostFor(trust), pyodideBaseURL, useSnapshot } = options;
  const urls = pyodideBaseURL === undefined ? undefined : pyodideUrlsAt(pyodideBaseURL);
  return {
    host,
    loadFiles: (onProgress) => loadPyodideFiles(urls, onProgress),
    snapshots: useSnapshot ? snapshotsFor(pyodideBaseURL ?? "") : null,
  };
}

function hostFor(trust: TrustLevel): WorkerHost {
  switch (trust) {
    case "local":
    case "isolated":
      return pageHost();
    case "sandboxed":
      return sealedFrameHost();
  }
}

function snapshotsFor(key: string): BaseSnapshots {
  const known = snapshotsOf.get(key) ?? new BaseSnapshots();
  snapshotsOf.set(key, known);
  return known;
}
