import { z } from "zod";

import { Slices } from "../../protocol/index.js";
import { canonicalName } from "../package-name.js";
import { PLATFORM } from "../interpreter.js";
import { rankOf } from "../wheel-tags.js";
import { absoluteAddress, folderAddress } from "./addresses.js";
import type { PackageDownloads } from "./package-downloads.js";
import { readFilename, type PackageFile, type PackageSource } from "./package-source.js";
import { Unavailable } from "./unavailable.js";

/** An entry of `pyodide-lock.json`, as far as it is used. */
const LockfileEntry = z.object({
  name: z.string(),
  version: z.string(),
  /** Addresses, which a lockfile may have as well, are of other places than those that the page names. */
  file_name: z.string().regex(/^[^/\\]+$/),
  package_type: z.string(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .transform((text) => text.toLowerCase()),
  depends: z.array(z.string()),
  imports: z.array(z.string()).default([]),
});
type LockfileEntry = z.output<typeof LockfileEntry>;

const Lockfile = z.object({
  info: z.object({ abi_version: z.string(), arch: z.string() }),
  packages: z.record(z.string(), z.unknown()),
});

/** What Pyodide was built with, and what was built for it: wheels of one version each, and shared libraries. */
const TYPES = new Set(["package", "shared_library"]);

export interface LockfileAddresses {
  readonly lockfile: string;
  /** Folder of its files. Default: where the lockfile lies. */
  readonly files?: string | undefined;
}

/** The packages of a `pyodide-lock.json`, each file with its hash. */
export class LockfileSource implements PackageSource {
  readonly title = "Pyodide's lockfile";
  readonly hearsNames = false;
  readonly address: string;
  readonly advice = "It has what was built with that release of Pyodide.";
  readonly #files: string;
  readonly #downloads: PackageDownloads;
  #packages: Promise<ReadonlyMap<string, LockfileEntry>> | undefined;

  constructor({ lockfile, files }: LockfileAddresses, downloads: PackageDownloads) {
    this.address = absoluteAddress(lockfile);
    this.#files = files === undefined ? absoluteAddress(".", this.address) : folderAddress(files);
    this.#downloads = downloads;
  }

  async find(name: string): Promise<readonly PackageFile[]> {
    const entry = (await this.#entries()).get(name);
    if (entry === undefined) return [];
    const { file_name: filename, version, sha256, depends, imports, package_type: type } = entry;
    // Of a wheel that was built with another release its name tells.
    const rank = type === "shared_library" ? rankOf(`py3-none-${PLATFORM}`) : (readFilename(filename)?.rank ?? null);
    const address = absoluteAddress(filename, this.#files);
    return [{ filename, name, version, rank, address, sha256, needs: depends, imports, source: this }];
  }

  async packageOf(module: string): Promise<string | undefined> {
    for (const [name, { imports }] of await this.#entries()) {
      if (imports.includes(module)) return name;
    }
    return undefined;
  }

  async #entries(): Promise<ReadonlyMap<string, LockfileEntry>> {
    this.#packages ??= this.#fetch();
    try {
      return await this.#packages;
    } catch (error) {
      this.#packages = undefined;
      throw error;
    }
  }

  async #fetch(): Promise<ReadonlyMap<string, LockfileEntry>> {
    const lockfile = Lockfile.safeParse(await this.#downloads.document(this.address));
    if (!lockfile.success) throw new Unavailable("source", `${this.address} is not a lockfile of Pyodide.`);
    const { info, packages } = lockfile.data;
    const platform = `pyemscripten_${info.abi_version}_${info.arch}`;
    if (platform !== PLATFORM) {
      const reason = `${this.address} is of Pyodide for ${platform}, and the one that runs here is for ${PLATFORM}.`;
      throw new Unavailable("source", reason);
    }
    const slices = new Slices();
    const entries = new Map<string, LockfileEntry>();
    for (const value of Object.values(packages)) {
      await slices.rest();
      const entry = LockfileEntry.safeParse(value).data;
      if (entry !== undefined && TYPES.has(entry.package_type)) entries.set(canonicalName(entry.name), entry);
    }
    return entries;
  }
}
