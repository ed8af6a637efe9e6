import type { OptionKinds } from "../options/index.js";
import { Slices, type Problem, type TrustLevel } from "../protocol/index.js";
import {
  ChangeListeners,
  decodeJson,
  decodeText,
  encodeJson,
  encodeText,
  hasRecord,
  listKeys,
  sha256,
  StorageReadError,
  StoredSizes,
  type SizeLimits,
  type StorageBackend,
} from "../storage/index.js";
import { SkillError, SkillsFullError, SkillValidationError } from "./errors.js";
import { checkSkillName } from "./names.js";
import type { SkillIndex } from "./skill-index.js";
import {
  SkillRecord,
  VersionRecord,
  type ScoredSkill,
  type Skill,
  type SkillChange,
  type SkillInspection,
  type SkillInspector,
  type SkillVersion,
} from "./skill.js";

/** A skill as it is created: its source is a Python module with a function `run`. */
export interface NewSkill {
  readonly name: string;
  readonly source: string;
  /** Default: the first line of a docstring. */
  readonly description?: string;
  /** The level of the session that writes it. */
  readonly trust?: TrustLevel;
}

/** The skills that can be used, and what is wrong with the others: a faulty one hides none. */
export interface SkillListing {
  readonly skills: readonly Skill[];
  /** Files that are no skills, and records that are damaged. */
  readonly problems: readonly Problem[];
}

/** How many skills are found, and how well they have to fit. */
export interface SkillSearchOptions {
  /** Default 10. */
  limit?: number;
  /** Leaves out what scores less. Default 0: the best are given even where nothing fits. */
  threshold?: number;
}

export const SKILL_SEARCH: OptionKinds<SkillSearchOptions> = { limit: "number?", threshold: "number?" };

const SKILLS = "skills/";
const VERSIONS = "skills/versions/";
const MAX_VERSIONS = 20;
/** In UTF-16 code units. */
const MAX_SOURCE_LENGTH = 1_000_000;
/** A source is compared line by line with the one that it replaces. */
const MAX_SOURCE_LINES = 50_000;
/** Bytes of all sources with what is noted of them, and how many skills there may be. Older versions are kept beside. */
const LIMITS: SizeLimits = { total: 20_000_000, count: 1000 };

interface StoredSkill {
  readonly name: string;
  readonly source: string;
  /** Undefined for a file that came without one, or whose source is not the one it was made for. */
  readonly record: SkillRecord | undefined;
  /** When the record is damaged. */
  readonly problem: Problem | undefined;
  /** Zero when none is known. */
  readonly lastVersion: number;
}

/**
 * The skills of a storage: `skills/<name>.py` and what is known about each beside
 * it. Nothing is run to list or to save a skill. Files that others put there are
 * found on the next call.
 */
