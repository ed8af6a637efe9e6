import {
  DepSpecError,
  DepUnavailableError,
  type DepsStore,
  type WheelFile,
  type WheelFolder,
} from "../../deps/index.js";
import { messageOf, type TrustLevel, type Value } from "../../protocol/index.js";
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
  /** What interpreters find installed from the start. */
  readonly handedOut?: readonly WheelFile[];
}

/** The packages of a session: the list in storage, the wheels from the site's folder. Python unpacks them. */
export class DepsOperations {
  readonly #operations: Operations;
  readonly #store: DepsStore;
  readonly #folder: WheelFolder;
  readonly #handedOut = new Map<string, WheelFile>();
  readonly #foreign: ForeignContents;
  readonly #trust: TrustLevel;

  constructor(operations: Operations, { store, folder, foreign, trust, handedOut = [] }: DepsParts) {
    this.#operations = operations;
    this.#store = store;
    this.#folder = folder;
    this.#foreign = foreign;
    this.#trust = trust;
    for (const wheel of handedOut) this.#handedOut.set(wheel.filename, wheel);
  }

  /** The wheels that this session's interpreters were given: a fresh one starts with them. */
  handedOut(): readonly WheelFile[] {
    return [...this.#handedOut.values()];
  }

  list(): Promise<string[]> {
    return this.#store.list();
  }

  /** Puts a package on the list and hands out its wheel. A package that cannot be had is not put there. */
  add(origin: CallOrigin, spec: string): Promise<Value> {
    const operation = {
      namespace: "deps",
      name: "add",
      arguments: { package: spec },
      hints: { idempotent: true },
    } as const;
    return this.#operations.dispatch(origin, operation, async () => {
      this.#store.checkAllowed("add");
      const wheel = await this.#find(spec);
      return { spec: await this.#store.add(spec, this.#trust), wheels: [wire(wheel)] };
    });
  }

  /** The wheel of a package that another one needs. */
  async resolve(requirement: string): Promise<Value> {
    return wire(await this.#find(requirement));
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

  async #find(requirement: string): Promise<WheelFile> {
    const wheel = await this.#folder.find(requirement);
    this.#handedOut.set(wheel.filename, wheel);
    return wheel;
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
      return { spec, wheels: [wire(await this.#find(spec))] };
    } catch (error) {
      return { spec, reason: messageOf(error) };
    }
  }
}

function wire({ filename, bytes }: WheelFile): { filename: string; bytes: Uint8Array } {
  return { filename, bytes };
}
