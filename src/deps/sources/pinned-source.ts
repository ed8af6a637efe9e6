import { canonicalName } from "../package-name.js";
import type { PackagesLock } from "./packages-lock.js";
import type { PackageFile, PackageSource } from "./package-source.js";

/** A source of which only the files of a lock are taken, with its hashes. */
export class PinnedSource implements PackageSource {
  readonly title: string;
  readonly address: string;
  readonly hearsNames: boolean;
  readonly advice = "Only what the lock names is taken from there.";
  readonly #source: PackageSource;
  /** Hashes by file name. */
  readonly #pins: ReadonlyMap<string, string>;
  readonly #names: ReadonlySet<string>;

  constructor(source: PackageSource, lock: PackagesLock) {
    this.title = source.title;
    this.address = source.address;
    this.hearsNames = source.hearsNames;
    this.#source = source;
    this.#names = new Set(lock.packages.map(({ name }) => canonicalName(name)));
    this.#pins = new Map(lock.packages.map(({ file, sha256 }) => [file, sha256]));
  }

  async find(name: string): Promise<readonly PackageFile[]> {
    if (!this.#names.has(name)) return [];
    const files = await this.#source.find(name);
    return files.flatMap((file) => {
      const sha256 = this.#pins.get(file.filename);
      return sha256 === undefined ? [] : [{ ...file, sha256, yanked: false, source: this }];
    });
  }

  packageOf(module: string): Promise<string | undefined> {
    return this.#source.packageOf(module);
  }
}
