import {
  DepsFullError,
  DepSpecError,
  DepUnavailableError,
  packageOfWheel,
  type DepsStore,
  type WheelFile,
  type WheelFolder,
} from "../../deps/index.js";
import { messageOf, type TrustLevel, type Value } from "../../protocol/index.js";
import { DEFAULT_PACKAGES_FILES, DEFAULT_PACKAGES_SIZE, type SessionLimits } from "../session-options.js";
import type { ForeignContents } from "./foreign-content.js";
import type { CallOrigin } from "./call-origin.js";
import type { Operations } from "./operations.js";

/** Milliseconds that the error of a run waits for the package folder. */
const ADVICE_WAIT = 3000;

export interface DepsParts {
  readonly store: DepsStore;
  readonly folder: WheelFolder;
  readonly foreign: ForeignContents;
  readonly trust: TrustLevel;
  readonly limits: Pick<SessionLimits, "packagesSize" | "packagesFiles"> | undefined;
  /** What interpreters find installed from the start. */
  readonly handedOut?: readonly WheelFile[];
}

/** The packages of a session: the list in storage, the wheels from the site's folder. Python unpacks them. */
export class DepsOperations {
  readonly #operations: Operations;
  readonly #store: DepsStore;
  readonly #folder: WheelFolder;
  /** By package: of two versions an interpreter has the later one. */
  #handedOut = new Map<string, WheelFile>();
  readonly #foreign: ForeignContents;
  readonly #trust: TrustLevel;
  readonly #limits: DepsParts["limits"];

  constructor(operations: Operations, { store, folder, foreign, trust, limits, handedOut = [] }: DepsParts) {
    this.#operations = operations;
    this.#store = store;
    this.#folder = folder;
    this.#foreign = foreign;
    this.#trust = trust;
    this.#limits = limits;
    for (const wheel of handedOut) this.#handedOut.set(packageOfWheel(wheel.filename), wheel);
  }

  /** The wheels that this session's interpreters were given: a fresh one starts with them. */
  handedOut(): readonly WheelFile[] {
    return [...this.#handedOut.values()];
  }

  list(): Promise<string[]> {
    return this.#store.list();
  }

  /** Puts a package on the list and hands out its wheel, with those that it needs. A package that cannot be had is not put there. */
  add(origin: CallOrigin, spec: string): Promise<Value> {
    const operation = {
      namespace: "deps",
      name: "add",
      arguments: { package: spec },
      hints: { idempotent: true },
    } as const;
    return this.#operations.dispatch(origin, operation, async () => {
      this.#store.checkAllowed("add");
      const wheels = await this.#find(spec);
      return { spec: await this.#store.add(spec, this.#trust), wheels };
    });
  }

  remove(origin: CallOrigin, spec: string): Promise<Value> {
    const operation = {
      namespace: "deps",
      name: "remove",
      arguments: { package: spec },
      hints: { idempotent: true },
    } as const;
    return this.#operations.dispatch(origin, operation, () => {
      // What it needed is not known here; the next sync hands out again what is still wanted.
      this.#handedOut.clear();
      return this.#store.remove(spec);
    });
  }

  /**
   * What is to be said to code that misses a package: whether the folder has it. Undefined where the folder does not
   * answer in time, or it is no name of a package.
   */
  async adviceOn(name: string): Promise<string | undefined> {
    return Promise.race([
      this.#adviceOn(name),
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ADVICE_WAIT)),
    ]);
  }

  async #adviceOn(name: string): Promise<string | undefined> {
    const call = `deps.add(${JSON.stringify(name)})`;
    try {
      const filename = await this.#folder.nameOf(name);
      return this.#store.allowRuntime
        ? `The package folder has ${filename}: ${call} installs it.`
        : `The package folder has ${filename}, but the packages of this session are fixed: the page names them in \`deps\`.`;
    } catch (error) {
      if (error instanceof DepUnavailableError) return `${call} cannot install it now: ${error.reason}`;
      if (error instanceof DepSpecError) return undefined;
      throw error;
    }
  }

  /** @throws {DepsFullError} */
  #checkRoom(spec: string, wheels: readonly WheelFile[]): void {
    const { packagesSize = DEFAULT_PACKAGES_SIZE, packagesFiles = DEFAULT_PACKAGES_FILES } = this.#limits ?? {};
    const size = wheels.reduce((sum, { unpacked }) => sum + unpacked.size, 0);
    if (size > packagesSize) throw new DepsFullError(spec, packagesSize, { size, unit: "bytes" });
    const files = wheels.reduce((sum, { unpacked }) => sum + unpacked.files, 0);
    if (files > packagesFiles) throw new DepsFullError(spec, packagesFiles, { size: files, unit: "files" });
  }

  async #find(spec: string): Promise<Value[]> {
    const wheels = await this.#folder.resolve(spec, await this.#store.list());
    const all = new Map(this.#handedOut);
    for (const wheel of wheels) all.set(packageOfWheel(wheel.filename), wheel);
    this.#checkRoom(spec, [...all.values()]);
    this.#handedOut = all;
    return wheels.map(({ filename, bytes }) => ({ filename, bytes }));
  }

  /** One entry for each package of the list: its wheel, or why it cannot be had. */
  sync(origin: CallOrigin): Promise<Value> {
    const operation = { namespace: "deps", name: "sync", arguments: {}, hints: { idempotent: true } } as const;
    return this.#operations.dispatch(origin, operation, async (_args, context) => {
      const packages = await this.#store.entries();
      const whyNot = await this.#foreign.checkPackages(packages, origin, context);
      return Promise.all(
        packages.map(({ spec }) => {
          const reason = whyNot(spec);
          return reason === null ? this.#findOrExplain(spec) : Promise.resolve({ spec, reason });
        }),
      );
    });
  }

  async #findOrExplain(spec: string): Promise<Value> {
    try {
      return { spec, wheels: await this.#find(spec) };
    } catch (error) {
      return { spec, reason: messageOf(error) };
    }
  }
}
