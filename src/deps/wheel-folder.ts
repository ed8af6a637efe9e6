import { z } from "zod";

import { parseDepSpec } from "./dep-spec.js";
import { DepUnavailableError } from "./errors.js";
import type { PackageSource, WheelFile } from "./resolve-packages.js";

/** The list of a folder's wheels; every static server can serve it. */
const FolderIndex = z.array(z.string().max(300));

/**
 * A folder of wheels that the site hosts itself. Its `index.json` is the list of
 * the file names; nothing else is fetched from anywhere.
 */
export class WheelFolder implements PackageSource {
  readonly #url: string | undefined;
  #index: Promise<readonly string[]> | undefined;

  /** @param url - address of the folder; without it no package can be had. */
  constructor(url: string | undefined) {
    this.#url = url === undefined || url.endsWith("/") ? url : `${url}/`;
  }

  /**
   * The wheels of a package, and of what it needs.
   *
   * @param others - what else the session wants: what is chosen fits it.
   * @throws {DepSpecError} @throws {DepUnavailableError} with the reason.
   */
  async resolve(spec: string, others: readonly string[] = []): Promise<readonly WheelFile[]> {
    const { text } = parseDepSpec(spec);
    const { resolvePackages } = await import("./resolve-packages.js");
    return await resolvePackages(text, others, this);
  }

  /** The file name of the wheel that would come for a package. @throws {DepSpecError} @throws {DepUnavailableError} with the reason. */
  async nameOf(spec: string): Promise<string> {
    const { text } = parseDepSpec(spec);
    const { chooseWheelFor } = await import("./resolve-packages.js");
    return await chooseWheelFor(text, this);
  }

  async list(asked: string): Promise<readonly string[]> {
    const base = this.#baseFor(asked);
    this.#index ??= fetchIndex(base, asked);
    try {
      return await this.#index;
    } catch (error) {
      this.#index = undefined;
      throw error;
    }
  }

  async fetch(filename: string, asked: string): Promise<Uint8Array<ArrayBuffer>> {
    const response = await request(addressIn(this.#baseFor(asked), filename), asked);
    return new Uint8Array(await response.arrayBuffer());
  }

  #baseFor(asked: string): string {
    if (this.#url !== undefined) return this.#url;
    throw new DepUnavailableError(asked, "this session has no package folder. Open it with `packagesURL`.");
  }
}

async function fetchIndex(base: string, asked: string): Promise<readonly string[]> {
  const response = await request(addressIn(base, "index.json"), asked);
  const index = FolderIndex.safeParse(await response.json().catch(() => null));
  if (index.success) return index.data;
  throw new DepUnavailableError(asked, `${response.url} is not a list of file names.`);
}

function addressIn(base: string, name: string): string {
  return new URL(name, new URL(base, globalThis.location.href)).href;
}

async function request(url: string, asked: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", redirect: "error" });
  } catch (cause) {
    throw new DepUnavailableError(asked, `${url} cannot be reached.`, { cause });
  }
  if (!response.ok) throw new DepUnavailableError(asked, `${url} answered ${String(response.status)}.`);
  return response;
}
