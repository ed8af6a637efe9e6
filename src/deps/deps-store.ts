import { z } from "zod";

import { TrustLevel, type Problem } from "../protocol/index.js";
import {
  ChangeListeners,
  encodeJson,
  hasRecord,
  ignoreDamage,
  listJson,
  listKeys,
  OrderNumbers,
  readJson,
  StorageReadError,
  type StorageBackend,
} from "../storage/index.js";
import { parseDepSpec, type DepSpec } from "./dep-spec.js";
import { DepsFullError, DepSpecError, RuntimeDepsDisabledError } from "./errors.js";

export interface DepsStoreOptions {
  /** Whether `add` and `remove` work. Default true. */
  allowRuntime?: boolean;
}

export interface DepsChange {
  readonly kind: "added" | "removed";
  /** Normalised name of the package. */
  readonly name: string;
}

/** A package that a session wants. */
export interface Dep {
  readonly spec: string;
  /** The level of the session whose code added it; absent for one that the page configured. */
  readonly trust?: TrustLevel | undefined;
}

const PREFIX = "deps/";

/** Packages that session code may put on the list. */
const MOST_DEPS = 200;

const DepRecord = z.object({
  spec: z.string(),
  /** Grows with every new name: listings are in this order. */
  order: z.number(),
  trust: TrustLevel.optional(),
});
type DepRecord = z.infer<typeof DepRecord>;

/** Which Python packages a session wants. To install them is the interpreter's business. */
export class DepsStore {
  readonly #storage: StorageBackend;
  readonly #listeners = new ChangeListeners<DepsChange>();
  readonly #orders = new OrderNumbers();
  #lastAdd: Promise<unknown> = Promise.resolve();
  /** What the session's code may do with the list. */
  readonly allowRuntime: boolean;

  constructor(storage: StorageBackend, options: DepsStoreOptions = {}) {
    this.#storage = storage;
    this.allowRuntime = options.allowRuntime ?? true;
  }

  /** @throws {RuntimeDepsDisabledError} when the session's code may not change the list. */
  checkAllowed(operation: "add" | "remove"): void {
    if (!this.allowRuntime) throw new RuntimeDepsDisabledError(operation);
  }

  /** The requirements in the order in which their names were first added. Damaged records are left out. */
  async list(): Promise<string[]> {
    return (await this.entries()).map(({ spec }) => spec);
  }

  /** As `list`, with who added each. */
  async entries(): Promise<Dep[]> {
    return (await this.#listing()).deps;
  }

  /** The records that cannot be listed, and why. */
  async problems(): Promise<Problem[]> {
    return (await this.#listing()).problems;
  }

  /**
   * Adds a requirement; one for the same package is replaced.
   *
   * @param trust - the level of the session whose code adds it.
   * @returns the requirement as it is stored.
   * @throws {RuntimeDepsDisabledError}
   * @throws {DepSpecError}
   * @throws {DepsFullError}
   */
  async add(spec: string, trust?: TrustLevel): Promise<string> {
    this.checkAllowed("add");
    const { name } = parseDepSpec(spec);
    // One after the other: those that are added at once would all find the same room.
    const step = this.#lastAdd.then(async () => {
      const keys = await listKeys(this.#storage, PREFIX);
      if (keys.length >= MOST_DEPS && !keys.includes(PREFIX + name)) throw new DepsFullError(spec, MOST_DEPS);
      const [added] = await this.#put([spec], trust);
      return added ?? spec;
    });
    this.#lastAdd = step.catch(() => undefined);
    return step;
  }

  /**
   * As `add` for each, in one write, and whatever `allowRuntime` says: for the page that opens the session.
   *
   * @throws {DepSpecError} with nothing stored.
   */
  configure(specs: readonly string[]): Promise<string[]> {
    return this.#put(specs);
  }

  async #put(specs: readonly string[], trust?: TrustLevel): Promise<string[]> {
    const parsed = specs.map(parseDepSpec);
    const entries = new Map<string, Uint8Array>();
    for (const { name, text } of parsed) {
      const order =
        (await readJson(this.#storage, PREFIX + name, DepRecord).catch(ignoreDamage))?.order ?? this.#orders.next();
      entries.set(PREFIX + name, encodeJson({ spec: text, order, ...(trust === undefined ? {} : { trust }) }));
    }
    await this.#storage.write(entries);
    for (const { name } of parsed) this.#listeners.tell({ kind: "added", name });
    return parsed.map(({ text }) => text);
  }

  /**
   * Takes a package off the list; what is installed stays so until the session is reset.
   *
   * @param name - with or without a version.
   * @returns whether it was on the list.
   * @throws {RuntimeDepsDisabledError}
   */
  async remove(name: string): Promise<boolean> {
    this.checkAllowed("remove");
    const spec = parseOrNull(name);
    if (spec === null) return false;
    const key = PREFIX + spec.name;
    if (!(await hasRecord(this.#storage, key))) return false;
    await this.#storage.write(new Map([[key, null]]));
    this.#listeners.tell({ kind: "removed", name: spec.name });
    return true;
  }

  /** Told after each change made through this store; not of changes in other tabs. @returns how to stop listening. */
  onChange(listener: (change: DepsChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  async #listing(): Promise<{ deps: Dep[]; problems: Problem[] }> {
    const { records, problems } = await listJson(this.#storage, { prefix: PREFIX, schema: DepRecord });
    // What is stored goes to an installer: it must be as good as what is added.
    const isGood = ([name, { spec }]: [string, DepRecord]): boolean => parseOrNull(spec)?.name === name;
    const good = [...records].filter(isGood).sort(([, a], [, b]) => a.order - b.order);
    const bad = [...records].filter((entry) => !isGood(entry));
    return {
      deps: good.map(([, { spec, trust }]) => ({ spec, trust })),
      problems: [
        ...problems,
        ...bad.map(([name]) => new StorageReadError(PREFIX + name, "it holds no requirement").toProblem()),
      ],
    };
  }
}

function parseOrNull(spec: string): DepSpec | null {
  try {
    return parseDepSpec(spec);
  } catch (error) {
    if (error instanceof DepSpecError) return null;
    throw error;
  }
}
