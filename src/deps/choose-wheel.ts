import { compare, maxSatisfying, satisfies, valid } from "@renovatebot/pep440";

import { DepUnavailableError } from "./errors.js";
import { canonicalName } from "./package-name.js";
import type { Requirement } from "./requirement.js";
import { rankOf, TAGS_IN_WORDS } from "./wheel-tags.js";

/** Who wants a package. */
export interface Want {
  readonly requirement: Requirement;
  /** The wheel that needs it; null for the session. */
  readonly by: NamedWheel | null;
}

export interface NamedWheel {
  readonly filename: string;
  /** Canonical. */
  readonly name: string;
  readonly version: string;
  /** How well it suits this interpreter; null where it does not run. */
  readonly rank: number | null;
}

/**
 * Of a folder's files the newest wheel of a package that runs here and that all who want it can use, and of several of that
 * version the one that is built for most.
 *
 * @param asked - what the session asked for in the first place.
 * @throws {DepUnavailableError} with the reason.
 */
export function chooseWheel(
  filenames: readonly string[],
  name: string,
  wants: readonly Want[],
  asked: string,
): NamedWheel {
  const [first] = wants;
  const by = first?.by;
  const whose =
    by === null || by === undefined ? "" : `${by.name} ${by.version} needs ${first?.requirement.text ?? ""}: `;
  const refuse = (reason: string): DepUnavailableError => new DepUnavailableError(asked, `${whose}${reason}`);
  const wheels = filenames
    .map(readName)
    .filter((wheel) => wheel?.name === name)
    .filter((wheel) => wheel !== null);
  if (wheels.length === 0) {
    const what = `Put a wheel for ${TAGS_IN_WORDS} there, and its name into index.json.`;
    throw refuse(`the package folder has no wheel of that name. ${what}`);
  }
  const runnable = wheels.filter(({ rank }) => rank !== null);
  if (runnable.length === 0) {
    const names = wheels.map(({ filename }) => filename).join(", ");
    throw refuse(`nothing of it runs here, which takes ${TAGS_IN_WORDS}. There is ${names}.`);
  }
  const versions = [...new Set(runnable.map(({ version }) => version))].sort(compare);
  const newest = newestFor(versions, wants);
  const [best] = runnable
    .filter(({ version }) => version === newest)
    .sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity));
  if (best === undefined) throw refuse(whyNone(versions, wants));
  return best;
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

/** No version is good for all: those that exist, or who wants what. */
function whyNone(versions: readonly string[], wants: readonly Want[]): string {
  const isPossible = ({ requirement }: Want): boolean =>
    versions.some((version) => satisfies(version, requirement.versions || ">=0", { prereleases: true }));
  if (!wants.every(isPossible)) return `the package folder has only ${versions.join(", ")}.`;
  const who = wants.map(({ requirement, by }) => {
    return `${by === null ? "the session" : `${by.name} ${by.version}`} wants ${requirement.text}`;
  });
  return `no version is good for all who want it: ${who.join(", ")}. The package folder has ${versions.join(", ")}.`;
}

/** Reads `name-version(-build)?-python-abi-platform.whl`; null for another file. */
function readName(filename: string): NamedWheel | null {
  const parts = filename.replace(/\.whl$/, "").split("-");
  const [name, version] = parts;
  if (!filename.endsWith(".whl") || parts.length < 5 || name === undefined || version === undefined) return null;
  if (valid(version) === null) return null;
  return { filename, name: canonicalName(name), version, rank: rankOf(parts.slice(-3).join("-")) };
}
