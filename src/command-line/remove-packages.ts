import { canonicalName, parseDepSpec } from "../deps/index.js";
import { closestName } from "../options/index.js";
import { PackageFolderError } from "./errors.js";
import { packagesTogether } from "./packages-together.js";
import { isByHand, isSound, type ListedFile, type SiteFolder } from "./site-folder.js";
import { UnfinishedFiles } from "./unfinished-files.js";
import { checkNotice, writeFolder } from "./write-folder.js";

export interface RemovedPackage {
  readonly name: string;
  readonly version: string | undefined;
  readonly file: string;
  /** Whether it was named; else only those that were named needed it. */
  readonly asked: boolean;
}

export interface RemoveReport {
  readonly removed: readonly RemovedPackage[];
  /** Why what nothing else needs was left; undefined where it went. */
  readonly left: string | undefined;
}

/**
 * Takes packages out of a folder, and what was put there only because they needed it.
 *
 * @throws {DepSpecError} @throws {PackageFolderError} with the folder as it was.
 */
export async function removePackages(folder: SiteFolder, names: readonly string[]): Promise<RemoveReport> {
  await checkNotice(folder);
  const wanted = new Set(names.map((name) => canonicalName(parseDepSpec(name).name)));
  for (const name of wanted) checkThere(folder, name);
  const others = folder.files.filter(({ name = "" }) => !wanted.has(name));
  const roots = others.filter((file) => isUsable(file) && file.entry.asked !== false);
  const { contents, failures } = await packagesTogether(folder, namesOf(roots));
  for (const { name, needs } of contents) {
    const needed = needs.find((each) => wanted.has(each));
    if (needed === undefined) continue;
    throw new PackageFolderError("needed", `${needed} is needed by ${name}. Remove both, or keep both.`);
  }

  const unknown = others.find((file) => !isUsable(file) && !isByHand(file));
  const left = unknown === undefined ? failures[0]?.message : `What ${unknown.entry.file} needs cannot be read.`;
  const needed = namesOf(contents);
  const staying = others.filter(
    ({ name = "", entry }) => left !== undefined || entry.asked !== false || needed.has(name),
  );
  const going = folder.files.filter((file) => !staying.includes(file));
  await writeFolder(folder, {
    files: staying.map(({ entry, written }) => ({ file: entry.file, written })),
    added: [],
    removed: going.map(({ entry }) => entry.file),
    unfinished: new UnfinishedFiles(folder),
  });
  const removed = going.map(({ name = "", version, entry }) => {
    return { name, version, file: entry.file, asked: wanted.has(name) };
  });
  return { removed, left };
}

function isUsable(file: ListedFile): boolean {
  return file.runs && isSound(file);
}

function checkThere(folder: SiteFolder, name: string): void {
  const names = namesOf(folder.files);
  if (names.has(name)) return;
  const closest = closestName(name, names);
  const advice = closest === undefined ? "" : ` Is ${closest} meant?`;
  throw new PackageFolderError("missing", `${folder.path} has no package ${name}.${advice}`);
}

function namesOf(files: readonly { readonly name?: string | undefined }[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ name }) => name ?? []));
}
