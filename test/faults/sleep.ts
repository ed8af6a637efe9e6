import { setTimeout as delay } from "node:timers/promises";

import { descendants } from "../engines/processes.js";

/** Whether processes can be found and stopped here. */
export const canSleep = process.platform === "linux";

/**
 * Stops every process that this one has started, the browser's with all its tabs, for so many milliseconds: to them it
 * is a machine whose lid was closed. Their clocks jump when they go on.
 */
export async function putToSleep(milliseconds: number): Promise<void> {
  const processes = (await descendants()).map(({ pid }) => pid);
  if (processes.length === 0) throw new Error("There is no process to put to sleep.");
  signal(processes, "SIGSTOP");
  await delay(milliseconds);
  signal(processes, "SIGCONT");
}

function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const pid of processes) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}
