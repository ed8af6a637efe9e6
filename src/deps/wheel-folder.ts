import { maxSatisfying, valid } from "@renovatebot/pep440";
import { z } from "zod";

import { VitrineError, type Value } from "../protocol/index.js";
import { parseDepSpec } from "./dep-spec.js";

/** A package cannot be had here. Nothing was installed. In Python it is a `DepsError`. */
export class DepUnavailableError extends VitrineError {
  override readonly name = "DepsError";
  readonly code = "DEP_UNAVAILABLE";

  constructor(
    readonly spec: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${spec} cannot be installed: ${reason}`, options);
  }

  override details(): Readonly<Record<string, Value>> {
    return { spec: this.spec };
  }
}

/** A wheel, ready to be unpacked. */
export interface WheelFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

interface WheelName {
  readonly filename: string;
  readonly version: string;
  /** Runs on any interpreter of Python 3. */
  readonly isPure: boolean;
}

/** The list of a folder's wheels; every static server can serve it. */
const FolderIndex = z.array(z.string().max(300));

/**
 * A folder of wheels that the site hosts itself. Its `index.json` is the list of
 * the file names; nothing else is fetched from anywhere.
 */
export class WheelFolder {
  readonly #url: string | undefined;
  #index: Promise<readonly string[]> | undefined;

  /** @param url - address of the folder; without it no package can be had. */
  constructor(url: string | undefined) {
    this.#url = url === undefined || url.endsWith("/") ? url : `${url}/`;
  }

  /**
   * The newest wheel that satisfies a requirement.
   * @throws {DepSpecError} @throws {DepUnavailableError} with the reason.
   */
  async find(requirement: string): Promise<WheelFile> {
    const { name, text } = parseDepSpec(requirement);
    const base = this.#url;
    if (base === undefined) {
      throw new DepUnavailableError(text, "this session has no package folder. Open it with `packagesURL`.");
    }
    const wheels = (await this.#list(base, text)).map((filename) => wheelOf(filename, name)).filter(isWheel);
    const best = choose(wheels, text);
    const response = await request(new URL(best.filename, new URL(base, globalThis.location.href)).href, text);
    return { filename: best.filename, bytes: new Uint8Array(await response.arrayBuffer()) };
  }

  async #list(base: string, spec: string): Promise<readonly string[]> {
    this.#index ??= fetchIndex(base, spec);
    try {
      return await this.#index;
    } catch (error) {
      this.#index = undefined;
      throw error;
    }
  }
}

async function fetchIndex(base: string, spec: string): Promise<readonly string[]> {
  const response = await request(new URL("index.json", new URL(base, globalThis.location.href)).href, spec);
  const index = FolderIndex.safeParse(await response.json().catch(() => null));
  if (index.success) return index.data;
  throw new DepUnavailableError(spec, `${response.url} is not a list of file names.`);
}

async function request(url: string, spec: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", redirect: "error" });
  } catch (cause) {
    throw new DepUnavailableError(spec, `${url} cannot be reached.`, { cause });
  }
  if (!response.ok) throw new DepUnavailableError(spec, `${url} answered ${String(response.status)}.`);
  return response;
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

function choose(wheels: readonly WheelName[], spec: string): WheelName {
  if (wheels.length === 0) throw new DepUnavailableError(spec, "the package folder has no wheel of that name.");
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
  return best;
}
