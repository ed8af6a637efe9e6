export * from "./public.js";
export type {
  CollectedFiles,
  Executor,
  ExecutorOutcome,
  ExecutorRun,
  LossReason,
  StartOptions,
  UnstoredEntry,
} from "./executor.js";
export { InvocationError } from "./invocations.js";
export { loadPyodideFiles, lockfileUrl, pyodideUrlsAt, type PyodideUrls } from "./pyodide-files.js";
export { WorkerExecutor, type WorkerExecutorOptions } from "./worker-executor.js";
