export { AssetLoadError, CspBlockedError, WorkerLostError, WorkerStartError } from "./errors.js";
export type {
  BootDescription,
  CollectedFiles,
  Executor,
  ExecutorCapabilities,
  ExecutorOutcome,
  ExecutorRun,
  LossReason,
  StartOptions,
} from "./executor.js";
export { InvocationError } from "./invocations.js";
export type { BootKind } from "./boot/prepare-worker.js";
export type { SparePolicy, SpareStatus } from "./boot/spare-slot.js";
export { sparePolicyHere } from "./hosts/spare-policy.js";
export { pageHost } from "./hosts/page-host.js";
export { sealedFrameHost } from "./hosts/sealed-frame-host.js";
export type { SpawnedWorker, WorkerHost } from "./hosts/worker-host.js";
export { loadPyodideFiles, pyodideUrlsAt, type LoadProgress, type PyodideUrls } from "./pyodide-files.js";
export { WorkerExecutor, type WorkerExecutorOptions } from "./worker-executor.js";
