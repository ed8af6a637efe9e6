import { randomUUID } from "node:crypto";
import { chmod, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A file as it was read, so that it is replaced only while it is the same. */
export interface ReadFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The text of a file; null where it is not UTF-8. A byte order mark stays a part of it. */
export function textOfFile({ bytes }: ReadFile): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Puts `text` in the place of a file, at once, with the rights that it has.
 *
 * @returns false where the file has changed since it was read: it is left as it is.
 */
export async function replaceFile(file: ReadFile, text: string): Promise<boolean> {
  // A link stays one.
  const target = await realpath(file.path);
  const { mode } = await stat(target);
  const part = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  try {
    await writeFile(part, text, { flag: "wx" });
    await chmod(part, mode);
    if (!(await readFile(target)).equals(file.bytes)) return false;
    await rename(part, target);
    return true;
  } finally {
    await rm(part, { force: true });
  }
}
