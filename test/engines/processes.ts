import { readdir, readFile } from "node:fs/promises";

/** A process that this one has started, or one of those did. */
export interface Descendant {
  readonly pid: number;
  /** Milliseconds of processor time so far, to ten. */
  readonly processorTime: number;
}

/** The kernel counts in hundredths of a second, whatever it counts in itself. */
const TICK = 10;

/** Every process below this one, the browsers' with all their tabs. Linux only. */
export async function descendants(): Promise<readonly Descendant[]> {
  const all = new Map<number, Descendant & { readonly parent: number }>();
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    // "pid (name) state ppid …"; the name may hold anything, brackets too.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [parent, user, system] = [1, 11, 12].map((at) => Number(fields[at]));
    all.set(pid, { pid, parent: parent ?? 0, processorTime: ((user ?? 0) + (system ?? 0)) * TICK });
  }
  const found: Descendant[] = [];
  const children = (of: number): Descendant[] => [...all.values()].filter(({ parent }) => parent === of);
  for (let next = children(process.pid); next.length > 0; next = next.flatMap(({ pid }) => children(pid))) {
    found.push(...next);
  }
  return found;
}

/** Milliseconds of processor time that all of them have used so far; those that have ended are not in it. */
export async function processorTime(): Promise<number> {
  return (await descendants()).reduce((sum, { processorTime }) => sum + processorTime, 0);
}
