import { z } from "zod";

import { parseDepSpec } from "./dep-spec.js";
import { DepUnavailableError } from "./errors.js";

/** A wheel, ready to be unpacked. */
export interface WheelFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
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
    const { base, filename, spec } = await this.#choose(requirement);
    const response = await request(new URL(filename, new URL(base, globalThis.location.href)).href, spec);
    return { filename, bytes: new Uint8Array(await response.arrayBuffer()) };
  }

  /** The file name of what `find` would fetch. @throws {DepSpecError} @throws {DepUnavailableError} with the reason. */
  async nameOf(requirement: string): Promise<string> {
    return (await this.#choose(requirement)).filename;
  }

  async #choose(requirement: string): Promise<{ base: string; filename: string; spec: string }> {
    const { name, text } = parseDepSpec(requirement);
    const base = this.#url;
    if (base === undefined) {
      throw new DepUnavailableError(text, "this session has no package folder. Open it with `packagesURL`.");
    }
    const filenames = await this.#list(base, text);
    const { chooseWheel } = await import("./choose-wheel.js");
    return { base, filename: chooseWheel(filenames, { name, spec: text }), spec: text };
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
