import { Slices, unlessAborted } from "../../protocol/index.js";
import type { SchemaOutput } from "../../tools/index.js";
import type { FileRecord } from "../../workspace/index.js";
import type { CallingSession } from "../calling-session.js";
import type { GREP_FILES } from "../parameters.js";
import { isFolder, resolvedPath } from "../workspace-path.js";
import { searchable, SearchRefusedError } from "./search-worker.js";

/** Paths that one call answers with. */
const MOST_PATHS = 2000;

/**
 * The paths of files with a match, the newest first.
 *
 * @throws {Error} with the protocol's texts. @throws {WorkspacePathError}
 */
export async function grepFiles(
  input: SchemaOutput<typeof GREP_FILES>,
  { files, search }: CallingSession,
  signal: AbortSignal,
): Promise<string> {
  const pattern = input.pattern.trim();
  if (pattern === "") throw new Error("pattern must not be empty");
  if (input.limit < 1) throw new Error("limit must be greater than zero");
  const given = input.path ?? "/workspace";
  const below = resolvedPath(given);
  const include = input.include?.trim() ?? "";
  // Starting it takes as long as listing the files.
  search.prepare();
  await files.collect();
  const records = await files.list();
  if (!records.has(below) && !isFolder(records, below))
    throw new Error(`unable to access \`${given}\`: No such file or directory (os error 2)`);
  const contentOf = async (path: string): Promise<Uint8Array<ArrayBuffer> | null> => {
    // The worker may name what it likes.
    if (!records.has(path)) return null;
    return files.read(path).catch(ignoreMissing);
  };
  const read = async (paths: readonly string[]): Promise<(Uint8Array<ArrayBuffer> | null)[]> => {
    const slices = new Slices();
    const contents = await Promise.all(paths.map((path) => contentOf(path)));
    await slices.rest();
    return contents;
  };
  const order = {
    pattern,
    include: include === "" ? null : include,
    below,
    limit: Math.min(input.limit, MOST_PATHS),
    files: searchable(newestFirst(records)),
    read,
  };
  try {
    const found = await unlessAborted(search.search(order, signal), signal);
    return found.length === 0 ? "No matches found." : found.map((path) => `/workspace/${path}`).join("\n");
  } catch (error) {
    throw error instanceof SearchRefusedError ? new Error(`rg failed: ${error.message}`) : error;
  }
}

/** It was deleted meanwhile, or is damaged. */
function ignoreMissing(): null {
  return null;
}

/** Of the same moment by path. */
function newestFirst(records: ReadonlyMap<string, FileRecord>): ReadonlyMap<string, FileRecord> {
  return new Map(
    [...records].sort(([, one], [, other]) => {
      if (one.modifiedAt === other.modifiedAt) return 0;
      return one.modifiedAt > other.modifiedAt ? -1 : 1;
    }),
  );
}
