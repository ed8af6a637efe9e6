import { satisfies, valid, validRange } from "@renovatebot/pep440";
import { z } from "zod";

import { Slices } from "../../protocol/index.js";
import { PYTHON_VERSION } from "../interpreter.js";
import { absoluteAddress, folderAddress } from "./addresses.js";
import type { PackageDownloads } from "./package-downloads.js";
import { readFilename, type PackageFile, type PackageSource } from "./package-source.js";
import { Unavailable } from "./unavailable.js";

const Hashes = z.object({ sha256: z.string().toLowerCase().optional() });

/** Of files with METADATA beside them: true, or its hashes. */
const Metadata = z.union([z.boolean(), Hashes]).optional().catch(undefined);

/** A file of a project's page (PEP 691, 700, 714), as far as it is used. */
const IndexFile = z.object({
  filename: z.string().max(300),
  url: z.string().max(5000),
  hashes: Hashes.default({}),
  size: z.number().optional().catch(undefined),
  "requires-python": z.string().max(1000).nullish(),
  yanked: z.union([z.boolean(), z.string()]).default(false),
  "core-metadata": Metadata,
  "dist-info-metadata": Metadata,
});
type IndexFile = z.output<typeof IndexFile>;

const ProjectPage = z.object({ files: z.array(z.unknown()) });

/** The simple API in JSON. */
const ACCEPT = "application/vnd.pypi.simple.v1+json";

export interface IndexAddresses {
  readonly index: string;
  /** Hosts that its files may lie at, beside its own. */
  readonly hosts?: readonly string[] | undefined;
}

/** A simple index in JSON. Its hosts must be among those that the session allows. */
export class IndexSource implements PackageSource {
  readonly title = "the index";
  readonly hearsNames = true;
  readonly address: string;
  readonly advice = "Look for another spelling of its name.";
  readonly #hosts: ReadonlySet<string>;
  readonly #allows: (address: URL) => boolean;
  readonly #downloads: PackageDownloads;
  readonly #projects = new Map<string, Promise<readonly PackageFile[]>>();

  /** @param allows - whether the session may talk to the host of an address. */
  constructor({ index, hosts = [] }: IndexAddresses, allows: (address: URL) => boolean, downloads: PackageDownloads) {
    this.address = folderAddress(index);
    this.#hosts = new Set([new URL(this.address).host, ...hosts]);
    this.#allows = allows;
    this.#downloads = downloads;
  }

  async find(name: string): Promise<readonly PackageFile[]> {
    const known = this.#projects.get(name) ?? this.#fetch(name);
    this.#projects.set(name, known);
    try {
      return await known;
    } catch (error) {
      this.#projects.delete(name);
      throw error;
    }
  }

  /** An index does not say what its packages bring. */
  packageOf(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async #fetch(name: string): Promise<readonly PackageFile[]> {
    const address = absoluteAddress(`${encodeURIComponent(name)}/`, this.address);
    this.#checkHost(address);
    const document = await this.#downloads.document(address, ACCEPT);
    if (document === undefined) return [];
    const page = ProjectPage.safeParse(document);
    if (!page.success) throw new Unavailable("source", `${address} is not a page of the simple API in JSON (PEP 691).`);
    const slices = new Slices();
    const files: PackageFile[] = [];
    for (const entry of page.data.files) {
      await slices.rest();
      const file = IndexFile.safeParse(entry).data;
      if (file !== undefined) files.push(...this.#read(name, file, address));
    }
    return files;
  }

  #read(name: string, file: IndexFile, page: string): PackageFile[] {
    const read = readFilename(file.filename);
    // An index that answers with files of another project is not followed.
    if (read?.name !== name || !URL.canParse(file.url, page)) return [];
    const address = absoluteAddress(file.url, page);
    const unfit = this.#whyNot(address) ?? whyNotPython(file["requires-python"]);
    const metadata = file["core-metadata"] ?? file["dist-info-metadata"];
    return [
      {
        ...read,
        rank: unfit === undefined ? read.rank : null,
        unfit,
        yanked: file.yanked !== false,
        address,
        sha256: file.hashes.sha256,
        size: file.size,
        metadata:
          metadata === undefined || metadata === false
            ? undefined
            : { address: `${address}.metadata`, sha256: metadata === true ? undefined : metadata.sha256 },
        source: this,
      },
    ];
  }

  #checkHost(address: string): void {
    const problem = this.#whyNot(address);
    if (problem !== undefined) throw new Unavailable("host", `${problem}.`);
  }

  #whyNot(address: string): string | undefined {
    const target = new URL(address);
    const { host, protocol } = target;
    if (protocol !== "https:" && protocol !== "http:") return `${address} is no address on the web`;
    if (!this.#hosts.has(host)) return `${host} is not among the \`hosts\` of the index ${this.address}`;
    if (!this.#allows(target)) return `${host} is not among the \`allowedHosts\` of the session`;
    return undefined;
  }
}

function whyNotPython(range: string | null | undefined): string | undefined {
  if (range === null || range === undefined || range.trim() === "") return undefined;
  const clean = range.replaceAll(/\s/g, "");
  if (!validRange(clean) || valid(PYTHON_VERSION) === null) return undefined;
  return satisfies(PYTHON_VERSION, clean) ? undefined : `it is for Python ${clean}`;
}
