import { cpus, platform, release, totalmem } from "node:os";

/** What the figures come from, beside the browser. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memory: totalmem(),
    system: `${platform()} ${release()}`,
    node: process.version,
  };
}

/** @param browser - name and version. */
export function machineLine(browser: string, { cpu, cores, memory, system, node }: Machine): string {
  const gibibytes = Math.round(memory / 2 ** 30);
  return `${browser} on ${cpu}, ${String(cores)} cores, ${String(gibibytes)} GiB, ${system}, Node ${node}`;
}
