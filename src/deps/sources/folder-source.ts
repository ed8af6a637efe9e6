import { z } from "zod";

import { Slices } from "../../protocol/index.js";
import { TAGS_IN_WORDS } from "../wheel-tags.js";
import { absoluteAddress, folderAddress } from "./addresses.js";
import type { PackageDownloads } from "./package-downloads.js";
import { readFilename, type PackageFile, type PackageSource } from "./package-source.js";
import { Unavailable } from "./unavailable.js";

const Sha256Text = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase());

/** A file of a folder: its name alone, or what `vitrine packages` notes with it. */
export const FolderEntry = z.object({
  file: z.string().max(300),
  sha256: Sha256Text.optional(),
  /** Bytes. */
  size: z.number().nonnegative().optional(),
  /** What it needs, for files without METADATA and in the place of what METADATA says. */
  needs: z.array(z.string().max(1000)).max(1000).optional(),
  /** Modules that it brings, for imports that have another name than the package. */
  imports: z.array(z.string().max(300)).max(1000).optional(),
  /** Of a file that `vitrine packages add` put there: the requirement that was asked for; false where another package needs it. */
  asked: z.union([z.string().max(300), z.literal(false)]).optional(),
});
export type FolderEntry = z.output<typeof FolderEntry>;

/** The list of a folder's files; every static server can serve it. */
export const FolderIndex = z.array(
  z.union([
    z
      .string()
      .max(300)
      .transform((file): FolderEntry => ({ file })),
    FolderEntry,
  ]),
);

/** A folder that the site hosts itself. Its `index.json` is the list of its files; nothing else is fetched from anywhere. */
export class FolderSource implements PackageSource {
  readonly title = "the package folder";
  readonly hearsNames = false;
  readonly address: string;
  readonly advice = `Put a wheel for ${TAGS_IN_WORDS} there, and its name into index.json.`;
  readonly #downloads: PackageDownloads;
  #index: Promise<Index> | undefined;

  constructor(folder: string, downloads: PackageDownloads) {
    this.address = folderAddress(folder);
    this.#downloads = downloads;
  }

  async find(name: string): Promise<readonly PackageFile[]> {
    return (await this.#opened()).files.get(name) ?? [];
  }

  async packageOf(module: string): Promise<string | undefined> {
    return (await this.#opened()).modules.get(module);
  }

  async #opened(): Promise<Index> {
    this.#index ??= this.#fetchIndex();
    try {
      return await this.#index;
    } catch (error) {
      this.#index = undefined;
      throw error;
    }
  }

  async #fetchIndex(): Promise<Index> {
    const address = absoluteAddress("index.json", this.address);
    const document = await this.#downloads.document(address);
    if (document === undefined) throw new Unavailable("source", `${address} answered 404.`);
    if (!Array.isArray(document)) throw notAList(address);
    const slices = new Slices();
    const index: Index = { files: new Map(), modules: new Map() };
    for (const item of document) {
      await slices.rest();
      const entry = FolderIndex.element.safeParse(item).data;
      if (entry === undefined) throw notAList(address);
      this.#put(entry, index);
    }
    return index;
  }

  #put(entry: FolderEntry, { files, modules }: Index): void {
    const read = readFilename(entry.file);
    if (read === null) return;
    const { sha256, size, needs, imports } = entry;
    const address = absoluteAddress(encodeURIComponent(entry.file), this.address);
    const file = { ...read, rank: rankOfFile(read.rank, entry), address, sha256, size, needs, imports, source: this };
    const known = files.get(read.name);
    if (known === undefined) files.set(read.name, [file]);
    else known.push(file);
    for (const module of imports ?? []) if (!modules.has(module)) modules.set(module, read.name);
  }
}

/** What a folder has: files by the name of their package, and the packages of modules. */
interface Index {
  readonly files: Map<string, PackageFile[]>;
  readonly modules: Map<string, string>;
}

function notAList(address: string): Unavailable {
  return new Unavailable("source", `${address} is not a list of file names.`);
}

/** Shared libraries come as archives that say what they need. */
function rankOfFile(rank: number | null, { file, needs }: FolderEntry): number | null {
  return rank === null && file.endsWith(".zip") && needs !== undefined ? 0 : rank;
}
