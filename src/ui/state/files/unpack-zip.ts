import { DamagedArchive, isDamage, unpackedPieces } from "../../../deps/index.js";
import { Slices } from "../../../protocol/index.js";
import type { Workspace, WorkspaceFile } from "../../../workspace/index.js";
import { isConflict } from "./file-changes.js";
import type { PlannedFile } from "./zip-plan.js";

export interface UnpackOptions {
  /** Where in the workspace, with a slash at its end; empty for `/workspace` itself. */
  readonly folder: string;
  /** What is there, as the person has seen it: what is in another version by then is not overwritten. */
  readonly present: readonly WorkspaceFile[];
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Writes files of an archive into the workspace, all of them or none.
 *
 * @throws {Error} with a sentence for the person; and why it was stopped.
 */
export async function unpackZip(
  workspace: Workspace,
  { archive, files }: { readonly archive: Uint8Array; readonly files: readonly PlannedFile[] },
  { folder, present, onProgress, signal }: UnpackOptions,
): Promise<void> {
  const slices = new Slices();
  const versions = new Map(present.map(({ path, version }) => [path, version]));
  const contents = new Map<string, Uint8Array>();
  for (const file of files) {
    contents.set(folder + file.path, await unpacked(archive, file, { slices, signal }));
    onProgress(contents.size);
  }
  const ifVersion = new Map(Array.from(contents.keys(), (path) => [path, versions.get(path) ?? null]));
  signal.throwIfAborted();
  try {
    await workspace.writeAll(contents, { ifVersion });
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new Error(`${error.path} has changed meanwhile, so nothing was unpacked. Try again.`, { cause: error });
  }
}

async function unpacked(
  archive: Uint8Array,
  { path, entry }: PlannedFile,
  { slices, signal }: { readonly slices: Slices; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const content = new Uint8Array(entry.size);
  let length = 0;
  let sum = CRC_START;
  try {
    for (const pieces of unpackedPieces(archive, entry)) {
      for (const piece of pieces) {
        content.set(piece, length);
        length += piece.length;
        for (let at = 0; at < piece.length; at += SUMMED_AT_ONCE) {
          sum = summed(sum, piece.subarray(at, at + SUMMED_AT_ONCE));
          await slices.rest();
          signal.throwIfAborted();
        }
      }
      await slices.rest();
    }
    if (length !== entry.size || (sum ^ CRC_START) >>> 0 !== entry.checksum) throw new DamagedArchive();
  } catch (error) {
    if (isDamage(error)) throw new Error(`${path} is damaged in the archive. Nothing was unpacked.`, { cause: error });
    throw error;
  }
  return content;
}

/** About a millisecond. */
const SUMMED_AT_ONCE = 2 ** 18;

const CRC_START = 0xffffffff;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** CRC-32, as archives have it. */
function summed(before: number, bytes: Uint8Array): number {
  let sum = before;
  for (const byte of bytes) sum = (sum >>> 8) ^ (CRC_TABLE[(sum ^ byte) & 0xff] ?? 0);
  return sum;
}
