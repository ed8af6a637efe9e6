import { compare, satisfies } from "@renovatebot/pep440";

import { Slices } from "../../protocol/index.js";
import { isSource, Unavailable, type PackageFile } from "../sources/index.js";
import { TAGS_IN_WORDS } from "../wheel-tags.js";
import type { Requirement } from "./requirement.js";

/** Who wants a package. */
export interface Want {
  readonly requirement: Requirement;
  /** The file that needs it; null for the session. */
  readonly by: PackageFile | null;
}

/** Characters of what those who want a package want of its version, all together: each version is held against it. */
const LONGEST_RANGE = 1_000;

/** Versions that are put in order for a message. */
const MOST_SORTED = 100;

/**
 * Of a source's files of one package the newest that runs here and that all who want it can use, and of several of that
 * version the one that is built for most. An index may have a hundred thousand of them: they are looked at in slices.
 *
 * @param installed - the version that is there already: it stays where it is good for all.
 * @throws {Unavailable} with the reason.
 */
export async function chooseFile(
  files: readonly PackageFile[],
  wants: readonly Want[],
  installed?: string,
): Promise<PackageFile> {
  const whose = inFrontOf(wants);
  const isPinned = wants.some(({ requirement }) => /^={2,3}[^*]+$/.test(requirement.versions));
  const runnable = files.filter(({ rank, yanked = false }) => rank !== null && (isPinned || !yanked));
  if (runnable.length === 0) throw new Unavailable("no_wheel", `${whose}${whyNothingRuns(files)}`);
  const range = rangeOf(wants);
  if (range.length > LONGEST_RANGE) throw new Unavailable("conflict", `${whose}too many versions of it are asked for.`);
  const versions = [...new Set(runnable.map(({ version }) => version))];
  const kept = versions.find((version) => version === installed && isGood(version, range));
  const wanted = kept ?? (await newestOf(versions, range));
  const [best] = runnable
    .filter(({ version }) => version === wanted)
    .sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity));
  if (best !== undefined) return best;
  const title = files[0]?.source.title ?? "";
  const last = versions.slice(-MOST_SORTED).sort(compare);
  throw new Unavailable("conflict", `${whose}${await whyNone(last, wants, title)}`);
}

/** Who needs it, to stand before the reason. */
export function inFrontOf([first]: readonly Want[]): string {
  const by = first?.by ?? null;
  return by === null ? "" : `${by.name} ${by.version} needs ${first?.requirement.text ?? ""}: `;
}

/** Releases before previews, unless a preview is asked for or nothing else is there (PEP 440). */
async function newestOf(versions: readonly string[], range: string): Promise<string | undefined> {
  const slices = new Slices();
  const isAsked = /\d(?:a|b|rc|\.dev)\d*/i.test(range);
  let release: string | undefined;
  let any: string | undefined;
  // Sources list the newest last, and comparing takes much less than looking whether one is good.
  for (const version of [...versions].reverse()) {
    await slices.rest();
    if (release !== undefined && compare(version, release) <= 0) continue;
    if (!isGood(version, range)) continue;
    if (any === undefined || compare(version, any) > 0) any = version;
    if (isAsked || satisfies(version, range, { prereleases: false })) release = version;
  }
  return release ?? any;
}

function rangeOf(wants: readonly Want[]): string {
  const ranges = new Set(wants.map(({ requirement }) => requirement.versions));
  ranges.delete("");
  return ranges.size === 0 ? ">=0" : [...ranges].join(",");
}

function isGood(version: string, range: string): boolean {
  return satisfies(version, range, { prereleases: true });
}

function whyNothingRuns(files: readonly PackageFile[]): string {
  const title = files[0]?.source.title ?? "";
  const yanked = files.filter((file) => file.rank !== null);
  if (yanked.length > 0) {
    return `${title} has only versions that were withdrawn: ${namesOf(yanked)}. Ask for one of them with ==.`;
  }
  if (files.every(isSource)) {
    return `${title} has it only as source, which would have to be compiled first: ${namesOf(files)}.`;
  }
  const [unfit] = files.flatMap((file) => (file.unfit === undefined ? [] : [`${file.filename}: ${file.unfit}`]));
  const because = unfit === undefined ? "" : ` Of the first, ${unfit}.`;
  return `nothing of it runs here, which takes ${TAGS_IN_WORDS}. There is ${namesOf(files)}.${because}`;
}

/** Names of files, as many as can be read. */
function namesOf(files: readonly PackageFile[]): string {
  const names = files.map(({ filename }) => filename);
  const shown = names.slice(-MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? `${shown} and ${String(names.length - MOST_NAMED)} older ones` : shown;
}

const MOST_NAMED = 12;

/** No version is good for all: those that exist, or who wants what. */
async function whyNone(versions: readonly string[], wants: readonly Want[], title: string): Promise<string> {
  const shown = versions.slice(-MOST_NAMED).join(", ");
  const first = wants.slice(0, MOST_NAMED);
  const slices = new Slices();
  for (const { requirement } of first) {
    let isPossible = false;
    for (const version of versions) {
      await slices.rest();
      isPossible ||= isGood(version, requirement.versions || ">=0");
    }
    if (!isPossible) return `${title} has only ${shown}.`;
  }
  const who = first.map(({ requirement, by }) => {
    return `${by === null ? "the session" : `${by.name} ${by.version}`} wants ${requirement.text}`;
  });
  return `no version is good for all who want it: ${who.join(", ")}. ${firstLetterUp(title)} has ${shown}.`;
}

function firstLetterUp(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
