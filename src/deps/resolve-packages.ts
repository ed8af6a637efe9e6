import { chooseWheel, type NamedWheel, type Want } from "./choose-wheel.js";
import { DepUnavailableError } from "./errors.js";
import { markerHolds, parseRequirement, readRequirement, type Requirement } from "./requirement.js";
import { readWheelMetadata } from "./wheel-metadata.js";

/** A wheel, ready to be unpacked. */
export interface WheelFile {
  readonly filename: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What it comes to, unpacked. */
  readonly unpacked: { readonly size: number; readonly files: number };
}

/** Where wheels come from. */
export interface PackageSource {
  /** The names of its files. @throws {DepUnavailableError} naming what was asked for. */
  list(asked: string): Promise<readonly string[]>;
  /** @throws {DepUnavailableError} */
  fetch(filename: string, asked: string): Promise<Uint8Array<ArrayBuffer>>;
}

interface Fetched {
  readonly file: WheelFile;
  readonly requires: readonly string[];
}

interface Chosen {
  readonly wheel: NamedWheel;
  readonly extras: string;
}

/** Wheels that are chosen for one package, and for what it needs; each may be chosen again when another one wants less of it. */
const MOST_CHOICES = 1000;

/**
 * The wheels of a package and of all that it needs: of each the newest that runs here and that all who want it can use.
 *
 * @param root - what is asked for.
 * @param others - what else the session wants. Nothing is chosen for it, but what is chosen fits it.
 * @throws {DepUnavailableError} with the reason.
 */
export async function resolvePackages(
  root: string,
  others: readonly string[],
  source: PackageSource,
): Promise<readonly WheelFile[]> {
  // One that cannot be read would keep all others out.
  const wanted = others.map(parseRequirement).filter((requirement) => requirement !== null);
  return await new Resolution(readRequirement(root), wanted, source).resolve();
}

/** The name of the wheel that would be chosen for a requirement alone. @throws {DepUnavailableError} with the reason. */
export async function chooseWheelFor(spec: string, source: PackageSource): Promise<string> {
  const requirement = readRequirement(spec);
  const filenames = await source.list(requirement.text);
  return chooseWheel(filenames, requirement.name, [{ requirement, by: null }], requirement.text).filename;
}

class Resolution {
  readonly #root: Requirement;
  readonly #source: PackageSource;
  /** By name. */
  readonly #wants = new Map<string, Want[]>();
  readonly #constraints = new Map<string, Want[]>();
  readonly #chosen = new Map<string, Chosen>();
  readonly #fetched = new Map<string, Fetched>();

  constructor(root: Requirement, others: readonly Requirement[], source: PackageSource) {
    this.#root = root;
    this.#source = source;
    this.#add(root, null);
    for (const other of others) {
      if (other.name !== root.name) this.#constraints.set(other.name, [{ requirement: other, by: null }]);
    }
  }

  async resolve(): Promise<readonly WheelFile[]> {
    const filenames = await this.#source.list(this.#root.text);
    const waiting = [this.#root.name];
    for (let choices = 0; waiting.length > 0; choices += 1) {
      if (choices >= MOST_CHOICES) throw new DepUnavailableError(this.#root.text, "it needs too many packages.");
      const name = waiting.shift() ?? "";
      const wants = this.#wants.get(name) ?? [];
      waiting.push(...(wants.length === 0 ? this.#leaveOut(name) : await this.#choose(name, wants, filenames)));
    }
    return await Promise.all([...this.#chosen.values()].map(async ({ wheel }) => (await this.#fetch(wheel)).file));
  }

  /** @returns the names of packages that are to be chosen for that reason, or again. */
  async #choose(name: string, wants: readonly Want[], filenames: readonly string[]): Promise<readonly string[]> {
    const all = [...wants, ...(this.#constraints.get(name) ?? [])];
    const wheel = chooseWheel(filenames, name, all, this.#root.text);
    const extras = [...new Set(wants.flatMap(({ requirement }) => requirement.extras))].sort();
    const before = this.#chosen.get(name);
    if (before?.wheel.filename === wheel.filename && before.extras === extras.join()) return [];
    const dropped = before === undefined ? [] : this.#drop(before.wheel);
    this.#chosen.set(name, { wheel, extras: extras.join() });
    const { requires } = await this.#fetch(wheel);
    const requirements = requires.map(parseRequirement).filter((requirement) => requirement !== null);
    const needed = requirements.filter(({ marker }) => markerHolds(marker, extras));
    for (const requirement of needed) this.#add(requirement, wheel);
    return [...dropped, ...needed.map((requirement) => requirement.name)];
  }

  /** Takes out what is not wanted any more. @returns the names of packages that it wanted itself. */
  #leaveOut(name: string): readonly string[] {
    const chosen = this.#chosen.get(name);
    this.#chosen.delete(name);
    return chosen === undefined ? [] : this.#drop(chosen.wheel);
  }

  /** @returns the names of packages that it wanted. */
  #drop(wheel: NamedWheel): string[] {
    const names: string[] = [];
    for (const [name, wants] of this.#wants) {
      const left = wants.filter(({ by }) => by !== wheel);
      if (left.length < wants.length) names.push(name);
      this.#wants.set(name, left);
    }
    return names;
  }

  async #fetch({ filename }: NamedWheel): Promise<Fetched> {
    const known = this.#fetched.get(filename);
    if (known !== undefined) return known;
    const bytes = await this.#source.fetch(filename, this.#root.text);
    const metadata = readWheelMetadata(bytes);
    if (metadata === null)
      throw new DepUnavailableError(this.#root.text, `${filename} is damaged: it has no METADATA to read.`);
    const { requires, size, files } = metadata;
    const fetched = { file: { filename, bytes, unpacked: { size, files } }, requires };
    this.#fetched.set(filename, fetched);
    return fetched;
  }

  #add(requirement: Requirement, by: NamedWheel | null): void {
    const wants = this.#wants.get(requirement.name) ?? [];
    wants.push({ requirement, by });
    this.#wants.set(requirement.name, wants);
  }
}
