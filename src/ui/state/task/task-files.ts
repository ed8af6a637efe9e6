import type { Workspace } from "../../../workspace/index.js";
import type { ShippedTask } from "../../tasks/index.js";

/** @throws {Error} naming the file. */
export type FetchFile = (url: string) => Promise<Uint8Array<ArrayBuffer>>;

export interface PrepareOptions {
  readonly fetchFile: FetchFile;
  /** Overwrites what the user has changed. Default: false. */
  readonly replace?: boolean;
  /** Overwrites what code has changed, an earlier run of the task for instance. Default: false. */
  readonly replacesWorkOfCode?: boolean;
}

/**
 * Puts a task's files into the workspace. A file of that name that is there
 * already is the user's and stays.
 *
 * @returns the paths of those that differ from what the task came with.
 */
export async function prepareFiles(
  { files }: Pick<ShippedTask, "files">,
  workspace: Pick<Workspace, "list" | "read" | "write">,
  { fetchFile, replace = false, replacesWorkOfCode = false }: PrepareOptions,
): Promise<string[]> {
  const present = new Map((await workspace.list()).map((file) => [file.path, file]));
  const differing: string[] = [];
  for (const { path, url } of files) {
    const bytes = await fetchFile(url);
    const isOfCode = replacesWorkOfCode && present.get(path)?.trust !== undefined;
    if (!present.has(path) || replace || isOfCode) await workspace.write(path, bytes);
    else if (!sameBytes(bytes, await workspace.read(path))) differing.push(path);
  }
  return differing;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index]);
}
