import { maxSatisfying, valid } from "@renovatebot/pep440";

import { DepUnavailableError } from "./errors.js";

interface WheelName {
  readonly filename: string;
  readonly version: string;
  /** Runs on any interpreter of Python 3. */
  readonly isPure: boolean;
}

/**
 * Of a folder's files the newest wheel that satisfies a requirement.
 *
 * @throws {DepUnavailableError} with the reason.
 */
export function chooseWheel(
  filenames: readonly string[],
  { name, spec }: { readonly name: string; readonly spec: string },
): string {
  const wheels = filenames.map((filename) => wheelOf(filename, name)).filter(isWheel);
  if (wheels.length === 0)
    throw new DepUnavailableError(
      spec,
      "the package folder has no wheel of that name. Put a pure Python wheel (py3-none-any) there, and its name into index.json.",
    );
  const pure = wheels.filter(({ isPure }) => isPure);
  if (pure.length === 0) {
    const [compiled] = wheels;
    const why = `${compiled?.filename ?? ""} is compiled code; only pure Python wheels (py3-none-any) can be installed.`;
    throw new DepUnavailableError(spec, why);
  }
  const range = spec.replace(/^[\w.-]+(\[[^\]]*\])?/, "").trim();
  const versions = pure.map(({ version }) => version);
  const version = maxSatisfying(versions, range === "" ? ">=0" : range, { prereleases: range.includes("rc") });
  const best = pure.find((wheel) => wheel.version === version);
  if (best === undefined) throw new DepUnavailableError(spec, `the package folder has only ${versions.join(", ")}.`);
  return best.filename;
}

/** Reads `name-version(-build)?-python-abi-platform.whl`; undefined for another package. */
function wheelOf(filename: string, wanted: string): WheelName | undefined {
  const parts = filename.replace(/\.whl$/, "").split("-");
  const [name, version] = parts;
  if (!filename.endsWith(".whl") || parts.length < 5 || name === undefined || version === undefined) return undefined;
  if (canonical(name) !== canonical(wanted) || valid(version) === null) return undefined;
  const [python = "", abi, platform] = parts.slice(-3);
  const isPure = python.split(".").includes("py3") && abi === "none" && platform === "any";
  return { filename, version, isPure };
}

function isWheel(wheel: WheelName | undefined): wheel is WheelName {
  return wheel !== undefined;
}

function canonical(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}
