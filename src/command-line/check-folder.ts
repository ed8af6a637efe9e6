import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { PLATFORM, type WhyUnavailable } from "../deps/index.js";
import { isInFolder, UNFINISHED } from "./file-names.js";
import { packageFacts } from "./package-facts.js";
import { packagesTogether } from "./packages-together.js";
import { isSound, type ListedFile, type SiteFolder } from "./site-folder.js";

/** Something that keeps sessions from using what is in a folder. */
export interface FolderProblem {
  /** The file that it is about; undefined where it is about what a package needs. */
  readonly file: string | undefined;
  readonly problem: string;
}

/** Faults of files, which are looked for one by one. */
const OF_FILES: ReadonlySet<WhyUnavailable> = new Set(["hash", "damaged", "unreachable"]);

/** What is wrong with a folder: files that are not what index.json says, files that it does not list, needs that are missing. */
export async function checkFolder(folder: SiteFolder): Promise<readonly FolderProblem[]> {
  const problems: FolderProblem[] = [];
  for (const listed of folder.files) {
    const problem = await problemOf(folder, listed);
    if (problem !== undefined) problems.push({ file: listed.entry.file, problem });
  }
  for (const file of folder.unlisted.keys()) problems.push({ file, problem: "is not in index.json" });
  if (folder.isUnfinished) {
    problems.push({ file: UNFINISHED, problem: "is left of an `add` that was interrupted; run it again" });
  }
  const usable = folder.sound.filter(({ runs }) => runs);
  const { failures } = await packagesTogether(folder, new Set(usable.flatMap(({ name }) => name ?? [])));
  const reasons = failures.filter(({ why }) => !OF_FILES.has(why)).map(({ reason }) => reason);
  return [...problems, ...[...new Set(reasons)].map((problem) => ({ file: undefined, problem }))];
}

async function problemOf(folder: SiteFolder, listed: ListedFile): Promise<string | undefined> {
  const { entry, name, runs, found } = listed;
  if (!isInFolder(entry.file)) return "is no name of a file in the folder";
  if (found === undefined) return "is missing";
  if (!isSound(listed)) {
    return `is not the file that index.json lists: its SHA-256 is ${found.sha256}, and it has ${String(found.size)} bytes`;
  }
  if (name === undefined) return "is no name of a package's file, so that sessions do not find it";
  if (!runs) return `is not built for this Vitrine's Python, whose platform is ${PLATFORM}`;
  const facts = packageFacts(await readFile(join(folder.path, entry.file)));
  return facts === null ? "is damaged: it cannot be unpacked" : undefined;
}
