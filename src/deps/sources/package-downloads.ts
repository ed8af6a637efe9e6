import { decodeTextInSlices, decodeValueInSlices, MalformedValueError, Slices } from "../../protocol/index.js";
import { Sha256 } from "../../storage/index.js";
import { Unavailable } from "./unavailable.js";
import type { PackageCache } from "./package-cache.js";
import type { PackageFile } from "./package-source.js";

/** Bytes of a file that is fetched. */
const LARGEST = 500_000_000;

/** Bytes of a list of files. */
const LARGEST_DOCUMENT = 30_000_000;

/** Nothing of the visitor goes along, and nothing is followed to a host that was not checked. */
const REQUEST = { credentials: "omit", referrerPolicy: "no-referrer", redirect: "error" } as const;

/** Bytes that are hashed in one go where the browser does not do it. */
const HASHED_AT_ONCE = 2 ** 20;

export interface DownloadOptions {
  /** Hexadecimal. A file that differs is thrown away. */
  readonly sha256?: string | undefined;
  /** What it is called in messages, and in the list of what is kept. */
  readonly filename: string;
  readonly onBytes?: ((received: number, total: number | undefined) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file, and the hash that it really has. */
export interface Download {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  /** Whether it came over the network just now, and not from what was kept. */
  readonly isFetched?: boolean;
}

/** How an address is asked: as the browser does it, or in a way that knows files of this machine, too. */
export type FetchAddress = (address: string, request: RequestInit) => Promise<Response>;

/** Fetches what sources name, keeps it, and gives what is kept where there is no network. */
export class PackageDownloads {
  readonly #cache: PackageCache;
  readonly #ask: FetchAddress;

  constructor(cache: PackageCache, ask: FetchAddress = (address, request) => fetch(address, request)) {
    this.#cache = cache;
    this.#ask = ask;
  }

  /** A file, whose hash is checked however it comes. @throws {Unavailable} */
  async file(address: string, options: DownloadOptions): Promise<Download> {
    const { sha256, filename, onBytes, signal } = options;
    if (sha256 !== undefined) {
      const kept = await this.#cache.file(sha256);
      if (kept !== undefined && (await hashOf(kept)) === sha256) {
        onBytes?.(kept.length, kept.length);
        return { bytes: kept, sha256 };
      }
    }
    let isFetched = true;
    const fetched = await this.#fetch(address, { onBytes, signal }).catch(async (error: unknown) => {
      isFetched = false;
      const kept = sha256 === undefined && isOffline(error) ? await this.#cache.fileFrom(address) : undefined;
      if (kept === undefined) throw error;
      return kept;
    });
    const hash = await hashOf(fetched);
    if (sha256 !== undefined && hash !== sha256) {
      const reason = `${filename} is not the file that is meant: its SHA-256 is ${hash}, and it should be ${sha256}.`;
      throw new Unavailable("hash", reason);
    }
    await this.#cache.keep({ filename, address, sha256: hash, bytes: fetched });
    return { bytes: fetched, sha256: hash, isFetched };
  }

  /** Bytes of a file that is to be fetched: none where it is kept; undefined where the server does not say. */
  async sizeOf({
    address,
    sha256,
    size,
  }: Pick<PackageFile, "address" | "sha256" | "size">): Promise<number | undefined> {
    if (sha256 !== undefined && (await this.#cache.file(sha256)) !== undefined) return 0;
    if (size !== undefined) return size;
    try {
      const { ok, headers } = await this.#ask(address, { ...REQUEST, method: "HEAD" });
      const length = Number(headers.get("content-length") ?? 0);
      return ok && length > 0 && (headers.get("content-encoding") ?? "") === "" ? length : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * A document in JSON, such as an index, as it is now; as it last was where there is no network. Undefined where the
   * server has none (404).
   *
   * @throws {Unavailable}
   */
  async document(address: string, accept = "application/json"): Promise<unknown> {
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = await this.#fetch(address, { accept, largest: LARGEST_DOCUMENT });
    } catch (error) {
      if (error instanceof Missing) return undefined;
      const kept = isOffline(error) ? await this.#cache.document(address) : undefined;
      if (kept === undefined) throw error;
      return await parsed(kept, address);
    }
    const document = await parsed(bytes, address);
    await this.#cache.keepDocument(address, bytes);
    return document;
  }

  async #fetch(
    address: string,
    { accept, signal, onBytes, largest = LARGEST }: Transfer,
  ): Promise<Uint8Array<ArrayBuffer>> {
    let response: Response;
    try {
      response = await this.#ask(address, {
        ...REQUEST,
        ...(signal === undefined ? {} : { signal }),
        ...(accept === undefined ? {} : { headers: { accept } }),
      });
    } catch (cause) {
      throw unreachable(address, cause);
    }
    if (response.status === 404) throw new Missing(`${address} answered 404.`);
    if (!response.ok) throw new Unavailable("source", `${address} answered ${String(response.status)}.`);
    return await readBody(response, address, { onBytes, largest });
  }
}

interface Transfer extends Pick<DownloadOptions, "onBytes" | "signal"> {
  readonly accept?: string;
  /** Bytes. Default: those of a file. */
  readonly largest?: number;
}

/** The server has no such file. */
class Missing extends Unavailable {
  constructor(reason: string) {
    super("source", reason);
  }
}

function isOffline(error: unknown): boolean {
  return error instanceof Unavailable && error.why === "unreachable";
}

function unreachable(address: string, cause: unknown): Unavailable {
  // Node has a navigator that does not know.
  const isOff = typeof navigator === "object" && "onLine" in navigator && !navigator.onLine;
  const reason = isOff
    ? `${address} cannot be reached, since there is no network, and it is not among the files that are kept.`
    : `${address} cannot be reached.`;
  return new Unavailable("unreachable", reason, { cause });
}

async function readBody(
  response: Response,
  address: string,
  { onBytes, largest }: Pick<Transfer, "onBytes"> & { readonly largest: number },
): Promise<Uint8Array<ArrayBuffer>> {
  // Of a packed answer the length is that of other bytes.
  const isPacked = (response.headers.get("content-encoding") ?? "") !== "";
  const length = Number(response.headers.get("content-length") ?? 0);
  const total = isPacked || !(length > 0) ? undefined : length;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = response.body?.getReader();
  try {
    for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
      pieces.push(next.value);
      received += next.value.length;
      if (received > largest) {
        await reader?.cancel();
        throw new Unavailable("source", `${address} sends more than ${largest.toLocaleString("en-US")} bytes.`);
      }
      onBytes?.(received, total);
    }
  } catch (error) {
    throw error instanceof Unavailable ? error : unreachable(address, error);
  }
  const bytes = new Uint8Array(received);
  const slices = new Slices();
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
    await slices.rest();
  }
  return bytes;
}

/** Reads JSON in slices: the list of a server may be long, and may be made to keep the page busy. @throws {Unavailable} */
async function parsed(bytes: Uint8Array, address: string): Promise<unknown> {
  // JSON may begin with a byte order mark, which is none of it.
  const text = (await decodeTextInSlices(bytes)).replace(/^\uFEFF/, "");
  try {
    return await decodeValueInSlices({ text, buffers: [] });
  } catch (cause) {
    if (!(cause instanceof MalformedValueError)) throw cause;
    throw new Unavailable("source", `${address} is not JSON.`, { cause });
  }
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Pages served over plain HTTP have none.
  const subtle: unknown = Reflect.get(crypto, "subtle");
  if (subtle !== undefined) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  const hash = new Sha256();
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return hash.digest();
}
