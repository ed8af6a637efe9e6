import { encodeTextInSlices, type Problem, type Value } from "../protocol/index.js";
import {
  ChangeListeners,
  decodeLargeText,
  encodeJson,
  findClash,
  hasRecord,
  ignoreDamage,
  JsonValueError,
  listJson,
  listKeys,
  OrderNumbers,
  parsePythonJson,
  pathFault,
  readJson,
  stringifyPythonJson,
  StoredSizes,
  type SizeLimits,
  type StorageBackend,
} from "../storage/index.js";
import {
  artifactOf,
  IndexEntry,
  type Artifact,
  type ArtifactChange,
  type ArtifactContent,
  type ArtifactKind,
  type ArtifactOptions,
} from "./artifact.js";
import { ArtifactDataError, ArtifactNameError, ArtifactNotFoundError, ArtifactsFullError } from "./errors.js";
import { checkReadableName, checkWritableName, DATA_PREFIX, INDEX_PREFIX, OUTPUTS_FOLDER } from "./names.js";

const LISTED = { prefix: INDEX_PREFIX, schema: IndexEntry, isName: (name: string) => pathFault(name) === null };

/** Bytes of all artifacts together, by default. */
export const DEFAULT_ARTIFACTS_SIZE = 512 * 2 ** 20;

const MOST_ARTIFACTS = 5000;

export interface ArtifactStoreOptions {
  /** Bytes of all artifacts together. Default 512 MiB. */
  readonly size?: number | undefined;
}

/**
 * What runs leave behind on purpose: texts, JSON and bytes under a name. Data and
 * index entry of an artifact are written together, so that neither is ever there
 * without the other.
 *
 * Every method that takes a name throws {@link ArtifactNameError} for one that no
 * artifact can have. Names under `outputs/` can be read and not written.
 */
export class ArtifactStore {
  readonly #storage: StorageBackend;
  readonly #listeners = new ChangeListeners<ArtifactChange>();
  readonly #orders = new OrderNumbers();
  readonly #limits: SizeLimits;
  readonly #sizes: StoredSizes;
  #lastBytes: Promise<unknown> = Promise.resolve();

