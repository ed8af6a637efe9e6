import { valid } from "@renovatebot/pep440";

import { canonicalName } from "../package-name.js";
import { rankOf } from "../wheel-tags.js";

/** A file that a source has. */
export interface PackageFile {
  /** As it was published. */
  readonly filename: string;
  /** Canonical name of the package. */
  readonly name: string;
  readonly version: string;
  /** How well it suits this interpreter, 0 being best; null where it does not run. */
  readonly rank: number | null;
  /** Why it does not run, where its name does not tell. */
  readonly unfit?: string | undefined;
  /** It was withdrawn: only for those who ask for this version and no other. */
  readonly yanked?: boolean | undefined;
  readonly address: string;
  /** Of the file; hexadecimal. */
  readonly sha256?: string | undefined;
  /** Bytes of the file. */
  readonly size?: number | undefined;
  /** Address of its METADATA alone, where the source has that, and the hash of it. */
  readonly metadata?: { readonly address: string; readonly sha256?: string | undefined } | undefined;
  /** Requirements (PEP 508) that stand for those of its METADATA; there only extras are looked up. */
  readonly needs?: readonly string[] | undefined;
  /** Modules that it brings, where the source says so. */
  readonly imports?: readonly string[] | undefined;
  readonly source: PackageSource;
}

/** Where packages come from. */
export interface PackageSource {
  /** For messages: "the package folder". */
  readonly title: string;
  /** Where it is. */
  readonly address: string;
  /** What it has of a package, by canonical name. @throws {Unavailable} */
  find(name: string): Promise<readonly PackageFile[]>;
  /** The package that brings a module, where the source says so. @throws {Unavailable} */
  packageOf(module: string): Promise<string | undefined>;
  /** Whether its server hears which packages are looked for: names are data, too. */
  readonly hearsNames: boolean;
  /** What the author of the page can do about a package that it has not. */
  readonly advice: string;
}

const ARCHIVE = /^(.+)-(\d[^-]*)\.(?:tar\.gz|zip|tar\.bz2|tgz)$/;

/** Reads the name of a file: `name-version(-build)?-python-abi-platform.whl`, or an archive of source; null for another. */
export function readFilename(filename: string): Pick<PackageFile, "filename" | "name" | "version" | "rank"> | null {
  if (!filename.endsWith(".whl")) {
    const [, name, version] = ARCHIVE.exec(filename) ?? [];
    return name === undefined || version === undefined
      ? null
      : { filename, name: canonicalName(name), version, rank: null };
  }
  const parts = filename.slice(0, -".whl".length).split("-");
  const [name, version] = parts;
  if (parts.length < 5 || name === undefined || version === undefined || valid(version) === null) return null;
  return { filename, name: canonicalName(name), version, rank: rankOf(parts.slice(-3).join("-")) };
}

/** Whether a file is an archive of source, which would have to be compiled. */
export function isSource({ filename, rank }: PackageFile): boolean {
  return rank === null && !filename.endsWith(".whl");
}
