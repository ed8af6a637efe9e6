import { entriesOf, isDamage, type ZipEntry } from "../../../deps/index.js";
import { Slices } from "../../../protocol/index.js";
import { pathFault, type PathFault } from "../../../storage/index.js";

/** Bytes of an archive that is read, and of what is in it. All of it is in memory until it is written. */
const LARGEST_ZIP = 200_000_000;
const MOST_UNPACKED = 200_000_000;

/** Files of an archive that are looked at, folders among them. */
const MOST_ENTRIES = 20_000;

/** A file that comes out of an archive. */
export interface PlannedFile {
  readonly path: string;
  readonly entry: ZipEntry;
}

/** A file that does not, and why: the rest of a sentence that begins with its path. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

export interface ZipPlan {
  readonly files: readonly PlannedFile[];
  /** Bytes, unpacked. */
  readonly size: number;
  readonly leftOut: readonly LeftOut[];
}

const FAULTS: Record<PathFault, string> = {
  empty: "has no name",
  traversal: "leads out of the folder",
  segment: "has a folder without a name in it",
  character: "has a character in it that no path may have",
  length: "has a path that is too long",
};

/** The bytes of an archive that is not too large. @throws {Error} with a sentence for the person. */
export async function readArchive(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > LARGEST_ZIP) throw new Error("The archive is larger than 200 MB, which is too much here.");
  return new Uint8Array(await file.arrayBuffer());
}

/**
 * What would come out of an archive, before anything is unpacked.
 *
 * @throws {Error} with a sentence for the person, where it is damaged or too large.
 */
export async function planZip(archive: Uint8Array): Promise<ZipPlan> {
  const slices = new Slices();
  const taken = new Taken();
  const files: PlannedFile[] = [];
  const leftOut: LeftOut[] = [];
  let size = 0;
  let entries = 0;
  try {
    for (const entry of entriesOf(archive)) {
      await slices.rest();
      entries += 1;
      if (entries > MOST_ENTRIES) throw new Error("The archive has more than 20,000 files, which is too many here.");
      // Archives of some programs for Windows have its separators.
      const path = entry.name.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
      // What lies in a folder makes it.
      if (path.endsWith("/") || path === "") continue;
      const why = whyNot(path, entry) ?? taken.add(path);
      if (why === null) {
        files.push({ path, entry });
        size += entry.size;
        if (size > MOST_UNPACKED)
          throw new Error("Unpacked, the archive has more than 200 MB, which is too much here.");
      } else {
        leftOut.push({ path, why });
      }
    }
  } catch (error) {
    if (isDamage(error)) throw new Error("This is no zip archive, or it is damaged.", { cause: error });
    throw error;
  }
  return { files, size, leftOut };
}

/** How Unix marks a link. */
const KIND = 0o170000;
const LINK = 0o120000;

function whyNot(path: string, { isEncrypted, method, mode, packed, size }: ZipEntry): string | null {
  const fault = pathFault(path);
  if (fault !== null) return FAULTS[fault];
  if (/^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(path)) {
    return "belongs to the system where it was packed";
  }
  if ((mode & KIND) === LINK) return "is a link";
  if (isEncrypted) return "is encrypted";
  if (method !== 8 && (method !== 0 || packed !== size)) return "is packed in a way that is not read here";
  return null;
}

/** Paths that one tree can have together. */
class Taken {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** @returns why it cannot be among them. */
  add(path: string): string | null {
    if (this.#files.has(path)) return "is in it twice; the first is taken";
    const folders: string[] = [];
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      // What is around a folder that is known is known.
      if (this.#folders.has(folder)) break;
      if (this.#files.has(folder)) return "lies in a folder that is a file";
      folders.push(folder);
    }
    if (this.#folders.has(path)) return "is a file and a folder at once";
    this.#files.add(path);
    for (const folder of folders) this.#folders.add(folder);
    return null;
  }
}
