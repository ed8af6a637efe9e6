import type { WorkspaceFile } from "../../../workspace/index.js";
import { contentForm } from "../text/content-form.js";
import { FIRST_SNIPPETS, fileSnippets, type Snippet } from "./snippets.js";

/** Bytes beyond which a file is not read for what cells could be made of it. */
const LARGEST = 4_000_000;

/**
 * Cells to try in place of a task: of the file that the task names, else of the user's newest, else of no file.
 *
 * @param task - what the user wrote; empty for nothing.
 */
export async function readyCells(
  task: string,
  {
    files,
    read,
  }: { readonly files: readonly WorkspaceFile[]; readonly read: (path: string) => Promise<Uint8Array<ArrayBuffer>> },
): Promise<readonly Snippet[]> {
  const own = files.filter(({ size, trust }) => size <= LARGEST && trust === undefined);
  const file = own.find(({ path }) => task.includes(path)) ?? own.toSorted((a, b) => timeOf(b) - timeOf(a))[0];
  if (file === undefined) return FIRST_SNIPPETS;
  return fileSnippets({ path: file.path, form: contentForm(file.path, await read(file.path)) });
}

function timeOf({ modifiedAt }: WorkspaceFile): number {
  return modifiedAt.getTime();
}
