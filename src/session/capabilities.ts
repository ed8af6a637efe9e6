import type { ExecutorCapabilities } from "../executor/index.js";
import type { TrustLevel } from "../protocol/index.js";

/**
 * What a session can do, in the names of py-code-mode. `process_isolation` is
 * the worker; what only the browser's own sandbox gives is said of `sandboxed`
 * alone. `memory_limit` is `limits.heapSize`, `network_filtering` is `allowedHosts`, which at `local` bounds the tools
 * and not the code. No session can limit processor time.
 */
export function supportedCapabilities(
  trust: TrustLevel,
  { executor, canInstall }: { executor: ExecutorCapabilities | undefined; canInstall: boolean },
): ReadonlySet<string> {
  const names = ["timeout", "reset", "process_isolation", "filesystem_isolation", "memory_limit"];
  if (canInstall) names.push("deps_install", "deps_uninstall");
  if (trust !== "local") names.push("network_filtering");
  if (trust === "sandboxed") names.push("network_isolation");
  if (executor !== undefined && executor.syncCalls.transport !== "none") names.push("sync_calls");
  if (executor?.stop === "always") names.push("interrupt");
  return new Set(names);
}