export class SkillLibrary {
  readonly #storage: StorageBackend;
  readonly #inspect: SkillInspector;
  readonly #listeners = new ChangeListeners<SkillChange>();
  readonly #sizes: StoredSizes;
  /** By name and hash of the source, so that each is inspected once. */
  readonly #inspected = new Map<string, SkillInspection | SkillError>();
  #index: SkillIndex | undefined;
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(storage: StorageBackend, inspect: SkillInspector) {
    this.#storage = storage;
    this.#inspect = inspect;
    this.#sizes = StoredSizes.of(storage, SKILLS, async () => {
      const names = await this.#names();
      const stored = names.map(async (name) => {
        const parts = await Promise.all([storage.get(sourceKey(name)), storage.get(recordKey(name))]);
        return [name, parts.reduce((sum, part) => sum + (part?.byteLength ?? 0), 0)] as const;
      });
      return Promise.all(stored);
    });
  }

  /**
   * What a skill would be listed with. Nothing is stored.
   *
   * @throws {SkillValidationError} for a name that cannot be called, or a source that is too long or has no usable `run`.
   * @throws {SkillSyntaxError}
   */
  async describe({ name, source, description = "" }: NewSkill): Promise<SkillInspection> {
    checkSkillName(name);
    if (source.length > MAX_SOURCE_LENGTH) {
      throw new SkillValidationError(
        name,
        `The source of a skill may have ${String(MAX_SOURCE_LENGTH)} characters at most`,
      );
    }
    if (source.split(/\r\n?|\n/, MAX_SOURCE_LINES + 1).length > MAX_SOURCE_LINES) {
      throw new SkillValidationError(name, `The source of a skill may have ${String(MAX_SOURCE_LINES)} lines at most`);
    }
    const inspection = await this.#inspect(name, source);
    return description.trim() === "" ? inspection : { ...inspection, description };
  }

  /**
   * Saves a skill. One of that name is overwritten and stays readable through `versions`; saving the same again
   * changes nothing.
   *
   * @param described - what it is to be listed with, as {@link describe} answered.
   * @throws what {@link describe} throws.
   * @throws {SkillsFullError}
   */
  async create(skill: NewSkill, described?: SkillInspection): Promise<Skill> {
    const { name, source, trust } = skill;
    const { description, parameters } = described ?? (await this.describe(skill));
    const about = {
      sourceHash: sha256(source),
      description,
      parameters: [...parameters],
      ...(trust === undefined ? {} : { trust }),
    };
    return await this.#inTurn(() => this.#save(name, source, about));
  }

  /**
   * @returns null when there is no skill of that name, whatever the name is.
   * @throws {SkillError} when there is a file of that name that is no skill.
   */
  async get(name: string): Promise<Skill | null> {
    if (!isSkillName(name)) return null;
    const stored = await this.#read(name);
    return stored === undefined ? null : await this.#complete(stored);
  }

  /** The source as it is stored, which may be no skill's; null when there is none. Nothing is asked about it. */
  async sourceOf(name: string): Promise<string | null> {
    if (!isSkillName(name)) return null;
    const bytes = await this.#storage.get(sourceKey(name));
    return bytes === undefined ? null : (decodeText(bytes) ?? "");
  }

  /** By name. Files that start with `_` are nobody's business and not listed as problems either. */
  async list(): Promise<SkillListing> {
    const skills: Skill[] = [];
    const problems: Problem[] = [];
    const names = await this.#names();
    const stored = await Promise.allSettled(names.map((name) => this.#readListed(name)));
    const slices = new Slices();
    for (const [index, name] of names.entries()) {
      try {
        const file = settled(stored[index]);
        if (file?.problem !== undefined) problems.push(file.problem);
        // One after the other: the inspector is an interpreter.
        if (file !== undefined) skills.push(await this.#complete(file));
        await slices.rest();
      } catch (error) {
        problems.push(problemOf(sourceKey(name), error));
      }
    }
    return { skills, problems };
  }

  /**
   * By how well name, then description, then source fit the query; the best first. Of the query 1,000 characters are
   * looked at, and 50 words.
   */
  async search(query: string, { limit = 10, threshold = 0 }: SkillSearchOptions = {}): Promise<ScoredSkill[]> {
    const { skills } = await this.list();
    const { SkillIndex: Index } = await import("./skill-index.js");
    this.#index ??= new Index();
    const found = await this.#index.rank(skills, query);
    return found.filter(({ score }) => score >= threshold).slice(0, limit);
  }

  /** What the skill was before each overwrite, newest first; the last 20. */
  async versions(name: string): Promise<SkillVersion[]> {
    if (!isSkillName(name)) return [];
    const keys = await listKeys(this.#storage, `${VERSIONS}${name}/`);
    const records = await Promise.all(keys.map((key) => this.#storage.get(key)));
    const versions: SkillVersion[] = [];
    keys.forEach((key, index) => {
      const version = readVersion(key, records[index]);
      if (version !== undefined) versions.push(version);
    });
    return versions.reverse();
  }

  /** With its older versions. @returns whether there was one. */
  async delete(name: string): Promise<boolean> {
    return await this.#inTurn(async () => {
      if (name.includes("/")) return false;
      if (!(await hasRecord(this.#storage, sourceKey(name)))) return false;
      const versions = await listKeys(this.#storage, `${VERSIONS}${name}/`);
      const gone = new Map([sourceKey(name), recordKey(name), ...versions].map((key) => [key, null] as const));
      await this.#sizes.remove(name, () => this.#storage.write(gone));
      this.#listeners.tell({ kind: "deleted", name });
      return true;
    });
  }

  /** Told after each change made through this library; not of changes in other tabs. @returns how to stop listening. */
  onChange(listener: (change: SkillChange) => void): () => void {
    return this.#listeners.add(listener);
  }

  async #save(name: string, source: string, about: Omit<SkillRecord, "version" | "savedAt">): Promise<Skill> {
    const before = await this.#read(name).catch(ignoreDamage);
    const unchanged = before?.source === source && before.record?.description === about.description;
    if (unchanged && before.record.trust === about.trust) return skillOf(name, source, before.record);
    const version = before === undefined ? 1 : Math.max(1, before.lastVersion) + 1;
    const record: SkillRecord = { ...about, version, savedAt: new Date().toISOString() };
    const text = encodeText(source);
    const recorded = encodeJson(record);
    const entries = new Map<string, Uint8Array | null>([
      [sourceKey(name), text],
      [recordKey(name), recorded],
    ]);
    if (before !== undefined) await this.#keepVersion(before, version - 1, entries);
    const size = text.byteLength + recorded.byteLength;
    const refuse = (limit: keyof SizeLimits): Error => new SkillsFullError(name, LIMITS[limit], limit);
    await this.#sizes.write(name, { size, limits: LIMITS, refuse }, () => this.#storage.write(entries));
    const skill = skillOf(name, source, record);
    this.#listeners.tell({ kind: "saved", name, skill });
    return skill;
  }

  async #keepVersion(before: StoredSkill, version: number, entries: Map<string, Uint8Array | null>): Promise<void> {
    const { name, source, record } = before;
    const old = {
      version,
      description: record?.description ?? "",
      source,
      savedAt: record?.savedAt ?? new Date(0).toISOString(),
    };
    const kept = await listKeys(this.#storage, `${VERSIONS}${name}/`);
    for (const key of kept.slice(0, Math.max(0, kept.length + 1 - MAX_VERSIONS))) entries.set(key, null);
    entries.set(`${VERSIONS}${name}/${String(version).padStart(8, "0")}.json`, encodeJson(old));
  }

  /** The skill of a stored file; asks the inspector where nothing is known about the source yet. */
  async #complete({ name, source, record, lastVersion }: StoredSkill): Promise<Skill> {
    if (record !== undefined) return skillOf(name, source, record);
    const sourceHash = sha256(source);
    const { description, parameters, isDoubtful = false } = await this.#inspectOnce(name, source, sourceHash);
    const version = lastVersion + 1;
    const made = { sourceHash, description, parameters: [...parameters], version, savedAt: new Date().toISOString() };
    if (!isDoubtful) await this.#remember(name, made);
    return skillOf(name, source, made);
  }

  async #inspectOnce(name: string, source: string, hash: string): Promise<SkillInspection> {
    const key = `${name} ${hash}`;
    let result = this.#inspected.get(key);
    if (result === undefined) {
      result = await this.#inspect(name, source).catch((error: unknown) => {
        if (error instanceof SkillError) return error;
        throw error;
      });
      this.#inspected.set(key, result);
    }
    if (result instanceof SkillError) throw result;
    return result;
  }

  /** Saves the next listing the inspection. A store without room can do without. */
  async #remember(name: string, made: SkillRecord): Promise<void> {
    await this.#inTurn(async () => {
      const now = await this.#read(name).catch(ignoreDamage);
      // A damaged record stays where it is, so that it stays listed until somebody saves the skill anew.
      if (now === undefined || now.record !== undefined || now.problem !== undefined) return;
      if (sha256(now.source) === made.sourceHash) {
        await this.#storage.write(new Map([[recordKey(name), encodeJson(made)]])).catch(() => undefined);
      }
    });
  }

  async #names(): Promise<string[]> {
    const keys = await listKeys(this.#storage, SKILLS);
    return keys.flatMap((key) => /^skills\/([^/_][^/]*)\.py$/.exec(key)?.[1] ?? []);
  }

  async #readListed(name: string): Promise<StoredSkill | undefined> {
    checkSkillName(name);
    return await this.#read(name);
  }

  async #read(name: string): Promise<StoredSkill | undefined> {
    const [bytes, about] = await Promise.all([
      this.#storage.get(sourceKey(name)),
      this.#storage
        .get(recordKey(name))
        .then((found) => parseRecord(recordKey(name), found), recordProblem(recordKey(name))),
    ]);
    if (bytes === undefined) return undefined;
    const source = decodeText(bytes);
    if (source === null) throw new SkillValidationError(name, "The file is not UTF-8 text");
    const { record, problem } = about;
    const lastVersion = record?.version ?? 0;
    // A file that was changed behind our back is inspected again.
    return { name, source, record: record?.sourceHash === sha256(source) ? record : undefined, problem, lastVersion };
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#lastStep.then(step);
    this.#lastStep = result.catch(() => undefined);
    return result;
  }
}

