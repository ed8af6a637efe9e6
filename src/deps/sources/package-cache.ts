/** A file that is kept for the next time. */
export interface CachedPackageFile {
  readonly filename: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** A file on its way into the cache. */
export interface KeptFile {
  readonly filename: string;
  readonly address: string;
  readonly sha256: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Where fetched packages are kept. What it gives is checked by those who ask. */
export interface PackageCache {
  /** Whether files are kept for the next visit, or only for as long as the page lives. */
  readonly persistent: boolean;
  file(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The file that an address last gave, where no hash of it is known. */
  fileFrom(address: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  keep(file: KeptFile): Promise<void>;
  document(address: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  keepDocument(address: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The files, in the order in which they came. */
  list(): Promise<readonly CachedPackageFile[]>;
  /** Forgets all files, or one. */
  clear(sha256?: string): Promise<void>;
}

/** Kept under addresses that nothing can be fetched from. */
const CACHE = "vitrine-packages";
const FILES = "https://vitrine.invalid/packages/files/";
const ADDRESSES = "https://vitrine.invalid/packages/addresses/";
const DOCUMENTS = "https://vitrine.invalid/packages/documents/";

/** Bytes of all files that are kept; past that those go that came first. */
const MOST_KEPT = 500_000_000;

/** The cache of this page: one for all sessions, and for all pages of the site where the browser has a Cache Storage. */
export function packageCache(): PackageCache {
  shared ??= new BrowserCache();
  return shared;
}

let shared: PackageCache | undefined;

/** Documents and addresses that are kept; past that those go that came first. */
const MOST_NOTES = 1000;

/** Cache Storage, and memory where that is missing or refused (plain HTTP, private windows, opaque origins). */
class BrowserCache implements PackageCache {
  #isRefused = !("caches" in globalThis);
  readonly #memory = new MemoryCache();

  get persistent(): boolean {
    return !this.#isRefused;
  }

  file(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#use(
      (cache) => bytesOf(cache, FILES + sha256),
      (memory) => memory.file(sha256),
    );
  }

  fileFrom(address: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#use(
      async (cache) => {
        const sha256 = await bytesOf(cache, ADDRESSES + encodeURIComponent(address));
        return sha256 === undefined ? undefined : await bytesOf(cache, FILES + new TextDecoder().decode(sha256));
      },
      (memory) => memory.fileFrom(address),
    );
  }

  keep(file: KeptFile): Promise<void> {
    return this.#use(
      async (cache) => {
        await makeRoom(cache, file.bytes.length);
        const headers = { "x-filename": encodeURIComponent(file.filename), "x-size": String(file.bytes.length) };
        await cache.put(FILES + file.sha256, new Response(file.bytes, { headers }));
        await putNote(cache, ADDRESSES + encodeURIComponent(file.address), file.sha256);
      },
      (memory) => memory.keep(file),
    );
  }

  document(address: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#use(
      (cache) => bytesOf(cache, DOCUMENTS + encodeURIComponent(address)),
      (memory) => memory.document(address),
    );
  }

  keepDocument(address: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#use(
      (cache) => putNote(cache, DOCUMENTS + encodeURIComponent(address), bytes),
      (memory) => memory.keepDocument(address, bytes),
    );
  }

  list(): Promise<readonly CachedPackageFile[]> {
    return this.#use(listOf, (memory) => memory.list());
  }

  clear(sha256?: string): Promise<void> {
    return this.#use(
      async (cache) => {
        if (sha256 !== undefined) await cache.delete(FILES + sha256);
        else await caches.delete(CACHE);
      },
      (memory) => memory.clear(sha256),
    );
  }

  async #use<T>(inBrowser: (cache: Cache) => Promise<T>, inMemory: (memory: MemoryCache) => Promise<T>): Promise<T> {
    if (!this.#isRefused) {
      try {
        return await inBrowser(await caches.open(CACHE));
      } catch {
        // Also where there is no room left: what does not fit is fetched again the next time.
        this.#isRefused = true;
      }
    }
    return await inMemory(this.#memory);
  }
}

async function bytesOf(cache: Cache, address: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const response = await cache.match(address);
  return response === undefined ? undefined : new Uint8Array(await response.arrayBuffer());
}

async function listOf(cache: Cache): Promise<readonly CachedPackageFile[]> {
  const requests = (await cache.keys()).filter(({ url }) => url.startsWith(FILES));
  return await Promise.all(
    requests.map(async (request) => {
      const headers = (await cache.match(request))?.headers;
      return {
        filename: decodeURIComponent(headers?.get("x-filename") ?? ""),
        sha256: request.url.slice(FILES.length),
        size: Number(headers?.get("x-size") ?? 0),
      };
    }),
  );
}

async function putNote(cache: Cache, key: string, body: BodyInit): Promise<void> {
  const notes = (await cache.keys()).filter(({ url }) => !url.startsWith(FILES));
  for (const note of notes.slice(0, Math.max(0, notes.length - MOST_NOTES + 1))) await cache.delete(note);
  await cache.put(key, new Response(body));
}

async function makeRoom(cache: Cache, wanted: number): Promise<void> {
  const files = await listOf(cache);
  let size = files.reduce((sum, file) => sum + file.size, wanted);
  for (const file of files) {
    if (size <= MOST_KEPT) return;
    await cache.delete(FILES + file.sha256);
    size -= file.size;
  }
}

/** Keeps files for as long as the page lives. */
export class MemoryCache implements PackageCache {
  readonly persistent = false;
  readonly #files = new Map<string, KeptFile>();
  readonly #documents = new Map<string, Uint8Array<ArrayBuffer>>();

  file(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return Promise.resolve(this.#files.get(sha256)?.bytes);
  }

  fileFrom(address: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return Promise.resolve([...this.#files.values()].findLast((file) => file.address === address)?.bytes);
  }

  keep(file: KeptFile): Promise<void> {
    this.#files.set(file.sha256, file);
    let size = [...this.#files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (const { sha256, bytes } of this.#files.values()) {
      if (size <= MOST_KEPT || sha256 === file.sha256) break;
      this.#files.delete(sha256);
      size -= bytes.length;
    }
    return Promise.resolve();
  }

  document(address: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return Promise.resolve(this.#documents.get(address));
  }

  keepDocument(address: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#documents.set(address, bytes);
    return Promise.resolve();
  }

  list(): Promise<readonly CachedPackageFile[]> {
    const files = [...this.#files.values()];
    return Promise.resolve(files.map(({ filename, sha256, bytes }) => ({ filename, sha256, size: bytes.length })));
  }

  clear(sha256?: string): Promise<void> {
    if (sha256 !== undefined) this.#files.delete(sha256);
    else {
      this.#files.clear();
      this.#documents.clear();
    }
    return Promise.resolve();
  }
}
