import type { TrustLevel } from "../../protocol/index.js";
import type { Workspace } from "../../workspace/index.js";

/** Where everything of codegen lies in the workspace. */
const PROGRAMS = "codegen/executed_programs";

/** Two calls at once would find the same number free: the next one looks when the one before has written. */
const turns = new WeakMap<Workspace, Promise<unknown>>();

export interface KeptProgram {
  readonly code: string;
  /** `codegen_python`: the file is `codegen_python_0_main.py`, or has the next number that is free. */
  readonly label: string;
  /** The level at which it runs. A model wrote it, so a session of another level is to ask before it gets it. */
  readonly trust: TrustLevel;
}

/** Keeps a program beside what it made, so that a person can read what ran. @returns its path; none where there is no room for it. */
export function keepProgram(workspace: Workspace, program: KeptProgram): Promise<string[]> {
  const kept = (turns.get(workspace) ?? Promise.resolve()).then(() => write(workspace, program));
  turns.set(workspace, kept);
  return kept;
}

async function write(workspace: Workspace, { code, label, trust }: KeptProgram): Promise<string[]> {
  try {
    const taken = new Set((await workspace.list()).map(({ path }) => path));
    const content = new TextEncoder().encode(code);
    const { paths } = await workspace.mirror(trust).applyChanges([{ path: freePath(label, taken), content }]);
    return [...paths];
  } catch {
    // That it cannot be stored is no reason not to run it.
    return [];
  }
}

function freePath(label: string, taken: ReadonlySet<string>): string {
  for (let number = 0; ; number += 1) {
    const path = `${PROGRAMS}/${label}_${String(number)}_main.py`;
    if (!taken.has(path)) return path;
  }
}
