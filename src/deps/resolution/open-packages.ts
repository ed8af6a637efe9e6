import type { FetchOptions, PackageContent, PackagePlan, PackagesParts } from "../package-content.js";
import type { PackageSourceOptions } from "../packages-options.js";
import {
  ComingFiles,
  FolderSource,
  IndexSource,
  LockfileSource,
  packageCache,
  PackageDownloads,
  PinnedSource,
  Unavailable,
  type Download,
  type PackageFile,
  type PackageSource,
} from "../sources/index.js";
import { readArchive, readRequirements, type Archive } from "./archive.js";
import { chooseFile } from "./choose-file.js";
import { parseRequirement, type Requirement } from "./requirement.js";
import { filesOf, Resolution, type Resolved } from "./resolution.js";

/** The sources of a session, opened. */
export class OpenPackages {
  readonly #downloads: PackageDownloads;
  readonly #sources: readonly PackageSource[];

  constructor(parts: PackagesParts) {
    this.#downloads = new PackageDownloads(parts.cache ?? packageCache(), parts.ask);
    this.#sources = parts.sources.map((options) => sourceOf(options, parts, this.#downloads));
  }

  /** @throws {Unavailable} */
  async fetch(specs: readonly string[], options: FetchOptions): Promise<readonly PackageContent[]> {
    const work = new FetchWork(this.#downloads, options);
    const resolved = await this.#resolve(specs, options.installed, work);
    return await Promise.all(
      Array.from(resolved.values(), async (choice) => {
        const content = await work.content(choice);
        options.onContent?.(content);
        return content;
      }),
    );
  }

  /** What would come, as far as that is known without a source hearing the names. @throws {Unavailable} @throws {NotAskedYet} */
  async plan(specs: readonly string[], installed: readonly PackageContent[]): Promise<readonly PackagePlan[]> {
    const work = new FetchWork(this.#downloads, { installed });
    const resolved = await this.#resolve(specs, installed, work, true);
    const known = new Set(installed.map(({ filename }) => filename));
    const files = [...resolved.values()].map(({ file }) => file).filter(({ filename }) => !known.has(filename));
    return await Promise.all(
      files.map(async (file) => {
        const { filename, name, version, address } = file;
        // To know what a package needs, its file may have had to come just now.
        const size = (await work.fetchedSize(address)) ?? (await this.#downloads.sizeOf(file));
        return { filename, name, version, size, address };
      }),
    );
  }

  /** @throws {Unavailable} */
  async packageOf(module: string): Promise<string | undefined> {
    for (const source of this.#sources) {
      const name = await source.packageOf(module);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** As `plan`. @throws {Unavailable} @throws {NotAskedYet} */
  async whoHas(spec: string): Promise<string> {
    const requirement = readRequirement(spec);
    const wants = [{ requirement, by: null }];
    const files = await filesOf({ sources: this.#sources, quietly: true }, requirement.name, wants);
    const { filename, source } = await chooseFile(files, wants);
    return `${source.title} has ${filename}`;
  }

  #resolve(
    specs: readonly string[],
    installed: readonly PackageContent[],
    work: FetchWork,
    quietly = false,
  ): Promise<ReadonlyMap<string, Resolved>> {
    return new Resolution({
      roots: specs.map(readRequirement),
      sources: this.#sources,
      installed: new Map(installed.map(({ name, version }) => [name, version])),
      readNeeds: (file) => work.needsOf(file),
      quietly,
    }).resolve();
  }
}

/** The files of one request, each fetched once. */
class FetchWork {
  readonly #downloads: PackageDownloads;
  readonly #options: FetchOptions;
  readonly #coming: ComingFiles;
  readonly #received = new Map<string, { readonly received: number; readonly total: number | undefined }>();

  constructor(downloads: PackageDownloads, options: FetchOptions) {
    this.#downloads = downloads;
    this.#options = options;
    this.#coming = options.coming ?? new ComingFiles();
  }

  async needsOf(file: PackageFile): Promise<readonly string[]> {
    if (file.metadata !== undefined) {
      const { address, sha256 } = file.metadata;
      const { bytes } = await this.#downloads.file(address, { filename: `${file.filename}.metadata`, sha256 });
      const requires = readRequirements(new TextDecoder().decode(bytes));
      if (requires !== null) return requires;
      throw new Unavailable("damaged", `${address} is longer, or names more requirements, than is read.`);
    }
    return (await this.#archive(file)).requires ?? [];
  }

  async content({ file, needs }: Resolved): Promise<PackageContent> {
    const { filename, name, version, imports } = file;
    const { bytes, sha256 } = await this.#download(file);
    const unpacked = await this.#archive(file);
    return {
      ...{ filename, bytes, name, version, sha256, needs, imports },
      verified: file.sha256 !== undefined,
      unpacked: { size: unpacked.size, files: unpacked.files },
      requires: file.needs,
    };
  }

  /** Bytes of a file that was fetched in the course of this work; undefined of another. */
  async fetchedSize(address: string): Promise<number | undefined> {
    const download = await this.#coming.begun(address);
    return download?.isFetched === true ? download.bytes.length : undefined;
  }

  #archive(file: PackageFile): Promise<Archive> {
    return this.#download(file).then(({ bytes }) => readOnce(file, bytes));
  }

  #download(file: PackageFile): Promise<Download> {
    return this.#coming.get(file.address, () => this.#fetch(file));
  }

  async #fetch({ filename, address, sha256, size }: PackageFile): Promise<Download> {
    const { installed, onProgress, signal } = this.#options;
    const here = installed.find((content) => content.filename === filename);
    if (here !== undefined && (sha256 === undefined || sha256 === here.sha256)) return here;
    return await this.#downloads.file(address, {
      filename,
      sha256,
      signal,
      onBytes: (received, total = size) => {
        this.#received.set(filename, { received, total });
        const all = [...this.#received.values()];
        const known = all.every((one) => one.total !== undefined);
        const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
        onProgress?.(
          sum(all.map((one) => one.received)),
          known ? sum(all.map((one) => one.total ?? 0)) : undefined,
          filename,
        );
      },
    });
  }
}

/** What was read of the bytes of a file: they are wanted ahead, then by those who install, then by every later request. */
const archives = new WeakMap<Uint8Array, Promise<Archive>>();

function readOnce(file: PackageFile, bytes: Uint8Array): Promise<Archive> {
  const known = archives.get(bytes) ?? read(file, bytes);
  archives.set(bytes, known);
  return known;
}

async function read(file: PackageFile, bytes: Uint8Array): Promise<Archive> {
  const archive = await readArchive(bytes);
  if (archive === null) throw new Unavailable("damaged", `${file.filename} is damaged: it cannot be unpacked.`);
  if (archive.requires === null && file.filename.endsWith(".whl")) {
    throw new Unavailable("damaged", `${file.filename} is damaged: it has no METADATA to read.`);
  }
  return archive;
}

/** @throws {Unavailable} where its versions are none. */
function readRequirement(spec: string): Requirement {
  const requirement = parseRequirement(spec);
  if (requirement !== null) return requirement;
  throw new Unavailable("specification", `the versions of ${spec} cannot be read (PEP 440).`);
}

function sourceOf(
  options: PackageSourceOptions,
  { allows, ownLockfile, ownFiles }: PackagesParts,
  downloads: PackageDownloads,
): PackageSource {
  const source = openSource();
  return options.lock === undefined ? source : new PinnedSource(source, options.lock);

  function openSource(): PackageSource {
    if ("folder" in options) return new FolderSource(options.folder, downloads);
    if ("index" in options) return new IndexSource(options, allows, downloads);
    const { lockfile, files } = options;
    if (lockfile !== "pyodide") return new LockfileSource({ lockfile, files }, downloads);
    return new LockfileSource({ lockfile: ownLockfile(), files: files ?? ownFiles }, downloads);
  }
}