  constructor(storage: StorageBackend, { size = DEFAULT_ARTIFACTS_SIZE }: ArtifactStoreOptions = {}) {
    this.#storage = storage;
    this.#limits = { total: size, count: MOST_ARTIFACTS };
    this.#sizes = StoredSizes.of(storage, INDEX_PREFIX, async () => {
      const { records } = await listJson(storage, LISTED);
      return Array.from(records, ([name, entry]) => [name, entry.size + encodeJson(entry).byteLength] as const);
    });
  }

  /**
   * Keeps strings as text, bytes as bytes and everything else as JSON. An artifact of that name is replaced and keeps
   * its place in listings.
   *
   * @throws {ArtifactDataError} when JSON has no word for something in `data` or the metadata.
   * @throws {ArtifactsFullError} when all artifacts together would be too large, or too many.
   */
  async save(name: string, data: Value, options: ArtifactOptions = {}): Promise<Artifact> {
    checkWritableName(name);
    return await this.saveContent(name, contentOf(name, data), options);
  }

  /** As `save`, for data whose kind is known; JSON is stored as the text it is. */
  async saveContent(name: string, content: ArtifactContent, options: ArtifactOptions = {}): Promise<Artifact> {
    checkWritableName(name);
    await this.#checkPlace(name);
    const bytes = await this.#bytesOf(content);
    return await this.#store(name, { kind: content.kind, size: bytes.byteLength }, { ...options, bytes });
  }

  /**
   * Lists a file that is there without an entry, or describes an artifact anew.
   *
   * @throws {ArtifactNotFoundError} when there are no data of that name.
   */
  async register(name: string, description = "", metadata: Readonly<Record<string, Value>> = {}): Promise<Artifact> {
    checkWritableName(name);
    const { bytes, kind } = await this.#read(name);
    return await this.#store(name, { kind, size: bytes.byteLength }, { description, metadata });
  }

  /** Stores a file without listing it: what session code wrote into the artifacts' folder by itself. */
  async writeFile(name: string, bytes: Uint8Array): Promise<void> {
    checkWritableName(name);
    await this.#checkPlace(name);
    const entry = await this.#entry(name).catch(ignoreDamage);
    const entries = new Map<string, Uint8Array | null>([[DATA_PREFIX + name, bytes]]);
    if (entry !== undefined) entries.set(INDEX_PREFIX + name, encodeJson({ ...entry, size: bytes.byteLength }));
    await this.#write(name, bytes.byteLength, entries);
    if (entry !== undefined) {
      this.#listeners.tell({ kind: "saved", name, artifact: artifactOf(name, { ...entry, size: bytes.byteLength }) });
    }
  }

  /**
   * The data as they were saved. Integers beyond 2^53 come as bigint. A JSON artifact whose text is no JSON, and a
   * file without an entry that is UTF-8, come as text.
   *
   * @throws {ArtifactNotFoundError}
   */
  async load(name: string): Promise<Value> {
    const { kind, data } = await this.loadContent(name);
    if (kind !== "json") return data;
    try {
      return parsePythonJson(data);
    } catch {
      return data;
    }
  }

  /** As `load`, with JSON as text. @throws {ArtifactNotFoundError} */
  async loadContent(name: string): Promise<ArtifactContent> {
    const { bytes, kind } = await this.#read(name);
    if (kind === "bytes") return { kind, data: bytes };
    const text = await decodeLargeText(bytes);
    return text === null ? { kind: "bytes", data: bytes } : { kind, data: text };
  }

  /** The stored bytes, whatever the kind: for downloads. @throws {ArtifactNotFoundError} */
  async loadBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.#read(name)).bytes;
  }

  /**
   * @returns null when nothing of that name is listed.
   * @throws {StorageReadError} when its entry is damaged; its data may still load.
   */
  async get(name: string): Promise<Artifact | null> {
    checkReadableName(name);
    const entry = await this.#entry(name);
    return entry === undefined ? null : artifactOf(name, entry);
  }

  /** In the order in which the names were first saved. Damaged entries are left out; see `problems`. */
  async list(): Promise<Artifact[]> {
    const { records } = await listJson(this.#storage, LISTED);
    return [...records].sort(([, a], [, b]) => a.order - b.order).map(([name, entry]) => artifactOf(name, entry));
  }

  /** The entries that cannot be listed, and why. */
  async problems(): Promise<Problem[]> {
    return [...(await listJson(this.#storage, LISTED)).problems];
  }

  /** Whether `load` would find something. */
  async exists(name: string): Promise<boolean> {
    checkReadableName(name);
    return await hasRecord(this.#storage, dataKey(name));
  }

  /** No error when there is nothing to delete. */
  async delete(name: string): Promise<void> {
    checkWritableName(name);
    const keys = [INDEX_PREFIX + name, DATA_PREFIX + name];
    const stored = await Promise.all(keys.map((key) => hasRecord(this.#storage, key)));
    if (!stored.includes(true)) return;
    await this.#sizes.remove(name, () => this.#storage.write(new Map(keys.map((key) => [key, null]))));
    this.#listeners.tell({ kind: "deleted", name });
  }

  /** Told after each change made through this store; not of changes in other tabs. @returns how to stop listening. */
  onChange(listener: (change: ArtifactChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  // One after the other, so that of two that were saved under one name the later stays, however long the first takes.
  #bytesOf(content: ArtifactContent): Promise<Uint8Array> {
    const bytes = this.#lastBytes.then(() =>
      content.kind === "bytes" ? content.data : encodeTextInSlices(content.data),
    );
    this.#lastBytes = bytes;
    return bytes;
  }

  async #store(
    name: string,
    about: Pick<IndexEntry, "kind" | "size">,
    { bytes, description = "", metadata = {} }: ArtifactOptions & { bytes?: Uint8Array },
  ): Promise<Artifact> {
    const before = await this.#entry(name).catch(ignoreDamage);
    const order = before?.order ?? this.#orders.next();
    const entry = { ...about, description, metadata, createdAt: new Date().toISOString(), order };
    const entries = new Map<string, Uint8Array>([[INDEX_PREFIX + name, encodeEntry(name, entry)]]);
    if (bytes !== undefined) entries.set(DATA_PREFIX + name, bytes);
    await this.#write(name, about.size, entries);
    const artifact = artifactOf(name, entry);
    this.#listeners.tell({ kind: "saved", name, artifact });
    return artifact;
  }

  /** @throws {ArtifactsFullError} */
  async #write(name: string, size: number, entries: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    const limits = this.#limits;
    // A description, or metadata, may be as long as the data.
    const noted = entries.get(INDEX_PREFIX + name)?.byteLength ?? 0;
    await this.#sizes.write(
      name,
      { size: size + noted, limits, refuse: (limit) => new ArtifactsFullError(name, size, limits[limit], limit) },
      () => this.#storage.write(entries),
    );
  }

  async #entry(name: string): Promise<IndexEntry | undefined> {
    return await readJson(this.#storage, INDEX_PREFIX + name, IndexEntry);
  }

  async #read(name: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; kind: ArtifactKind }> {
    checkReadableName(name);
    const [bytes, entry] = await Promise.all([
      this.#storage.get(dataKey(name)),
      // The data are good even where the entry is not.
      this.#entry(name).catch(ignoreDamage),
    ]);
    if (bytes === undefined) throw new ArtifactNotFoundError(name);
    return { bytes, kind: entry?.kind ?? (await guessKind(name, bytes)) };
  }

  async #checkPlace(name: string): Promise<void> {
    const folder = name.split("/", 1)[0] ?? name;
    const keys = await listKeys(this.#storage, DATA_PREFIX + folder);
    const clash = findClash(
      name,
      keys.map((key) => key.slice(DATA_PREFIX.length)),
    );
    if (clash === undefined) return;
    throw new ArtifactNameError(name, `Artifact name '${name}' would make a folder of an artifact: '${clash}' exists`);
  }
}

function contentOf(name: string, data: Value): ArtifactContent {
  if (typeof data === "string") return { kind: "text", data };
  if (data instanceof Uint8Array) return { kind: "bytes", data };
  try {
    return { kind: "json", data: stringifyPythonJson(data) };
  } catch (error) {
    throw error instanceof JsonValueError ? new ArtifactDataError(name, error.message, { cause: error }) : error;
  }
}

function encodeEntry(name: string, entry: IndexEntry): Uint8Array {
  try {
    return encodeJson(entry);
  } catch (error) {
    if (!(error instanceof JsonValueError)) throw error;
    throw new ArtifactDataError(name, `in its metadata, ${error.message}`, { cause: error });
  }
}

function dataKey(name: string): string {
  return name.startsWith(OUTPUTS_FOLDER) ? name : DATA_PREFIX + name;
}

async function guessKind(name: string, bytes: Uint8Array): Promise<ArtifactKind> {
  if ((await decodeLargeText(bytes)) === null) return "bytes";
  return name.endsWith(".json") ? "json" : "text";
}
