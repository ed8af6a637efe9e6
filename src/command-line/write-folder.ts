import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { readFilename, type PackageContent } from "../deps/index.js";
import { PackageFolderError } from "./errors.js";
import { INDEX, isInFolder, NOTICE } from "./file-names.js";
import { isOurNotice, noticeOf, type NoticedFile } from "./notice.js";
import { readIfThere, type SiteFolder } from "./site-folder.js";
import type { UnfinishedFiles } from "./unfinished-files.js";

/** What index.json says of a file. */
export interface NextFile {
  readonly file: string;
  readonly written: unknown;
}

export interface FolderChange {
  /** All that index.json is to list. */
  readonly files: readonly NextFile[];
  readonly added: readonly PackageContent[];
  /** Files that go. */
  readonly removed: readonly string[];
  readonly unfinished: UnfinishedFiles;
}

/**
 * Changes a folder so that its index.json lists what is there at every moment, also after a change that was interrupted: files
 * come first, then the notice, then index.json at one stroke, and only then files go.
 */
export async function writeFolder(
  folder: SiteFolder,
  { files, added, removed, unfinished }: FolderChange,
): Promise<void> {
  await mkdir(folder.path, { recursive: true });
  for (const content of added) await unfinished.place(content, folder.facts(content.filename));
  const sorted = [...files].sort((one, other) => (one.file < other.file ? -1 : 1));
  await replace(join(folder.path, NOTICE), await noticeFor(folder, sorted, added));
  const lines = sorted.map(({ written }) => `  ${JSON.stringify(written)}`);
  await replace(join(folder.path, INDEX), lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`);
  for (const file of removed) if (isInFolder(file)) await rm(join(folder.path, file), { force: true });
}

/** A notice that somebody else wrote is not written over. @throws {PackageFolderError} */
export async function checkNotice(folder: SiteFolder): Promise<void> {
  const file = join(folder.path, NOTICE);
  const text = (await readIfThere(file))?.toString("utf8");
  if (text === undefined || isOurNotice(text)) return;
  throw new PackageFolderError(
    "taken",
    `${file} is where the notice of licences goes, and was not written by this command. Give it another name.`,
  );
}

async function noticeFor(
  folder: SiteFolder,
  files: readonly NextFile[],
  added: readonly PackageContent[],
): Promise<string> {
  const noticed: NoticedFile[] = [];
  for (const { file } of files) {
    const content = added.find(({ filename }) => filename === file);
    if (content !== undefined) {
      noticed.push({ ...content, file });
      continue;
    }
    const read = readFilename(file);
    const facts = folder.facts(file);
    const bytes = facts === undefined ? undefined : await readIfThere(join(folder.path, file));
    if (read === null || facts === undefined || bytes === undefined) continue;
    noticed.push({ file, name: read.name, version: read.version, sha256: facts.sha256, bytes });
  }
  return noticeOf(noticed);
}

/** At one stroke, and not at all where it says the same. */
async function replace(file: string, text: string): Promise<void> {
  if ((await readIfThere(file))?.toString("utf8") === text) return;
  const part = `${file}.${randomUUID()}.part`;
  await writeFile(part, text);
  await rename(part, file);
}
