import type { BootReport, TransportKind, TrustLevel } from "../protocol/index.js";
import type { Preparation } from "./boot/prepare-worker.js";
import type { ExecutorCapabilities } from "./executor.js";
import type { WorkerHost } from "./hosts/worker-host.js";

export interface ExecutorFacts extends Pick<Preparation, "boot" | "stages"> {
  readonly trust: TrustLevel;
  readonly host: WorkerHost["kind"];
  /** The interpreter was a spare. */
  readonly spare: boolean;
}

/** What an executor can do with the interpreter that reported. */
export function describeExecutor(
  report: BootReport,
  { trust, host, boot, stages, spare }: ExecutorFacts,
): ExecutorCapabilities {
  const { transport, transportReason, python, pyodide } = report;
  return {
    trust,
    host,
    syncCalls: { transport, reason: transportReason },
    stop: stopsByUrl(report) || transport === "shared-memory" ? "always" : whileWaiting(transport),
    python,
    pyodide,
    boot: { ...boot, spare, stages: { ...stages, ...report.stages } },
  };
}

/** Whether code is told to stop by blob URLs that the page revokes. */
export function stopsByUrl({ transport, readsBlobUrls }: BootReport): boolean {
  return readsBlobUrls && transport !== "shared-memory";
}

function whileWaiting(transport: TransportKind): "while-waiting" | "never" {
  return transport === "jspi" ? "while-waiting" : "never";
}
