export { AssetLoadError, CspBlockedError, WorkerLostError, WorkerStartError } from "./errors.js";
export type { BootDescription, ExecutorCapabilities } from "./executor.js";
export type { BootKind } from "./boot/prepare-worker.js";
export type { SparePolicy, SpareStatus } from "./boot/spare-slot.js";
export { sparePolicyHere } from "./hosts/spare-policy.js";
export { pageHost } from "./hosts/page-host.js";
export { sealedFrameHost } from "./hosts/sealed-frame-host.js";
export type { SpawnedWorker, WorkerHost } from "./hosts/worker-host.js";
export type { LoadProgress } from "./pyodide-files.js";