interface ParsedRecord {
  readonly record: SkillRecord | undefined;
  readonly problem: Problem | undefined;
}

function parseRecord(key: string, bytes: Uint8Array | undefined): ParsedRecord {
  if (bytes === undefined) return { record: undefined, problem: undefined };
  try {
    return { record: decodeJson(key, bytes, SkillRecord), problem: undefined };
  } catch (error) {
    return recordProblem(key)(error);
  }
}

function recordProblem(key: string): (error: unknown) => ParsedRecord {
  return (error) => ({ record: undefined, problem: problemOf(key, error) });
}

/** @throws what is no fault of that one file. */
function problemOf(file: string, error: unknown): Problem {
  if (error instanceof SkillError) return error.toProblem(file);
  if (error instanceof StorageReadError) return error.toProblem();
  throw error;
}

function skillOf(name: string, source: string, { description, parameters, version, trust }: SkillRecord): Skill {
  const hash = sha256(`${description}|||${source}`).slice(0, 16);
  return { name, description, source, parameters, hash, version, ...(trust === undefined ? {} : { trust }) };
}

function readVersion(key: string, bytes: Uint8Array | undefined): SkillVersion | undefined {
  if (bytes === undefined) return undefined;
  try {
    const { savedAt, ...rest } = decodeJson(key, bytes, VersionRecord);
    return { ...rest, savedAt: new Date(savedAt) };
  } catch (error) {
    ignoreDamage(error);
    return undefined;
  }
}

function isSkillName(name: string): boolean {
  try {
    checkSkillName(name);
    return true;
  } catch {
    return false;
  }
}

function sourceKey(name: string): string {
  return `${SKILLS}${name}.py`;
}

function recordKey(name: string): string {
  return `${SKILLS}${name}.json`;
}

/** For `catch`: takes a file or record that cannot be used for an absent one. @throws every other error. */
function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof StorageReadError || error instanceof SkillError)) throw error;
  return undefined;
}

function settled<T>(result: PromiseSettledResult<T> | undefined): T | undefined {
  if (result?.status === "rejected") throw result.reason;
  return result?.value;
}
