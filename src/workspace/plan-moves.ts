import type { TrustLevel } from "../protocol/index.js";
import { WorkspacePathError } from "./errors.js";
import type { FileRecord } from "./file-table.js";
import type { WriteAllOptions } from "./write-options.js";

/** What is to be written so that files have other paths. */
interface MovePlan extends Pick<WriteAllOptions, "expected" | "trustOf"> {
  readonly files: ReadonlyMap<string, Uint8Array | null>;
}

/** @throws {WorkspacePathError} where two files would have one path. @throws what `read` throws. */
export async function planMoves(
  paths: ReadonlyMap<string, string>,
  read: (path: string) => Promise<FileRecord & { readonly content: Uint8Array }>,
): Promise<MovePlan> {
  const files = new Map<string, Uint8Array | null>();
  const trusts = new Map<string, TrustLevel | undefined>();
  const expected = new Map<string, string | null>();
  for (const [from, to] of paths) {
    const { content, version, trust } = await read(from);
    if (!trusts.has(from)) files.set(from, null);
    if (trusts.has(to)) throw new WorkspacePathError(to, "two files would have that path");
    files.set(to, content);
    trusts.set(to, trust);
    expected.set(from, version);
    if (!paths.has(to)) expected.set(to, null);
  }
  return { files, expected, trustOf: (path) => trusts.get(path) };
}
