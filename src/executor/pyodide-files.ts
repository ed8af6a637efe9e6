import { messageOf, type PyodideFiles } from "../protocol/index.js";
import { AssetLoadError } from "./errors.js";
import { pyodideUrls, type PyodideFile } from "./pyodide-urls.js";

/** How far the files of the interpreter have come. Bytes; `total` is undefined while a server does not tell it. */
export interface LoadProgress {
  readonly loaded: number;
  readonly total: number | undefined;
}

export type PyodideUrls = Readonly<Record<PyodideFile, string>>;

const loading = new Map<string, Promise<PyodideFiles>>();

/**
 * Fetches the files that make an interpreter, once per page and address.
 *
 * @param onProgress - hears of the download that this call starts; a call that joins another one hears nothing.
 * @throws {AssetLoadError} naming the file. The next call tries again.
 */
export function loadPyodideFiles(
  urls: PyodideUrls = pyodideUrls(),
  onProgress: (progress: LoadProgress) => void = () => undefined,
): Promise<PyodideFiles> {
  const key = JSON.stringify(urls);
  let files = loading.get(key);
  if (files === undefined) {
    files = fetchAll(urls, onProgress);
    loading.set(key, files);
    files.catch(() => loading.delete(key));
  }
  return files;
}

/** The same five names under another address, for a page that hosts them itself. */
export function pyodideUrlsAt(baseURL: string): PyodideUrls {
  const at = (name: string): string => new URL(name, new URL(baseURL, globalThis.location.href)).href;
  return {
    loader: at("pyodide.mjs"),
    script: at("pyodide.asm.mjs"),
    wasm: at("pyodide.asm.wasm"),
    standardLibrary: at("python_stdlib.zip"),
    lockfile: at("pyodide-lock.json"),
  };
}

/** Where the lockfile lies that came with the interpreter. */
export function lockfileUrl(baseURL: string | undefined): string {
  return (baseURL === undefined ? pyodideUrls() : pyodideUrlsAt(baseURL)).lockfile;
}

async function fetchAll(urls: PyodideUrls, onProgress: (progress: LoadProgress) => void): Promise<PyodideFiles> {
  const progress = new DownloadProgress(onProgress);
  const fetchPart = (file: PyodideFile): Promise<Blob> => fetchBlob(urls[file], progress.forFile());
  const [loader, script, wasm, standardLibrary, lockfile] = await Promise.all([
    fetchPart("loader"),
    fetchPart("script"),
    fetchPart("wasm"),
    fetchPart("standardLibrary"),
    fetchPart("lockfile"),
  ]);
  return { loader, script, wasm, standardLibrary, lockfile };
}

interface FileProgress {
  loaded: number;
  total: number | undefined;
  report(): void;
}

class DownloadProgress {
  readonly #files: FileProgress[] = [];
  readonly #onProgress: (progress: LoadProgress) => void;

  constructor(onProgress: (progress: LoadProgress) => void) {
    this.#onProgress = onProgress;
  }

  forFile(): FileProgress {
    const file: FileProgress = {
      loaded: 0,
      total: undefined,
      report: () => {
        this.#report();
      },
    };
    this.#files.push(file);
    return file;
  }

  #report(): void {
    const loaded = this.#files.reduce((sum, file) => sum + file.loaded, 0);
    const known = this.#files.every((file) => file.total !== undefined);
    // A compressed transfer counts fewer bytes than arrive here, so the total never shrinks below what came.
    const total = known
      ? this.#files.reduce((sum, file) => sum + Math.max(file.total ?? 0, file.loaded), 0)
      : undefined;
    this.#onProgress({ loaded, total });
  }
}

async function fetchBlob(url: string, progress: FileProgress): Promise<Blob> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new AssetLoadError(url, messageOf(cause), { cause });
  }
  if (!response.ok) throw new AssetLoadError(url, `the server answered ${String(response.status)}`);
  if (response.body === null) return response.blob();
  const length = Number(response.headers.get("content-length") ?? NaN);
  progress.total = Number.isFinite(length) ? length : undefined;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  try {
    // A reader, because a stream is no async iterable in WebKit.
    const reader = response.body.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      progress.loaded += next.value.byteLength;
      progress.report();
    }
  } catch (cause) {
    throw new AssetLoadError(url, "the download broke off", { cause });
  }
  return new Blob(parts, { type: response.headers.get("content-type") ?? "" });
}
