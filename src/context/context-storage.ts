import type { z } from "zod";

import type { Source } from "../codegen/index.js";
import {
  encodeJson,
  ignoreDamage,
  listKeys,
  readJson,
  StorageReadError,
  type StorageBackend,
} from "../storage/index.js";
import { ContextClaim, HeadRecord } from "./context-claim.js";
import { ArtifactRecord, FORMAT, SourceRecord, TurnRecord, type ContextArtifact } from "./records.js";
import { versionName } from "./resolve-path.js";

/** All that is stored of a context. What cannot be read is an error in its place, and spoils nothing else. */
export interface StoredContext {
  readonly head: HeadRecord | null;
  readonly turns: ReadonlyMap<string, TurnRecord | StorageReadError>;
  /** By turn and `report@1`. */
  readonly artifacts: ReadonlyMap<string, ReadonlyMap<string, ContextArtifact | StorageReadError>>;
  readonly sources: readonly Source[];
  /** Of the sources that cannot be read. */
  readonly lostSids: readonly number[];
  readonly damage: readonly StorageReadError[];
}

/** What a change of a context stores. */
export interface ContextChange {
  readonly current?: string | null;
  readonly head?: HeadRecord;
  readonly turn?: TurnRecord;
  readonly artifacts?: readonly ContextArtifact[];
  readonly sources?: readonly Source[];
}

/** The records of one context. */
export class ContextStorage {
  readonly #storage: StorageBackend;
  readonly #contextId: string;
  readonly #prefix: string;

  constructor(storage: StorageBackend, contextId: string) {
    this.#storage = storage;
    this.#contextId = contextId;
    this.#prefix = `contexts/${contextId}/`;
  }

  async read(): Promise<StoredContext> {
    const [head, turns, versions, sources] = await Promise.all([
      readJson(this.#storage, ContextClaim.keyOf(this.#contextId), HeadRecord).catch(ignoreDamage),
      this.#readAll("turns/", TurnRecord, ({ id }) => id),
      this.#readAll("artifacts/", ArtifactRecord, ({ artifact }) => `${artifact.turnId}/${versionName(artifact)}`),
      this.#readAll("sources/", SourceRecord, ({ sid }) => String(sid)),
    ]);
    const artifacts = new Map<string, Map<string, ContextArtifact | StorageReadError>>();
    for (const [name, stored] of versions) {
      const [turnId = "", version = ""] = name.split("/");
      const ofTurn = artifacts.get(turnId) ?? new Map<string, ContextArtifact | StorageReadError>();
      artifacts.set(turnId, ofTurn.set(version, stored instanceof StorageReadError ? stored : stored.artifact));
    }
    const damage = [...turns.values(), ...versions.values(), ...sources.values()];
    return {
      head: head ?? null,
      turns,
      artifacts,
      sources: [...sources.values()].flatMap((stored) => (stored instanceof StorageReadError ? [] : sourceOf(stored))),
      lostSids: [...sources].flatMap(([sid, stored]) =>
        stored instanceof StorageReadError && /^\d{1,9}$/.test(sid) ? [Number(sid)] : [],
      ),
      damage: damage.filter((stored) => stored instanceof StorageReadError),
    };
  }

  /** Who may write. */
  claim(head: HeadRecord | null): ContextClaim {
    return new ContextClaim(this.#storage, this.#contextId, head);
  }

  /** Writes all of the change or none. @throws {StorageError} */
  async write({ head, turn, artifacts = [], sources = [] }: ContextChange): Promise<void> {
    const entries = new Map<string, Uint8Array>();
    const record = FORMAT;
    if (head !== undefined) entries.set(ContextClaim.keyOf(this.#contextId), encodeJson(head));
    if (turn !== undefined) entries.set(`${this.#prefix}turns/${turn.id}`, encodeJson(turn));
    for (const artifact of artifacts) {
      const key = `${this.#prefix}artifacts/${artifact.turnId}/${versionName(artifact)}`;
      entries.set(key, encodeJson({ record, artifact }));
    }
    for (const source of sources) {
      entries.set(`${this.#prefix}sources/${String(source.sid)}`, encodeJson({ record, ...source }));
    }
    if (entries.size > 0) await this.#storage.write(entries);
  }

  /** By what follows the prefix in their keys. A record that lies under another's key is damaged too. */
  async #readAll<T>(
    folder: string,
    schema: z.ZodType<T>,
    nameOf: (record: T) => string,
  ): Promise<Map<string, T | StorageReadError>> {
    const prefix = `${this.#prefix}${folder}`;
    const keys = await listKeys(this.#storage, prefix);
    const records = new Map<string, T | StorageReadError>();
    const results = await Promise.allSettled(keys.map((key) => readJson(this.#storage, key, schema)));
    results.forEach((result, index) => {
      const key = keys[index] ?? "";
      const name = key.slice(prefix.length);
      if (result.status === "rejected") {
        if (!(result.reason instanceof StorageReadError)) throw result.reason;
        records.set(name, result.reason);
      } else if (result.value !== undefined) {
        const isOwn = nameOf(result.value) === name;
        records.set(name, isOwn ? result.value : new StorageReadError(key, "it is the record of something else"));
      }
    });
    return records;
  }
}

function sourceOf(stored: z.infer<typeof SourceRecord>): Source {
  const { sid, url, title, text } = stored;
  const { mime, filename } = stored;
  return {
    sid,
    url,
    title,
    text,
    ...(mime === undefined ? {} : { mime }),
    ...(filename === undefined ? {} : { filename }),
  };
}
