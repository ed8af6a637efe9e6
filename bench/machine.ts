import { cpus, platform, release, totalmem } from "node:os";

/** Where the figures come from. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  /** Name and version. */
  readonly browser: string;
}

export function describeMachine(browserVersion: string): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memory: totalmem(),
    system: `${platform()} ${release()}`,
    node: process.version,
    browser: `Chromium ${browserVersion}`,
  };
}

export function machineLine({ cpu, cores, memory, system, node, browser }: Machine): string {
  const gibibytes = Math.round(memory / 2 ** 30);
  return `${browser} on ${cpu}, ${String(cores)} cores, ${String(gibibytes)} GiB, ${system}, Node ${node}`;
}
