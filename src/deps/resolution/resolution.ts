import { Slices } from "../../protocol/index.js";
import { NotAskedYet, Unavailable, type PackageFile, type PackageSource } from "../sources/index.js";
import { chooseFile, inFrontOf, type Want } from "./choose-file.js";
import { markerHolds, parseRequirement, type Requirement } from "./requirement.js";

/** What a package needs, read from its METADATA when nothing else says so. */
export type ReadNeeds = (file: PackageFile) => Promise<readonly string[]>;

export interface ResolutionParts {
  /** What is to be installed, all of it together. */
  readonly roots: readonly Requirement[];
  /** Asked one after the other; the first that has a package of a name is where it comes from. */
  readonly sources: readonly PackageSource[];
  /** Versions that are installed, by canonical name. One stays where it is good for all who want the package. */
  readonly installed: ReadonlyMap<string, string>;
  readonly readNeeds: ReadNeeds;
  /** Whether no source is asked that would hear a name. */
  readonly quietly?: boolean;
}

/** A file that was chosen, and the names of the packages that it needs. */
export interface Resolved {
  readonly file: PackageFile;
  readonly needs: readonly string[];
}

interface Chosen {
  readonly file: PackageFile;
  readonly extras: string;
}

/** Files that are chosen in one resolution; each may be chosen again when another one wants less of its package. */
const MOST_CHOICES = 1000;

/** What files want of others, in one resolution. */
const MOST_WANTS = 20_000;

/** One search for the files of packages and of all that they need. */
export class Resolution {
  readonly #parts: ResolutionParts;
  /** By name. */
  readonly #wants = new Map<string, Want[]>();
  readonly #chosen = new Map<string, Chosen>();
  readonly #slices = new Slices();
  /** What was wanted so far, dropped or not. */
  #wanted = 0;

  constructor(parts: ResolutionParts) {
    this.#parts = parts;
    for (const root of parts.roots) this.#add(root, null);
  }

  /** By name. @throws {Unavailable} with the reason. */
  async resolve(): Promise<ReadonlyMap<string, Resolved>> {
    let waiting = new Set(this.#parts.roots.map(({ name }) => name));
    for (let choices = 0; waiting.size > 0; choices += waiting.size) {
      if (choices >= MOST_CHOICES) throw new Unavailable("conflict", "it needs too many packages.");
      // Those that wait are looked up together: each is a question to a server.
      const found = await Promise.all([...waiting].map(async (name) => ({ name, files: await this.#filesOf(name) })));
      const next = new Set<string>();
      const chosen: Chosen[] = [];
      for (const { name, files } of found) await this.#choose(name, files, chosen, next);
      const needs = await Promise.all(chosen.map(async (choice) => this.#needsOf(choice)));
      for (const [index, { file }] of chosen.entries()) {
        for (const requirement of needs[index] ?? []) {
          await this.#slices.rest();
          this.#add(requirement, file);
          next.add(requirement.name);
        }
      }
      waiting = next;
    }
    const resolved = new Map<string, Resolved>();
    for (const [name, { file }] of this.#chosen) {
      await this.#slices.rest();
      resolved.set(name, { file, needs: this.#neededBy(file) });
    }
    return resolved;
  }

  async #filesOf(name: string): Promise<readonly PackageFile[]> {
    const wants = this.#wants.get(name) ?? [];
    if (wants.length === 0) return [];
    return await filesOf(this.#parts, name, wants);
  }

  async #choose(name: string, files: readonly PackageFile[], chosen: Chosen[], next: Set<string>): Promise<void> {
    await this.#slices.rest();
    const wants = this.#wants.get(name) ?? [];
    const before = this.#chosen.get(name);
    if (wants.length === 0) {
      // Not wanted any more.
      this.#chosen.delete(name);
      if (before !== undefined) for (const other of this.#drop(before.file)) next.add(other);
      return;
    }
    const file = await chooseFile(files, wants, this.#parts.installed.get(name));
    const extras = [...new Set(wants.flatMap(({ requirement }) => requirement.extras))].sort().join();
    if (before?.file.filename === file.filename && before.extras === extras) return;
    if (before !== undefined) for (const other of this.#drop(before.file)) next.add(other);
    const choice = { file, extras };
    this.#chosen.set(name, choice);
    chosen.push(choice);
  }

  async #needsOf({ file, extras }: Chosen): Promise<readonly Requirement[]> {
    const wanted = extras === "" ? [] : extras.split(",");
    const { needs } = file;
    // What a source says stands for the METADATA, which may be of another platform; extras only METADATA has.
    const lines = needs === undefined ? await this.#parts.readNeeds(file) : [];
    const optional = needs !== undefined && wanted.length > 0 ? await this.#parts.readNeeds(file) : [];
    return [
      ...(await this.#read(needs ?? [], () => true)),
      ...(await this.#read(lines, (marker) => markerHolds(marker, wanted))),
      ...(await this.#read(optional, (marker) => /\bextra\b/.test(marker) && markerHolds(marker, wanted))),
    ];
  }

  /** Those of the lines that are requirements, and that are needed by their markers. */
  async #read(lines: readonly string[], isNeeded: (marker: string) => boolean): Promise<Requirement[]> {
    const needed: Requirement[] = [];
    for (const line of lines) {
      await this.#slices.rest();
      const requirement = parseRequirement(line);
      if (requirement !== null && isNeeded(requirement.marker)) needed.push(requirement);
    }
    return needed;
  }

  #neededBy(file: PackageFile): readonly string[] {
    return [...this.#wants].flatMap(([name, wants]) => (wants.some(({ by }) => by === file) ? [name] : []));
  }

  /** @returns the names of packages that it wanted. */
  #drop(file: PackageFile): string[] {
    const names: string[] = [];
    for (const [name, wants] of this.#wants) {
      const left = wants.filter(({ by }) => by !== file);
      if (left.length < wants.length) names.push(name);
      this.#wants.set(name, left);
    }
    return names;
  }

  #add(requirement: Requirement, by: PackageFile | null): void {
    this.#wanted += 1;
    if (this.#wanted > MOST_WANTS) throw new Unavailable("conflict", "it needs too many packages.");
    const wants = this.#wants.get(requirement.name) ?? [];
    wants.push({ requirement, by });
    this.#wants.set(requirement.name, wants);
  }
}

/**
 * What the first source has that has a package at all.
 *
 * @throws {Unavailable} where none has it, or one does not answer.
 * @throws {NotAskedYet} where it is looked for quietly, and a source would hear of it.
 */
export async function filesOf(
  { sources, quietly = false }: Pick<ResolutionParts, "sources" | "quietly">,
  name: string,
  wants: readonly Want[],
): Promise<readonly PackageFile[]> {
  // Others that come after it could pass off something else under that name.
  for (const source of sources) {
    if (quietly && source.hearsNames) throw new NotAskedYet(source.address);
    const files = await source.find(name);
    if (files.length > 0) return files;
  }
  throw new Unavailable("not_found", `${inFrontOf(wants)}${notFound(sources)}`);
}

/** Where a package was looked for, and what can be done. */
function notFound(sources: readonly PackageSource[]): string {
  const [only, ...others] = sources;
  if (only === undefined) return "this session has no packages. Open it with `packages`.";
  if (others.length === 0) return `${only.title} has nothing of that name. ${only.advice}`;
  const asked = sources.map(({ title, address }) => `${title} (${address})`).join(", ");
  return `no source has a package of that name. Asked were ${asked}.`;
}
