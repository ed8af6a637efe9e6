import { z } from "zod";

import type { Artifact, ArtifactChange, ArtifactOptions, ArtifactStore } from "../artifacts/index.js";
import { packagesCache, type PackagesCache, type PackagesLock } from "../deps/index.js";
import { checkArgument, optionCheck } from "../options/index.js";
import type { Problem, Value } from "../protocol/index.js";
import {
  SKILL_SEARCH,
  type NewSkill,
  type ScoredSkill,
  type Skill,
  type SkillChange,
  type SkillLibrary,
  type SkillListing,
  type SkillSearchOptions,
} from "../skills/index.js";
import type { DepsOperations } from "./calls/deps-operations.js";
import type { CallOrigin } from "./calls/call-origin.js";
import type { Operations } from "./calls/operations.js";

const checkSkill = optionCheck<NewSkill>("session.skills.create", {
  name: "string",
  source: "string",
  description: "string?",
  trust: "string?",
});
const checkSearch = optionCheck<SkillSearchOptions>("session.skills.search", SKILL_SEARCH);
const checkArtifact = optionCheck<ArtifactOptions>("session.artifacts.save", {
  description: "string?",
  metadata: "object?",
});

/** What `deps.sync()` says, as far as the page reports it. */
const Synced = z.object({ reasons: z.record(z.string(), z.string()) });

/** Skills as the page sees them. Changes are journalled like those of session code. */
export class SessionSkills {
  readonly #library: SkillLibrary;
  readonly #operations: Operations;
  readonly #origin: () => CallOrigin;

  /** @internal */
  constructor(library: SkillLibrary, operations: Operations, origin: () => CallOrigin) {
    this.#library = library;
    this.#operations = operations;
    this.#origin = origin;
  }

  /** @throws {SkillValidationError} @throws {SkillSyntaxError} with nothing changed. */
  async create(skill: NewSkill): Promise<Skill> {
    checkSkill(skill);
    return this.#operations.createSkill(this.#origin(), skill);
  }

  /** Null when there is none of that name. */
  get(name: string): Promise<Skill | null> {
    return this.#library.get(name);
  }

  /** All skills, and the files that are none with the reason. */
  list(): Promise<SkillListing> {
    return this.#library.list();
  }

  async search(query: string, options: SkillSearchOptions = {}): Promise<ScoredSkill[]> {
    checkArgument("session.skills.search", "query", query, "string");
    checkSearch(options);
    return this.#library.search(query, options);
  }

  /** False when there was none. */
  delete(name: string): Promise<boolean> {
    return this.#operations.deleteSkill(this.#origin(), name);
  }

  onChange(listener: (change: SkillChange) => void): () => void {
    return this.#library.onChange(listener);
  }
}

/** Artifacts as the page sees them. */
export class SessionArtifacts {
  readonly #store: ArtifactStore;
  readonly #operations: Operations;
  readonly #origin: () => CallOrigin;

  /** @internal */
  constructor(store: ArtifactStore, operations: Operations, origin: () => CallOrigin) {
    this.#store = store;
    this.#operations = operations;
    this.#origin = origin;
  }

  /** @throws {ArtifactNameError} @throws {ArtifactDataError} @throws {StorageFullError} with the old artifact still there. */
  async save(name: string, data: Value, options: ArtifactOptions = {}): Promise<Artifact> {
    checkArgument("session.artifacts.save", "name", name, "string");
    checkArtifact(options);
    return this.#operations.saveArtifactValue(this.#origin(), { name, data, options });
  }

  /** @throws {ArtifactNotFoundError} */
  load(name: string): Promise<Value> {
    return this.#store.load(name);
  }

  /** @throws {ArtifactNotFoundError} */
  loadBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.#store.loadBytes(name);
  }

  get(name: string): Promise<Artifact | null> {
    return this.#store.get(name);
  }

  list(): Promise<Artifact[]> {
    return this.#store.list();
  }

  problems(): Promise<Problem[]> {
    return this.#store.problems();
  }

  /** That there is none is no error. */
  delete(name: string): Promise<void> {
    return this.#operations.deleteArtifact(this.#origin(), name);
  }

  onChange(listener: (change: ArtifactChange) => void): () => void {
    return this.#store.onChange(listener);
  }
}

/** The packages of a session, as the page sees them. */
export class SessionDeps {
  readonly #operations: DepsOperations;
  readonly #install: (code: string) => Promise<Value>;

  /** @internal */
  constructor(operations: DepsOperations, install: (code: string) => Promise<Value>) {
    this.#operations = operations;
    this.#install = install;
  }

  list(): Promise<string[]> {
    return this.#operations.list();
  }

  /** Installs a package and remembers it, as `deps.add` of session code does. @throws {Error} with the reason. */
  async add(spec: string): Promise<Value> {
    checkArgument("session.deps.add", "spec", spec, "string");
    return this.#install(`deps.add(${JSON.stringify(spec)})`);
  }

  /** Forgets a package; it stays importable until the session is reset. */
  async remove(name: string): Promise<Value> {
    checkArgument("session.deps.remove", "name", name, "string");
    return this.#install(`deps.remove(${JSON.stringify(name)})`);
  }

  /** Installs what is on the list and not installed yet. */
  sync(): Promise<Value> {
    return this.#install("deps.sync()");
  }

  /** @internal As `sync`. @returns why packages could not be installed, by their specifications. */
  async syncOrExplain(): Promise<Readonly<Record<string, string>>> {
    const { reasons } = Synced.parse(await this.sync());
    const bare = ([spec, reason]: [string, string]): [string, string] => {
      // The error that is made of it says so again.
      const begin = `${spec} cannot be installed: `;
      return [spec, reason.startsWith(begin) ? reason.slice(begin.length) : reason];
    };
    return Object.fromEntries(Object.entries(reasons).map(bare));
  }

  /** The files of the packages that are installed, with their hashes: as the `lock` of a source another session takes the same. */
  lock(): PackagesLock {
    return this.#operations.lock();
  }

  /** The files that are kept for the next time, of this page's site. */
  get cache(): PackagesCache {
    return packagesCache;
  }
}
