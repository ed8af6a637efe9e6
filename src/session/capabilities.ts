import type { ExecutorCapabilities } from "../executor/index.js";
import type { TrustLevel } from "../protocol/index.js";

/**
 * What a session can do, in the names of py-code-mode. `process_isolation` is
 * the worker; what only the browser's own sandbox gives is said of `sandboxed`
 * alone. No session can limit memory or processor time yet.
 */
export function supportedCapabilities(
  trust: TrustLevel,
  executor: ExecutorCapabilities | undefined,
): ReadonlySet<string> {
  const names = ["timeout", "reset", "deps_install", "process_isolation", "filesystem_isolation"];
  if (trust === "sandboxed") names.push("network_isolation");
  if (executor !== undefined && executor.syncCalls.transport !== "none") names.push("sync_calls");
  if (executor?.stop === "always") names.push("interrupt");
  return new Set(names);
}
