import facts from "virtual:base-snapshot";

import { messageOf } from "../../protocol/index.js";
import { rememberedHashes } from "../hosts/remembered-hashes.js";
import type { LoadProgress } from "../pyodide-files.js";
import { baseSnapshotUrl } from "../pyodide-urls.js";
import { cachedSnapshot, cacheSnapshot, dropSnapshot } from "./snapshot-cache.js";

/** A base snapshot that may be used at once, if only `verify` says yes before any code runs. */
export interface BaseSnapshot {
  /** Packed (worker/packed-snapshot.ts). */
  readonly bytes: Blob;
  /** Where it came from. */
  readonly source: "cache" | "download" | "memory";
  /** Whether its hash is the one it should have; looked at once. Never rejects. */
  readonly verify: () => Promise<boolean>;
}

/** A base snapshot, or why there is none. */
export type SnapshotOffer =
  | { readonly snapshot: BaseSnapshot; readonly reason: null }
  | { readonly snapshot: null; readonly reason: string };

/**
 * The base snapshot of this build, once for the page: from the browser's cache,
 * else from the file that was made with the build, else one that a worker of ours
 * made on an earlier visit.
 */
export class BaseSnapshots {
  readonly #url: string;
  #offer: Promise<SnapshotOffer> | undefined;

  /** @param url - of the compressed file. */
  constructor(url: string = baseSnapshotUrl()) {
    this.#url = url;
  }

  /** @param onProgress - hears of the download that this call starts. Never rejects. */
  offer(onProgress: (progress: LoadProgress) => void): Promise<SnapshotOffer> {
    return (this.#offer ??= this.#find(onProgress));
  }

  /** The snapshot did not serve: its hash was wrong, or Pyodide refused it. It is not offered again. */
  async reject(reason: string): Promise<void> {
    this.#offer = Promise.resolve({ snapshot: null, reason });
    await dropSnapshot(facts.buildId);
  }

  /** Takes a snapshot that a worker of ours made, and keeps it for the next visit. */
  async accept(snapshot: Uint8Array<ArrayBuffer>): Promise<void> {
    const bytes = new Blob([snapshot]);
    this.#offer = Promise.resolve({
      snapshot: { bytes, source: "memory", verify: () => Promise.resolve(true) },
      reason: null,
    });
    if (globalThis.isSecureContext && rememberedHashes.set(facts.buildId, await sha256(bytes))) {
      await cacheSnapshot(facts.buildId, bytes);
    }
  }

  async #find(onProgress: (progress: LoadProgress) => void): Promise<SnapshotOffer> {
    const cached = await cachedSnapshot(facts.buildId);
    if (cached !== undefined) {
      const expected = [facts.sha256, rememberedHashes.get(facts.buildId)];
      const verify = once(async () => expected.includes(await sha256(cached)));
      return { snapshot: { bytes: cached, source: "cache", verify }, reason: null };
    }
    try {
      const bytes = await download(this.#url, onProgress);
      return { snapshot: { bytes, source: "download", verify: once(() => verifyDownload(bytes)) }, reason: null };
    } catch (error) {
      return { snapshot: null, reason: `${this.#url}: ${messageOf(error)}` };
    }
  }
}

/** What cannot be read is not what it should be. */
function once(verify: () => Promise<boolean>): () => Promise<boolean> {
  let verified: Promise<boolean> | undefined;
  return () => (verified ??= verify().catch(() => false));
}

async function verifyDownload(bytes: Blob): Promise<boolean> {
  // Without a secure context there is neither hash nor cache; the file is then as good as the script beside it.
  if (!globalThis.isSecureContext) return true;
  if ((await sha256(bytes)) !== facts.sha256) return false;
  // A browser that has no room keeps nothing; the next visit downloads again.
  await cacheSnapshot(facts.buildId, bytes).catch(() => undefined);
  return true;
}

async function download(url: string, onProgress: (progress: LoadProgress) => void): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${String(response.status)}`);
  if (response.body === null) throw new Error("the server sent nothing");
  const length = Number(response.headers.get("content-length") ?? NaN);
  let loaded = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      loaded += part.byteLength;
      onProgress({ loaded, total: Number.isFinite(length) ? Math.max(length, loaded) : undefined });
      controller.enqueue(part);
    },
  });
  const unpacked = response.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).blob();
}

async function sha256(blob: Blob): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
