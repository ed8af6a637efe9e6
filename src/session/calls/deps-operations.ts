import {
  canonicalName,
  ComingFiles,
  DepsFullError,
  DepSpecError,
  DepUnavailableError,
  NotAskedYet,
  parseDepSpec,
  PLATFORM,
  type DepsStore,
  type FetchOptions,
  type PackageContent,
  type Packages,
  type PackagesLock,
} from "../../deps/index.js";
import type { InvokeContext } from "../../dispatch/index.js";
import { messageOf, type TrustLevel, type Value } from "../../protocol/index.js";
import { DEFAULT_PACKAGES_FILES, DEFAULT_PACKAGES_SIZE, type SessionLimits } from "../session-options.js";
import type { ForeignContents } from "./foreign-content.js";
import type { CallOrigin } from "./call-origin.js";
import type { Operations } from "./operations.js";
import type { PackageApproval, PlannedImport } from "./package-approval.js";
import { PackageHanding, type SendPart } from "./package-handing.js";

/** Milliseconds that the error of a run waits for the sources of packages. */
const ADVICE_WAIT = 3000;

/** A module that code imports, and the package that may bring it. */
export interface WantedModule {
  readonly module: string;
  readonly package: string;
}

export interface DepsParts {
  readonly approval: PackageApproval;
  readonly store: DepsStore;
  readonly packages: Packages;
  readonly foreign: ForeignContents;
  readonly trust: TrustLevel;
  readonly limits: Pick<SessionLimits, "packagesSize" | "packagesFiles"> | undefined;
  /** What interpreters find installed from the start. */
  readonly handedOut?: readonly PackageContent[];
}

/** The packages of a session: the list in storage, the files from its sources. Python unpacks them. */
export class DepsOperations {
  readonly #operations: Operations;
  readonly #store: DepsStore;
  readonly #packages: Packages;
  /** By canonical name. */
  #handedOut = new Map<string, PackageContent>();
  #lastChange: Promise<unknown> = Promise.resolve();
  /** What is fetched before it is asked for. */
  #coming: ComingFiles | undefined;
  /** Hears how far that has come. */
  #hearAhead: InvokeContext["report"] = () => undefined;
  readonly #approval: PackageApproval;
  readonly #foreign: ForeignContents;
  readonly #trust: TrustLevel;
  readonly #limits: DepsParts["limits"];

  constructor(
    operations: Operations,
    { store, packages, approval, foreign, trust, limits, handedOut = [] }: DepsParts,
  ) {
    this.#operations = operations;
    this.#store = store;
    this.#packages = packages;
    this.#approval = approval;
    this.#foreign = foreign;
    this.#trust = trust;
    this.#limits = limits;
    for (const content of handedOut) this.#handedOut.set(content.name, content);
  }

  /** Whether code can add packages. */
  get canInstall(): boolean {
    return this.#packages.hasSources && this.#store.allowRuntime;
  }

