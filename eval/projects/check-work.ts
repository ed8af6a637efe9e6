import { checkProject } from "./check-project.js";
import type { Project } from "./project.js";
import { applyChanges, readDiff } from "./read-diff.js";
import { readTree, type Tree } from "./trees.js";

/** A workspace in which a task has changed something, as far as that is looked at. */
interface ChangedWorkspace {
  readonly list: () => Promise<readonly { readonly path: string }[]>;
  readonly read: (path: string) => Promise<Uint8Array>;
  readonly changes: (taskId: string) => Promise<{ readonly undo: () => Promise<unknown> } | undefined>;
}

/** What is left of the work of a coding agent on a project. */
export interface ProjectWork {
  readonly workspace: ChangedWorkspace;
  readonly taskId: string;
  /** What the agent gives as the difference of its task; undefined where it gives none. */
  readonly difference: Uint8Array | undefined;
}

/** Milliseconds for all tests: with them, a run that took all of its time still ends before its page is taken to hang. */
const TIMEOUT = 15_000;

/**
 * What is wrong with the work of a coding agent; empty when its project is mended, its difference is what it did, and its task can be
 * undone. The files are as they were before the task after that.
 */
export async function workProblems(
  project: Project,
  { workspace, taskId, difference }: ProjectWork,
): Promise<string[]> {
  const after = await readTree(workspace);
  const problems = await checkProject(project, after, { timeout: TIMEOUT });
  return [
    ...problems.map(({ part, text }) => `${part}: ${text}`),
    ...differenceProblems(project.files, { after, difference }),
    ...(await undoProblems(project.files, { workspace, taskId })),
  ];
}

/** What is wrong with the difference that an agent gives: applied to the project it has to lead to what there is now. */
export function differenceProblems(
  before: Tree,
  { after, difference }: { readonly after: Tree; readonly difference: Uint8Array | undefined },
): string[] {
  if (difference === undefined) return isSameTree(before, after) ? [] : ["the task's difference: it was not saved"];
  try {
    const changed = applyChanges(before, readDiff(new TextDecoder().decode(difference)));
    return isSameTree(changed, after) ? [] : ["the task's difference: it does not lead to the files as they are now"];
  } catch (error) {
    return [`the task's difference: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** What is wrong with the undo of a task: it has to bring back the project as it was. */
export async function undoProblems(
  before: Tree,
  { workspace, taskId }: Pick<ProjectWork, "workspace" | "taskId">,
): Promise<string[]> {
  try {
    await (await workspace.changes(taskId))?.undo();
  } catch (error) {
    return [`undo: ${error instanceof Error ? error.message : String(error)}`];
  }
  return isSameTree(before, await readTree(workspace)) ? [] : ["undo: the files are not as they were"];
}

function isSameTree(one: Tree, other: Tree): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
}
