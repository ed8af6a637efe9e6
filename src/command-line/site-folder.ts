import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { FolderIndex, readFilename, type FolderEntry } from "../deps/index.js";
import { PackageFolderError } from "./errors.js";
import { INDEX, isInFolder, isPackageFile, UNFINISHED } from "./file-names.js";

export interface FileFacts {
  /** Hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** A file that index.json lists, and what is really there. */
export interface ListedFile {
  /** As index.json has it: the name alone, or an object. */
  readonly written: unknown;
  readonly entry: FolderEntry;
  /** Canonical name of its package; undefined where the file's name is none of a package. */
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** Whether sessions can use it. */
  readonly runs: boolean;
  /** Undefined where there is no such file. */
  readonly found: FileFacts | undefined;
}

/** A folder of a site with packages, as it was found. */
export class SiteFolder {
  /** Absolute. */
  readonly path: string;
  /** The same as an address, with a slash at its end. */
  readonly address: string;
  /** Whether it has an index.json. */
  readonly isThere: boolean;
  readonly files: readonly ListedFile[];
  /** Packages that lie there and are not in index.json, by name. */
  readonly unlisted: ReadonlyMap<string, FileFacts>;
  /** Whether an `add` was interrupted. */
  readonly isUnfinished: boolean;

  private constructor(path: string, found: Pick<SiteFolder, "isThere" | "files" | "unlisted" | "isUnfinished">) {
    this.path = path;
    this.address = `${pathToFileURL(path).href.replace(/\/$/, "")}/`;
    this.isThere = found.isThere;
    this.files = found.files;
    this.unlisted = found.unlisted;
    this.isUnfinished = found.isUnfinished;
  }

  /** Reads the folder, and the bytes of all packages in it. One that is not there is empty. @throws {PackageFolderError} */
  static async open(folder: string): Promise<SiteFolder> {
    const path = resolve(folder);
    const listing = await readListing(path);
    const files: ListedFile[] = [];
    for (const each of listing ?? []) files.push(await lookAt(path, each));
    const listed = new Set(files.map(({ entry }) => entry.file));
    const there = await namesIn(path);
    const unlisted = new Map<string, FileFacts>();
    for (const name of there.filter((each) => isPackageFile(each) && !listed.has(each)).sort()) {
      const facts = await factsOf(join(path, name));
      if (facts !== undefined) unlisted.set(name, facts);
    }
    return new SiteFolder(path, {
      isThere: listing !== undefined,
      files,
      unlisted,
      isUnfinished: there.includes(UNFINISHED),
    });
  }

  /** The listed files that are what index.json says. */
  get sound(): readonly ListedFile[] {
    return this.files.filter(isSound);
  }

  /** The requirements that were asked for, by the name of their packages. */
  get asked(): ReadonlyMap<string, string> {
    return new Map(
      this.files.flatMap(({ name, entry: { asked } }) => {
        return name !== undefined && typeof asked === "string" ? [[name, asked]] : [];
      }),
    );
  }

  /** What index.json would say if it listed sound files only, and all hashes. */
  soundIndex(): readonly FolderEntry[] {
    return this.sound.map(({ entry, found }) => ({ ...entry, ...found }));
  }

  /** What a file of the folder is. */
  facts(name: string): FileFacts | undefined {
    return this.files.find(({ entry }) => entry.file === name)?.found ?? this.unlisted.get(name);
  }

  /** The name of a file with these bytes. */
  fileWith(sha256: string): string | undefined {
    const listed = this.files.find(({ found }) => found?.sha256 === sha256);
    const unlisted = [...this.unlisted].find(([, found]) => found.sha256 === sha256);
    return listed?.entry.file ?? unlisted?.[0];
  }
}

export function isSound({ entry, found }: ListedFile): boolean {
  if (found === undefined) return false;
  return found.sha256 === (entry.sha256 ?? found.sha256) && found.size === (entry.size ?? found.size);
}

/** Whether the author of the site listed it, and not `vitrine packages`. */
export function isByHand({ entry }: ListedFile): boolean {
  return entry.asked === undefined;
}

type Listing = readonly Pick<ListedFile, "written" | "entry">[];

async function readListing(path: string): Promise<Listing | undefined> {
  const file = join(path, INDEX);
  const text = (await readIfThere(file))?.toString("utf8");
  if (text === undefined) return undefined;
  try {
    const written: unknown = JSON.parse(text);
    const entries = FolderIndex.parse(written);
    const list: readonly unknown[] = Array.isArray(written) ? written : [];
    return entries.map((entry, index) => ({ written: list[index], entry }));
  } catch (cause) {
    throw new PackageFolderError("index", `${file} is not a list of file names. Mend it, or take it away.`, { cause });
  }
}

async function lookAt(path: string, { written, entry }: Listing[number]): Promise<ListedFile> {
  const { file, needs } = entry;
  const read = readFilename(file);
  // Of a shared library its needs are known from nowhere else.
  const runs = read !== null && (read.rank !== null || (file.endsWith(".zip") && needs !== undefined));
  const found = isInFolder(file) ? await factsOf(join(path, file)) : undefined;
  return { written, entry, name: read?.name, version: read?.version, runs, found };
}

async function factsOf(file: string): Promise<FileFacts | undefined> {
  const bytes = await readIfThere(file);
  if (bytes === undefined) return undefined;
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** The bytes of a file; undefined where none is there. */
export async function readIfThere(file: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "EISDIR") return undefined;
    throw error;
  }
}

/** What Node calls a fault of a file or of the network: `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
