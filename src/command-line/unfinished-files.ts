import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { PackageCache, PackageContent } from "../deps/index.js";
import { UNFINISHED } from "./file-names.js";
import { codeOf, readIfThere, type FileFacts, type SiteFolder } from "./site-folder.js";

/**
 * What is fetched for a folder, kept in a folder within it by hash until all of it is there: one that was interrupted goes on
 * where it was. It also gives what the folder has already.
 */
export class UnfinishedFiles implements PackageCache {
  readonly persistent = true;
  readonly #folder: SiteFolder;
  readonly #path: string;

  constructor(folder: SiteFolder) {
    this.#folder = folder;
    this.#path = join(folder.path, UNFINISHED);
  }

  async file(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    // It is what a server says, and becomes a name here.
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const kept = await readIfThere(join(this.#path, sha256));
    if (kept !== undefined) return kept;
    const name = this.#folder.fileWith(sha256);
    return name === undefined ? undefined : await readIfThere(join(this.#folder.path, name));
  }

  async keep({ address, sha256, bytes }: Parameters<PackageCache["keep"]>[0]): Promise<void> {
    if (address.startsWith(this.#folder.address)) return;
    await this.#write(join(this.#path, sha256), bytes);
  }

  /** Moves a file to its place in the folder. */
  async place({ filename, sha256, bytes }: PackageContent, there: FileFacts | undefined): Promise<void> {
    if (there?.sha256 === sha256) return;
    const target = join(this.#folder.path, filename);
    try {
      await rename(join(this.#path, sha256), target);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      await this.#write(target, bytes);
    }
  }

  /** Forgets what was fetched. */
  async clear(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
  }

  /** Lists are asked for as they are now. */
  document(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  keepDocument(): Promise<void> {
    return Promise.resolve();
  }

  fileFrom(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  list(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  /** Never half a file under its name. */
  async #write(target: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#path, { recursive: true });
    const part = join(this.#path, `${randomUUID()}.part`);
    await writeFile(part, bytes);
    await rename(part, target);
  }
}
