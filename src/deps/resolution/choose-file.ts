import { compare, maxSatisfying, satisfies } from "@renovatebot/pep440";

import { isSource, Unavailable, type PackageFile } from "../sources/index.js";
import type { Requirement } from "./requirement.js";
import { TAGS_IN_WORDS } from "./wheel-tags.js";

/** Who wants a package. */
export interface Want {
  readonly requirement: Requirement;
  /** The file that needs it; null for the session. */
  readonly by: PackageFile | null;
}

/**
 * Of a source's files of one package the newest that runs here and that all who want it can use, and of several of that
 * version the one that is built for most.
 *
 * @param installed - the version that is there already: it stays where it is good for all.
 * @throws {Unavailable} with the reason.
 */
export function chooseFile(files: readonly PackageFile[], wants: readonly Want[], installed?: string): PackageFile {
  const whose = inFrontOf(wants);
  const isPinned = wants.some(({ requirement }) => /^={2,3}[^*]+$/.test(requirement.versions));
  const runnable = files.filter(({ rank, yanked = false }) => rank !== null && (isPinned || !yanked));
  if (runnable.length === 0) throw new Unavailable("no_wheel", `${whose}${whyNothingRuns(files)}`);
  const versions = [...new Set(runnable.map(({ version }) => version))].sort(compare);
  const kept = versions.find((version) => version === installed && isGoodForAll(version, wants));
  const wanted = kept ?? newestFor(versions, wants);
  const [best] = runnable
    .filter(({ version }) => version === wanted)
    .sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity));
  if (best !== undefined) return best;
  const title = files[0]?.source.title ?? "";
  throw new Unavailable("conflict", `${whose}${whyNone(versions, wants, title)}`);
}

/** Who needs it, to stand before the reason. */
export function inFrontOf([first]: readonly Want[]): string {
  const by = first?.by ?? null;
  return by === null ? "" : `${by.name} ${by.version} needs ${first?.requirement.text ?? ""}: `;
}

/** Releases before previews, unless a preview is asked for or nothing else is there (PEP 440). */
function newestFor(versions: readonly string[], wants: readonly Want[]): string | null {
  const range = rangeOf(wants);
  const isAsked = /\d(?:a|b|rc|\.dev)\d*/i.test(range);
  const release = maxSatisfying([...versions], range, { prereleases: isAsked });
  return release ?? maxSatisfying([...versions], range, { prereleases: true });
}

function rangeOf(wants: readonly Want[]): string {
  const ranges = wants.map(({ requirement }) => requirement.versions).filter((range) => range !== "");
  return ranges.length === 0 ? ">=0" : ranges.join(",");
}

function isGoodForAll(version: string, wants: readonly Want[]): boolean {
  return satisfies(version, rangeOf(wants), { prereleases: true });
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
function whyNone(versions: readonly string[], wants: readonly Want[], title: string): string {
  const shown = versions.slice(-MOST_NAMED).join(", ");
  const isPossible = ({ requirement }: Want): boolean =>
    versions.some((version) => satisfies(version, requirement.versions || ">=0", { prereleases: true }));
  if (!wants.every(isPossible)) return `${title} has only ${shown}.`;
  const who = wants.map(({ requirement, by }) => {
    return `${by === null ? "the session" : `${by.name} ${by.version}`} wants ${requirement.text}`;
  });
  return `no version is good for all who want it: ${who.join(", ")}. ${firstLetterUp(title)} has ${shown}.`;
}

function firstLetterUp(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
