import { VitrineError } from "../../protocol/index.js";
import { WorkspaceConflictError } from "../../workspace/index.js";
import { applyChunks } from "./apply-chunks.js";
import { EmptyPatchError, PatchConflictError, PatchFileError, PatchTooLargeError } from "./errors.js";
import { parsePatch } from "./parse-patch.js";
import type { AddHunk, DeleteHunk, Hunk, UpdateHunk } from "./patch.js";
import type { PatchFiles } from "./patch-files.js";
import { patchPath } from "./patch-path.js";
import { IS_FOLDER, MISSING, PatchedTree } from "./patched-tree.js";
import { Steps } from "./steps.js";

/** Files are looked for one after the other. */
const MOST_HUNKS = 2000;

/** What a patch did, with paths as it writes them. */
export interface AppliedPatch {
  readonly added: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
  /** In the words of the protocol. */
  readonly text: string;
}

/**
 * Applies a patch: all of it, or nothing of it. Hunks are applied one after the other to what the ones before them made.
 *
 * @param options - `folder`: where relative paths begin, below `/workspace`. Default: there.
 * @throws {PatchError} with nothing changed.
 */
export async function applyPatch(
  text: string,
  files: PatchFiles,
  { folder = "" }: { readonly folder?: string } = {},
): Promise<AppliedPatch> {
  const hunks = parsePatch(text);
  if (hunks.length === 0) throw new EmptyPatchError();
  if (hunks.length > MOST_HUNKS) {
    throw new PatchTooLargeError(`A patch may change ${String(MOST_HUNKS)} files. Make several of it.`);
  }
  const places = hunks.map((hunk) => new HunkPlace(hunk, folder));
  const tree = new PatchedTree(files);
  const steps = new Steps();
  const done = { added: new Set<string>(), modified: new Set<string>(), deleted: new Set<string>() };
  for (const place of places) {
    const { hunk } = place;
    if (hunk.kind === "add") {
      await add(tree, hunk, place);
      done.added.add(hunk.path);
    } else if (hunk.kind === "delete") {
      await remove(tree, hunk, place);
      done.deleted.add(hunk.path);
    } else {
      await update(tree, hunk, { place, steps });
      done.modified.add(hunk.target ?? hunk.path);
    }
    await steps.spend(1);
  }
  await write(tree, places);
  return summary(done);
}

/** The files of a hunk, below `/workspace`. */
class HunkPlace {
  readonly path: string;
  readonly target: string | null;

  /** @throws {PatchOutsideError} */
  constructor(
    readonly hunk: Hunk,
    folder: string,
  ) {
    this.path = patchPath(hunk.path, folder);
    const target = hunk.kind === "update" ? hunk.target : null;
    this.target = target === null ? null : patchPath(target, folder);
  }
}

async function add(tree: PatchedTree, { path, content }: AddHunk, place: HunkPlace): Promise<void> {
  await checkTarget(tree, path, place.path);
  tree.put(place.path, content);
}

async function remove(tree: PatchedTree, { path }: DeleteHunk, place: HunkPlace): Promise<void> {
  const kind = await tree.kindOf(place.path);
  if (kind !== "file") {
    const fault = kind === "folder" ? IS_FOLDER : MISSING;
    throw new PatchFileError(path, `Failed to delete file ${path}`, { inTool: `Failed to read ${path}: ${fault}` });
  }
  tree.put(place.path, null);
}

async function update(
  tree: PatchedTree,
  hunk: UpdateHunk,
  { place, steps }: { readonly place: HunkPlace; readonly steps: Steps },
): Promise<void> {
  const state = place.path === "" ? null : await tree.read(place.path);
  if (state?.kind !== "text") {
    throw new PatchFileError(hunk.path, `Failed to read file to update ${hunk.path}: ${state?.fault ?? IS_FOLDER}`);
  }
  const text = await applyChunks(state.text, hunk, steps);
  const { target } = place;
  if (target === null || target === place.path) {
    if (text !== state.text) tree.put(place.path, text);
    return;
  }
  await checkTarget(tree, hunk.target ?? "", target);
  tree.put(target, text);
  tree.put(place.path, null);
}

/** @throws {PatchFileError} where no file can be written. */
async function checkTarget(tree: PatchedTree, written: string, path: string): Promise<void> {
  if (await tree.isBelowFile(path)) {
    throw new PatchFileError(written, `Failed to create parent directories for ${written}`);
  }
  if ((await tree.kindOf(path)) === "folder") throw new PatchFileError(written, `Failed to write file ${written}`);
}

async function write(tree: PatchedTree, places: readonly HunkPlace[]): Promise<void> {
  try {
    await tree.write();
  } catch (error) {
    if (error instanceof WorkspaceConflictError) {
      const { expected, found } = error;
      throw new PatchConflictError(writtenAs(error.path, places), { expected, found, cause: error });
    }
    if (!(error instanceof VitrineError) || !("path" in error) || typeof error.path !== "string") throw error;
    const path = writtenAs(error.path, places);
    throw new PatchFileError(path, `Failed to write file ${path}: ${error.message}`, { cause: error });
  }
}

/** As the patch writes it. */
function writtenAs(path: string, places: readonly HunkPlace[]): string {
  for (const place of places) {
    if (place.path === path) return place.hunk.path;
    if (place.target === path && place.hunk.kind === "update") return place.hunk.target ?? path;
  }
  return path;
}

function summary({ added, modified, deleted }: Record<"added" | "modified" | "deleted", Set<string>>): AppliedPatch {
  const lines = [
    "Success. Updated the following files:",
    ...Array.from(added, (path) => `A ${path}`),
    ...Array.from(modified, (path) => `M ${path}`),
    ...Array.from(deleted, (path) => `D ${path}`),
  ];
  const text = lines.map((line) => `${line}\n`).join("");
  return { added: [...added], modified: [...modified], deleted: [...deleted], text };
}
