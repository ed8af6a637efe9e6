import { parseDepSpec } from "./dep-spec.js";
import { DepUnavailableError } from "./errors.js";
import type { FetchOptions, PackageContent, PackagePlan, PackagesParts } from "./package-content.js";
import type { OpenPackages } from "./resolution/open-packages.js";
import { Unavailable } from "./sources/unavailable.js";

/** The packages that a session can have. */
export class Packages {
  readonly #parts: PackagesParts;
  #open: Promise<OpenPackages> | undefined;

  constructor(parts: PackagesParts) {
    this.#parts = parts;
  }

  /** Whether there is anything to take packages from. */
  get hasSources(): boolean {
    return this.#parts.sources.length > 0;
  }

  /**
   * The files of packages, and of all that they need, that were chosen together.
   *
   * @param asked - the one of `specs` that errors are about.
   * @throws {DepSpecError} @throws {DepUnavailableError} with the reason.
   */
  fetch(asked: string, specs: readonly string[], options: FetchOptions): Promise<readonly PackageContent[]> {
    return this.#ask(asked, (packages, spec) => packages.fetch([spec, ...specs.map(textOf)], options));
  }

  /**
   * What would come for a package, with all that it needs. No index hears of it.
   *
   * @throws {DepSpecError} @throws {DepUnavailableError} with the reason.
   * @throws {NotAskedYet} where an index would have to be asked.
   */
  plan(spec: string, installed: readonly PackageContent[]): Promise<readonly PackagePlan[]> {
    return this.#ask(spec, (packages, text) => packages.plan([text], installed));
  }

  /** The package that brings a module, where a source says so. @throws {DepUnavailableError} where a source does not answer. */
  packageOf(module: string): Promise<string | undefined> {
    return this.#ask(module, (packages) => packages.packageOf(module));
  }

  /** Who has a package, and in which file: "the package folder has …". Throws as `plan` does. */
  whoHas(spec: string): Promise<string> {
    return this.#ask(spec, (packages, text) => packages.whoHas(text));
  }

  async #ask<T>(spec: string, question: (packages: OpenPackages, text: string) => Promise<T>): Promise<T> {
    const text = textOf(spec);
    try {
      return await question(await this.#opened(), text);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      throw new DepUnavailableError(text, error.reason, error.why, { cause: error.cause });
    }
  }

  /** What reads versions and archives is loaded when somebody asks. */
  #opened(): Promise<OpenPackages> {
    this.#open ??= import("./resolution/open-packages.js").then(({ OpenPackages }) => new OpenPackages(this.#parts));
    return this.#open;
  }
}

function textOf(spec: string): string {
  return parseDepSpec(spec).text;
}
