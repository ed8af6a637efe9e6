import { compare, maxSatisfying, valid } from "@renovatebot/pep440";

import { DepUnavailableError } from "./errors.js";
import { rankOf, TAGS_IN_WORDS } from "./wheel-tags.js";

interface NamedWheel {
  readonly filename: string;
  readonly version: string;
  /** How well it suits this interpreter; null where it does not run. */
  readonly rank: number | null;
}

interface RunnableWheel extends NamedWheel {
  readonly rank: number;
}

/**
 * Of a folder's files the newest wheel that satisfies a requirement and runs here, and of several of that version the one that
 * is built for most.
 *
 * @throws {DepUnavailableError} with the reason.
 */
export function chooseWheel(
  filenames: readonly string[],
  { name, spec }: { readonly name: string; readonly spec: string },
): string {
  const wheels = filenames.map((filename) => readName(filename, name)).filter((wheel) => wheel !== null);
  if (wheels.length === 0) {
    const what = `Put a wheel for ${TAGS_IN_WORDS} there, and its name into index.json.`;
    throw new DepUnavailableError(spec, `the package folder has no wheel of that name. ${what}`);
  }
  const runnable = wheels.filter(isRunnable);
  if (runnable.length === 0) {
    const names = wheels.map(({ filename }) => filename).join(", ");
    throw new DepUnavailableError(spec, `nothing of it runs here, which takes ${TAGS_IN_WORDS}. There is ${names}.`);
  }
  const range = spec.replace(/^[\w.-]+(\[[^\]]*\])?/, "").trim();
  const versions = [...new Set(runnable.map(({ version }) => version))];
  const newest = maxSatisfying(versions, range === "" ? ">=0" : range, { prereleases: range.includes("rc") });
  const [best] = runnable.filter(({ version }) => version === newest).sort((a, b) => a.rank - b.rank);
  if (best === undefined) {
    throw new DepUnavailableError(spec, `the package folder has only ${versions.sort(compare).join(", ")}.`);
  }
  return best.filename;
}

/** Reads `name-version(-build)?-python-abi-platform.whl`; null for another package. */
function readName(filename: string, wanted: string): NamedWheel | null {
  const parts = filename.replace(/\.whl$/, "").split("-");
  const [name, version] = parts;
  if (!filename.endsWith(".whl") || parts.length < 5 || name === undefined || version === undefined) return null;
  if (canonical(name) !== canonical(wanted) || valid(version) === null) return null;
  return { filename, version, rank: rankOf(parts.slice(-3).join("-")) };
}

function isRunnable(wheel: NamedWheel): wheel is RunnableWheel {
  return wheel.rank !== null;
}

function canonical(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}
