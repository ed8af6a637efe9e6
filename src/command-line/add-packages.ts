import { canonicalName, parseDepSpec, readFilename, type FolderEntry, type PackageContent } from "../deps/index.js";
import { choosePackages, type ChooseOptions } from "./choose-packages.js";
import { PackageFolderError } from "./errors.js";
import { isPackageFile } from "./file-names.js";
import { packageFacts } from "./package-facts.js";
import { isByHand, isSound, type SiteFolder } from "./site-folder.js";
import { UnfinishedFiles } from "./unfinished-files.js";
import { checkNotice, writeFolder, type NextFile } from "./write-folder.js";

/** A package that is in the folder now. */
export interface AddedPackage {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly licence: string | undefined;
  /** The requirement that was asked for; undefined where another package needs it. */
  readonly asked: string | undefined;
  /** Whether it was there before. */
  readonly wasThere: boolean;
}

export interface AddReport {
  /** What was asked for, now and before, with all that it needs. */
  readonly packages: readonly AddedPackage[];
  /** Files of other versions, which are gone. */
  readonly replaced: readonly string[];
}

/**
 * Copies packages, and what they need, into a folder.
 *
 * @throws {DepSpecError} @throws {DepUnavailableError} @throws {PackageFolderError} with the folder as it was; what was fetched
 * is kept for the next time.
 */
export async function addPackages(
  folder: SiteFolder,
  specs: readonly string[],
  options: Omit<ChooseOptions, "cache">,
): Promise<AddReport> {
  await checkNotice(folder);
  const asked = new Map(folder.asked);
  // Those of this time first: errors are about one of them, if they can be.
  const wanted = new Map(specs.map((spec) => [canonicalName(parseDepSpec(spec).name), parseDepSpec(spec).text]));
  for (const [name, text] of wanted) asked.set(name, text);
  const all = new Set([...wanted.values(), ...asked.values()]);
  if (all.size === 0)
    throw new PackageFolderError("missing", `Nothing was ever asked for in ${folder.path}: name a package.`);
  const unfinished = new UnfinishedFiles(folder);

  const contents = await choosePackages(folder, [...all], { ...options, cache: unfinished });

  for (const content of contents) checkName(content);
  const { files, replaced } = filesWith(folder, contents, asked);
  await writeFolder(folder, { files, added: contents, removed: replaced, unfinished });
  await unfinished.clear();
  const packages = contents.map(({ name, version, filename, sha256, bytes }) => ({
    name,
    version,
    file: filename,
    size: bytes.length,
    sha256,
    licence: packageFacts(bytes)?.licence,
    asked: asked.get(name),
    wasThere: folder.sound.some(({ entry, found }) => entry.file === filename && found?.sha256 === sha256),
  }));
  return { packages: packages.sort((one, other) => (one.name < other.name ? -1 : 1)), replaced };
}

/** Names come from servers. @throws {PackageFolderError} */
function checkName({ filename, name }: PackageContent): void {
  const shown = JSON.stringify(filename.slice(0, 200));
  if (!isPackageFile(filename)) {
    throw new PackageFolderError(
      "name",
      `The file of ${name} is called ${shown}, which is no name of a package's file.`,
    );
  }
  if (readFilename(filename)?.name !== name) {
    const reason = `The file of ${name} is called ${shown}, by which sessions would take it for another package.`;
    throw new PackageFolderError("name", reason);
  }
}

/** What index.json is to list, and which files are of another version of a package that was chosen. */
function filesWith(
  folder: SiteFolder,
  contents: readonly PackageContent[],
  asked: ReadonlyMap<string, string>,
): { readonly files: readonly NextFile[]; readonly replaced: readonly string[] } {
  const files: NextFile[] = [];
  const replaced: string[] = [];
  const left = new Map(contents.map((content) => [content.filename, content]));
  const names = new Set(contents.map(({ name }) => name));
  for (const each of folder.files) {
    const { entry, written, name, found } = each;
    const content = left.get(entry.file);
    // What the site's author listed stays as they wrote it.
    if (isByHand(each) && (content === undefined || (isSound(each) && found?.sha256 === content.sha256))) {
      files.push({ file: entry.file, written });
      left.delete(entry.file);
    } else if (content === undefined) {
      if (name !== undefined && names.has(name)) replaced.push(entry.file);
      else files.push({ file: entry.file, written });
    }
  }
  for (const content of left.values()) {
    files.push({ file: content.filename, written: entryOf(content, asked.get(content.name)) });
  }
  return { files, replaced };
}

function entryOf(
  { filename, sha256, bytes, requires, imports }: PackageContent,
  asked: string | undefined,
): FolderEntry {
  const modules = imports ?? modulesOf(filename, bytes);
  return {
    file: filename,
    sha256,
    size: bytes.length,
    asked: asked ?? false,
    ...(requires === undefined ? {} : { needs: [...requires] }),
    ...(modules === undefined ? {} : { imports: [...modules] }),
  };
}

/** Shared libraries have none. */
function modulesOf(filename: string, bytes: Uint8Array): readonly string[] | undefined {
  return filename.endsWith(".whl") ? packageFacts(bytes)?.modules : undefined;
}
