import { WorkerExecutor, type Executor } from "../executor/index.js";
import type { SessionOptions } from "./session-options.js";

/** The executor that a session's options ask for. */
export function createExecutor(options: SessionOptions, onProblem: (error: unknown) => void): Executor {
  const { trust = "sandboxed", spare = "none", limits = {}, pyodideBaseURL, host, transport, useSnapshot } = options;
  return new WorkerExecutor({
    trust,
    spare,
    onProblem,
    ...(limits.heapSize === undefined ? {} : { heapLimit: limits.heapSize }),
    ...(pyodideBaseURL === undefined ? {} : { pyodideBaseURL }),
    ...(host === undefined ? {} : { host }),
    ...(transport === undefined ? {} : { transport }),
    ...(useSnapshot === undefined ? {} : { useSnapshot }),
  });
}
