import type { Workspace, WorkspaceFile } from "../../../workspace/index.js";
import { filesOf, type TreeRow } from "./path-tree.js";

/** Makes a file where there is none. @throws {Error} with a sentence for the person. */
export async function createFile(workspace: Workspace, path: string, text = ""): Promise<void> {
  await withPlainWords(path, () => workspace.write(path, text, { ifVersion: null }));
}

/**
 * Gives a file, or all that lies in a folder, another path.
 *
 * @returns the paths of files, new by old, and the files as they are now. @throws {Error} with a sentence for the person, with nothing changed.
 */
export async function moveRow(
  workspace: Workspace,
  { row, files, path }: { readonly row: TreeRow; readonly files: readonly WorkspaceFile[]; readonly path: string },
): Promise<{ readonly paths: ReadonlyMap<string, string>; readonly moved: readonly WorkspaceFile[] }> {
  const target = path.replace(/\/+$/, "");
  const moves = filesOf(row, files).map((file) => [file.path, target + file.path.slice(row.path.length)] as const);
  const paths = new Map(moves.filter(([from, to]) => from !== to));
  const moved = paths.size === 0 ? [] : await withPlainWords(target, () => workspace.move(paths));
  return { paths, moved };
}

/** @throws what storage throws, with nothing deleted. */
export async function deleteFiles(workspace: Workspace, files: readonly WorkspaceFile[]): Promise<void> {
  await workspace.writeAll(new Map(files.map(({ path }) => [path, null])));
}

/** A conflict means one thing here: there is such a file, or one that was to be moved has just been written. */
async function withPlainWords<T>(path: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new Error(
      error.expected === null
        ? `There is a file at ${error.path} already. Nothing was changed.`
        : `${error.path} has just changed, so ${path} was not written. Try again.`,
      { cause: error },
    );
  }
}

/** Whether a write was refused because a file is not in the version that was read. */
export function isConflict(
  error: unknown,
): error is Error & { readonly path: string; readonly expected: string | null; readonly found: string | null } {
  return error instanceof Error && "code" in error && error.code === "WORKSPACE_CONFLICT" && "expected" in error;
}
