import { messageOf } from "../../../protocol/index.js";
import type { CellFile } from "../cell-runtime.js";
import { CellFileError } from "./errors.js";

/** Bytes that a file of the site may have. */
export const LARGEST_FILE = 50_000_000;

/** Bytes of files that are kept for the next run. */
const KEPT = 50_000_000;

/** Milliseconds that a server may keep silent. */
const PATIENCE = 30_000;

export interface SiteFilesOptions {
  /** Bytes that a file may have. Default: 50 MB. */
  readonly largest?: number;
  /** Milliseconds that a server may keep silent, before its answer and within it. Default: 30 seconds. */
  readonly patience?: number;
  /** Whether a file is refused that was asked of one site and comes from another. Default: false. */
  readonly keepsOrigin?: boolean;
}

/**
 * Files of the site, fetched by the page. Nothing of the reader's goes with the request: what a page names, its code could
 * show to others.
 */
export class SiteFiles {
  readonly #largest: number;
  readonly #patience: number;
  readonly #keepsOrigin: boolean;
  /** By address, the latest last. Cells that begin afresh ask for the same files with every run. */
  readonly #kept = new Map<string, Uint8Array<ArrayBuffer>>();
  #size = 0;

  constructor({ largest = LARGEST_FILE, patience = PATIENCE, keepsOrigin = false }: SiteFilesOptions = {}) {
    this.#largest = largest;
    this.#patience = patience;
    this.#keepsOrigin = keepsOrigin;
  }

  /**
   * @param name - what the cell calls it.
   * @throws {CellFileError} with the file, its address and the reason. @throws the signal's reason.
   */
  async fetch(url: string, name: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const kept = this.#kept.get(url);
    if (kept !== undefined) return kept;
    const seconds = `${String(this.#patience / 1000)} seconds`;
    const silence = new Silence(this.#patience, new CellFileError(name, url, `the server was silent for ${seconds}`));
    try {
      const content = await this.#load(url, name, silence, AbortSignal.any([signal, silence.signal]));
      this.#keep(url, content);
      return content;
    } finally {
      silence.end();
    }
  }

  async #load(url: string, name: string, silence: Silence, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const failed = (reason: string, cause?: unknown): CellFileError => new CellFileError(name, url, reason, { cause });
    if (!/^https?:$/.test(protocolOf(url))) throw failed("only http and https addresses are loaded");
    let response: Response;
    try {
      response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", signal });
    } catch (error) {
      signal.throwIfAborted();
      throw failed(`the server did not answer, or does not let this page read it (${messageOf(error)})`, error);
    }
    const { ok, status, body } = response;
    if (this.#keepsOrigin && new URL(response.url).origin !== new URL(url).origin) {
      void body?.cancel().catch(() => undefined);
      throw failed("its address leads to another site");
    }
    if (!ok) {
      void body?.cancel().catch(() => undefined);
      const hint = status === 401 || status === 403 ? "; the page asks without the reader's cookies" : "";
      throw failed(`the server answered with status ${String(status)}${hint}`);
    }
    try {
      return await this.#read(response, silence, () => failed(`it has more than ${inWords(this.#largest)}`));
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof CellFileError ? error : failed(`the download broke off (${messageOf(error)})`, error);
    }
  }

  async #read(
    { headers, body }: Response,
    silence: Silence,
    tooLarge: () => CellFileError,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const reader = body?.getReader();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    const isTooLarge = (): boolean => size > this.#largest;
    if (Number(headers.get("content-length") ?? 0) > this.#largest) {
      void reader?.cancel().catch(() => undefined);
      throw tooLarge();
    }
    for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
      silence.heard();
      chunks.push(next.value);
      size += next.value.byteLength;
      if (!isTooLarge()) continue;
      void reader?.cancel().catch(() => undefined);
      throw tooLarge();
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  }

  #keep(url: string, content: Uint8Array<ArrayBuffer>): void {
    if (content.byteLength > KEPT || this.#kept.has(url)) return;
    this.#kept.set(url, content);
    this.#size += content.byteLength;
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#size <= KEPT) return;
      this.#kept.delete(oldest);
      this.#size -= byteLength;
    }
  }
}

/** Gives up a server that has said nothing for too long; one that is only slow may go on. */
class Silence {
  readonly #controller = new AbortController();
  readonly #patience: number;
  readonly #reason: Error;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(patience: number, reason: Error) {
    this.#patience = patience;
    this.#reason = reason;
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something came. */
  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#controller.abort(this.#reason);
    }, this.#patience);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** The files that one run asks for, each fetched once. */
export class FilesOfRun {
  readonly #files: SiteFiles;
  readonly #signal: AbortSignal;
  readonly #coming = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(files: SiteFiles, signal: AbortSignal) {
    this.#files = files;
    this.#signal = signal;
  }

  /** Begins to fetch files while an interpreter starts. @returns a promise that only rejects, where one cannot be had. */
  ahead(files: readonly CellFile[]): Promise<never> {
    return new Promise((_, reject) => {
      for (const file of files) this.get(file).catch(reject);
    });
  }

  /** @throws {CellFileError} @throws the signal's reason. */
  get({ url, path }: CellFile): Promise<Uint8Array<ArrayBuffer>> {
    let coming = this.#coming.get(url);
    if (coming === undefined) {
      coming = this.#files.fetch(url, path, this.#signal);
      this.#coming.set(url, coming);
    }
    return coming;
  }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}

function inWords(bytes: number): string {
  return bytes >= 1_000_000 ? `${String(bytes / 1_000_000)} MB` : `${bytes.toLocaleString("en-US")} bytes`;
}
