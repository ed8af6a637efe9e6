import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** Whether processes can be found and stopped here. */
export const canSleep = process.platform === "linux";

/**
 * Stops every process that this one has started, the browser's with all its tabs, for so many milliseconds: to them it
 * is a machine whose lid was closed. Their clocks jump when they go on.
 */
export async function putToSleep(milliseconds: number): Promise<void> {
  const processes = await descendants(process.pid);
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

async function descendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    // "pid (name) state ppid …"; the name may hold anything, brackets too.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    parents.set(pid, parent);
  }
  const found: number[] = [];
  const children = (parent: number): number[] => [...parents].filter(([, of]) => of === parent).map(([pid]) => pid);
  for (let next = children(root); next.length > 0; next = next.flatMap(children)) found.push(...next);
  return found;
}