  /** The files that this session's interpreters were given: a fresh one starts with them. */
  handedOut(): readonly PackageContent[] {
    return [...this.#handedOut.values()];
  }

  list(): Promise<string[]> {
    return this.#store.list();
  }

  /**
   * Puts a package on the list and hands out its files, with those that it needs: each as it comes, so that Python unpacks
   * it meanwhile, and what they come to at the end. A package that cannot be had is not put there.
   */
  add(origin: CallOrigin, spec: string, send: SendPart): Promise<Value> {
    const operation = {
      namespace: "deps",
      name: "add",
      arguments: { package: spec },
      hints: { idempotent: true },
    } as const;
    return this.#operations.dispatch(origin, operation, async (_args, context) => {
      this.#store.checkAllowed("add");
      return await this.#inTurn(async () => {
        const before = this.#handedOut;
        try {
          const handing = new PackageHanding(before, send);
          await this.#take(spec, await this.#installedSpecs(spec), { ...context, handing });
          const added = await this.#store.add(spec, this.#trust);
          const files = handing.complete(this.#neededBy([spec]));
          return { spec: added, files };
        } catch (error) {
          this.#handedOut = before;
          throw error;
        }
      });
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
      return this.#inTurn(async () => {
        const wasThere = await this.#store.remove(spec);
        const left = this.#neededBy(await this.#store.list());
        this.#handedOut = new Map(left.map((content) => [content.name, content]));
        return wasThere;
      });
    });
  }

  /**
   * What is to be said to code that misses a package: whether a source has it. Undefined where they do not
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
      const whoHas = await this.#packages.whoHas(name);
      const found = whoHas.charAt(0).toUpperCase() + whoHas.slice(1);
      return this.#store.allowRuntime
        ? `${found}: ${call} installs it.`
        : `${found}, but the packages of this session are fixed: the page names them in \`deps\`.`;
    } catch (error) {
      if (error instanceof DepUnavailableError) return `${call} cannot install it now: ${error.reason}`;
      if (error instanceof NotAskedYet) return `The index ${error.address} may have it: ${call} asks there.`;
      if (error instanceof DepSpecError) return undefined;
      throw error;
    }
  }

  /** What the list has of packages that were handed out, but for one. */
  async #installedSpecs(but?: string): Promise<string[]> {
    const left = but === undefined ? undefined : parseDepSpec(but).name;
    const names = (await this.#store.list()).map((spec) => ({ spec, name: parseDepSpec(spec).name }));
    return names
      .filter(({ name }) => name !== left && this.#handedOut.has(canonicalName(name)))
      .map(({ spec }) => spec);
  }

  /** The files of the session's packages, so that another session gets the same. */
  lock(): PackagesLock {
    const packages = this.handedOut().map(({ name, version, filename, sha256, bytes }) => {
      return { name, version, file: filename, sha256, size: bytes.length };
    });
    return { version: 1, platform: PLATFORM, packages };
  }

  /** Every package of the list: the files that it needs, or why it cannot be had. */
  sync(origin: CallOrigin, send: SendPart): Promise<Value> {
    const operation = { namespace: "deps", name: "sync", arguments: {}, hints: { idempotent: true } } as const;
    return this.#operations.dispatch(origin, operation, async (_args, context) => {
      const packages = await this.#store.entries();
      const whyNot = await this.#foreign.checkPackages(packages, origin, context);
      const reasons = new Map(packages.map(({ spec }) => [spec, whyNot(spec)]));
      const allowed = packages.map(({ spec }) => spec).filter((spec) => reasons.get(spec) === null);
      this.#hearAhead = context.report;
      const handing = new PackageHanding(this.#handedOut, send);
      const failed = await this.#inTurn(() => this.#takeAll(allowed, { ...context, handing }));
      this.#coming = undefined;
      for (const [spec, reason] of failed) reasons.set(spec, reason);
      handing.complete(this.#neededBy(allowed.filter((spec) => reasons.get(spec) === null)));
      return {
        packages: packages.map(({ spec }) => {
          const reason = reasons.get(spec);
          return typeof reason === "string" ? { spec, reason } : { spec, files: filenames(this.#neededBy([spec])) };
        }),
      };
    });
  }

  /**
   * Fetches the packages that the page configured while Python starts: `sync` hands them out as they come. What cannot be
   * had it reports. Others on the list wait for it, since a person may have to be asked about them.
   */
  async fetchAhead(configured: readonly string[], signal: AbortSignal): Promise<void> {
    const [first, ...others] = configured;
    if (first === undefined) return;
    this.#coming = new ComingFiles();
    await this.#fetch(first, others, { report: (progress) => this.#hearAhead(progress), signal });
  }

  /** One change of what is handed out after the other: each is chosen to fit what is there. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastChange.then(change);
    this.#lastChange = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Packages for modules that code is about to import, where sources have them and it is allowed: the files of each, or
   * why it was not installed. Of a module that no source knows nothing is said: its import says what can be done.
   */
  provide(origin: CallOrigin, modules: readonly WantedModule[], send: SendPart): Promise<Value> {
    const operation = {
      namespace: "deps",
      name: "provide",
      arguments: { modules: modules.map(({ module }) => module) },
      hints: { idempotent: true },
    } as const;
    return this.#operations.dispatch(origin, operation, async (_args, context) => {
      this.#store.checkAllowed("add");
      const { plans, reasons } = await this.#plansFor(modules);
      const specs = [...plans.keys()];
      const handing = new PackageHanding(this.#handedOut, send);
      if (specs.length > 0) {
        const decision = await this.#approval.ask([...plans.values()], origin, context);
        if (decision.kind === "deny") for (const spec of specs) reasons.set(spec, decision.reason);
        else await this.#inTurn(() => this.#takeForImports(specs, reasons, { ...context, handing }));
      }
      const had = specs.filter((spec) => !reasons.has(spec));
      handing.complete(this.#neededBy(had));
      return {
        packages: [
          ...had.map((spec) => ({ spec, files: filenames(this.#neededBy([spec])) })),
          ...[...reasons].map(([spec, reason]) => ({ spec, reason })),
        ],
      };
    });
  }

  /** Whether a module that is missing would be there when the code that imports it runs. */
  async providesModule(module: string): Promise<boolean> {
    if (!this.#approval.isOn) return false;
    try {
      await this.#packages.whoHas((await this.#packages.packageOf(module)) ?? module);
      return true;
    } catch (error) {
      if (error instanceof NotAskedYet) return true;
      if (error instanceof DepUnavailableError || error instanceof DepSpecError) return false;
      throw error;
    }
  }

  async #plansFor(modules: readonly WantedModule[]): Promise<{
    readonly plans: Map<string, PlannedImport>;
    readonly reasons: Map<string, string>;
  }> {
    const plans = new Map<string, PlannedImport>();
    const reasons = new Map<string, string>();
    await Promise.all(
      modules.map(async ({ module, package: guessed }) => {
        try {
          const name = (await this.#packages.packageOf(module)) ?? guessed;
          plans.set(name, { module, files: await this.#packages.plan(name, this.handedOut()) });
        } catch (error) {
          if (error instanceof NotAskedYet) plans.set(guessed, { module, files: [], asks: error.address });
          if (error instanceof DepSpecError || error instanceof NotAskedYet) return;
          if (!(error instanceof DepUnavailableError)) throw error;
          if (error.why !== "not_found") reasons.set(guessed, error.reason);
        }
      }),
    );
    return { plans, reasons };
  }

  async #takeForImports(specs: readonly string[], reasons: Map<string, string>, context: Taking): Promise<void> {
    const installed = await this.#installedSpecs();
    const failed = await this.#takeAll([...installed, ...specs], context);
    for (const spec of specs) {
      const reason = failed.get(spec);
      if (reason === undefined) await this.#store.add(spec, this.#trust);
      else reasons.set(spec, reason);
    }
  }

  /** Takes packages together, or, where that fails, one after the other. @returns why some cannot be had. */
  async #takeAll(specs: readonly string[], context: Taking): Promise<ReadonlyMap<string, string>> {
    const reasons = new Map<string, string>();
    const [first, ...others] = specs;
    if (first === undefined) return reasons;
    try {
      await this.#take(first, others, context);
      return reasons;
    } catch {
      // The fault may be with any of them, and is looked for below.
    }
    const had: string[] = [];
    for (const spec of specs) {
      try {
        await this.#take(spec, had, context);
        had.push(spec);
      } catch (error) {
        reasons.set(spec, messageOf(error));
      }
    }
    return reasons;
  }

  /** Fetches the files of a package, chosen together with those of others. @throws {DepUnavailableError} @throws {DepsFullError} */
  async #take(spec: string, others: readonly string[], context: Taking): Promise<void> {
    const came: PackageContent[] = [];
    const contents = await this.#fetch(spec, others, {
      ...context,
      onContent: (content) => {
        came.push(content);
        // Before the others are here: what would be too much in the end is unpacked no further.
        this.#checkRoom(spec, came);
        context.handing.hand(content);
      },
    });
    const all = new Map(this.#handedOut);
    for (const content of contents) all.set(content.name, content);
    this.#checkRoom(spec, [...all.values()]);
    this.#handedOut = all;
  }

  #fetch(
    spec: string,
    others: readonly string[],
    { report, signal, onContent }: Fetching,
  ): Promise<readonly PackageContent[]> {
    return this.#packages.fetch(spec, others, {
      installed: this.handedOut(),
      ...(this.#coming === undefined ? {} : { coming: this.#coming }),
      ...(onContent === undefined ? {} : { onContent }),
      signal,
      onProgress: (progress, total, filename) => {
        report({ progress, ...(total === undefined ? {} : { total }), message: `Fetching ${filename}` });
      },
    });
  }

  /** What was handed out of packages, and of what they need. */
  #neededBy(specs: readonly string[]): PackageContent[] {
    const needed = new Set<PackageContent>();
    const waiting = specs.map((spec) => parseDepSpec(spec).name);
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const content = this.#handedOut.get(canonicalName(name));
      if (content === undefined || needed.has(content)) continue;
      needed.add(content);
      waiting.push(...content.needs);
    }
    return [...needed];
  }

  /** @throws {DepsFullError} */
  #checkRoom(spec: string, contents: readonly PackageContent[]): void {
    const { packagesSize = DEFAULT_PACKAGES_SIZE, packagesFiles = DEFAULT_PACKAGES_FILES } = this.#limits ?? {};
    const size = contents.reduce((sum, { unpacked }) => sum + unpacked.size, 0);
    if (size > packagesSize) throw new DepsFullError(spec, packagesSize, { size, unit: "bytes" });
    const files = contents.reduce((sum, { unpacked }) => sum + unpacked.files, 0);
    if (files > packagesFiles) throw new DepsFullError(spec, packagesFiles, { size: files, unit: "files" });
  }
}

type Fetching = Pick<InvokeContext, "report" | "signal"> & Pick<FetchOptions, "onContent">;

interface Taking extends InvokeContext {
  readonly handing: PackageHanding;
}

function filenames(contents: readonly PackageContent[]): string[] {
  return contents.map(({ filename }) => filename);
}
