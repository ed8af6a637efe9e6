import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

import { Slices } from "../../../protocol/index.js";
import type { Workspace, WorkspaceFile } from "../../../workspace/index.js";

/** Bytes that are packed in one go: a few milliseconds of work. */
const PACKED_AT_ONCE = 2 ** 15;

/** Of nine, where more takes longer than it saves. */
const LEVEL = 4;

/** Files that are packed already. */
const PACKED = /\.(?:zip|whl|gz|tgz|bz2|xz|7z|png|jpe?g|gif|webp|avif|mp[34]|pdf|docx|xlsx)$/i;

export interface PackOptions {
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** An archive of files, and those that were gone when their turn came. */
export interface PackedFiles {
  readonly archive: Blob;
  readonly gone: readonly string[];
}

/**
 * Packs files of the workspace one after the other, in slices between which the page goes on. Of what they hold, one is in memory.
 *
 * @throws why it was stopped; what storage throws.
 */
export async function packZip(
  workspace: Workspace,
  files: readonly WorkspaceFile[],
  { onProgress, signal }: PackOptions,
): Promise<PackedFiles> {
  const slices = new Slices();
  const archive = new ArchiveParts();
  const gone: string[] = [];
  const zip = new Zip((error, part) => {
    if (error !== null) throw error;
    archive.add(part);
  });
  let done = 0;
  for (const { path, modifiedAt } of files) {
    const content = await contentOf(workspace, path);
    if (content === undefined) gone.push(path);
    else {
      const file = PACKED.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path, { level: LEVEL });
      file.mtime = modifiedAt;
      zip.add(file);
      let at = 0;
      do {
        signal.throwIfAborted();
        const end = at + PACKED_AT_ONCE;
        file.push(content.subarray(at, end), end >= content.length);
        at = end;
        await slices.rest();
      } while (at < content.length);
    }
    done += 1;
    onProgress(done);
  }
  zip.end();
  return { archive: archive.whole(), gone };
}

/** Bytes after which the browser gets what is packed, which it may keep on its disk. */
const KEPT = 2 ** 23;

class ArchiveParts {
  #parts: BlobPart[] = [];
  #fresh = 0;

  add(part: Uint8Array): void {
    // What is not packed is a view of its file, which would be kept whole.
    this.#parts.push(new Uint8Array(part));
    this.#fresh += part.length;
    if (this.#fresh > KEPT) this.#parts = [this.whole()];
  }

  whole(): Blob {
    this.#fresh = 0;
    return new Blob(this.#parts);
  }
}

async function contentOf(workspace: Workspace, path: string): Promise<Uint8Array | undefined> {
  try {
    return await workspace.read(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "WORKSPACE_NOT_FOUND") return undefined;
    throw error;
  }
}
