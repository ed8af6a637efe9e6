import { DepUnavailableError } from "../../../deps/index.js";
import type { Stage } from "../../../dispatch/index.js";
import { messageOf } from "../../../protocol/index.js";
import { Session, type RunOptions, type RunResult } from "../../../session/index.js";
import { memoryStorage } from "../../../storage/index.js";
import type { CellFile, CellRunRequest, CellSettings } from "../cell-runtime.js";
import { addTools, checkTools, seedsOf, toolsOf, type ToolSources } from "./cell-tools.js";
import { CellSetupError, CellStoppedError } from "./errors.js";
import type { PhaseChannel } from "./phase-channel.js";
import { packagesMissing, refusedPackages, sourcelessPackages } from "./package-errors.js";

/** What a session is opened for: it has no more to do with any one cell. */
export type OpeningSettings = Pick<CellSettings, "trust" | "deps" | "packages" | "tools">;

export interface CellSessionParts {
  readonly tools: ToolSources;
  /** Hears how the opening comes along, and later of packages that code installs. */
  readonly phases: PhaseChannel;
  /** Aborted where the session is not wanted any more: its tool files are waited for no longer. */
  readonly signal: AbortSignal;
}

type Preparing = Pick<CellRunRequest, "settings" | "before">;

/** A session of cells: what was put into it, and what of it a fresh interpreter has to be given again. */
export class CellSession {
  readonly session: Session;
  readonly phases: PhaseChannel;
  readonly #sources: ToolSources;
  readonly #packages: ReadonlySet<string>;
  readonly #deps: Set<string>;
  readonly #toolNames: Set<string>;
  /** By path, the addresses that were written there. */
  readonly #files = new Map<string, string>();
  /** Code that ran in the interpreter as it is now. */
  readonly #prepared = new Set<string>();
  /** For the result of the next run. */
  #notices: string[] = [];
  #isUsed = false;

  /** @throws {VitrineError} and leaves nothing open. */
  static async open(settings: OpeningSettings, parts: CellSessionParts): Promise<CellSession> {
    const { trust, deps, packages } = settings;
    const { tools: sources, phases, signal } = parts;
    if (deps.length > 0 && packages.length === 0) throw sourcelessPackages(deps);
    phases.tell({ kind: "starting-python" });
    const tools = await toolsOf(settings.tools, sources, signal);
    signal.throwIfAborted();
    const problems: unknown[] = [];
    let isOpen = false;
    const session = await Session.open({
      storage: memoryStorage(),
      trust,
      // Each run of a cell says its own; packages may take as long as they come.
      timeout: null,
      deps,
      packages: packages.map((folder) => ({ folder })),
      // The author names the folders; nothing else can come.
      ...(packages.length > 0 ? { autoInstall: "allow" } : {}),
      tools: tools.functions,
      seeds: seedsOf(tools.files),
      middleware: [tellOfPackages(phases, deps)],
      onProgress: ({ loaded, total }) => {
        phases.tell(loaded === total ? { kind: "starting-python" } : { kind: "loading-python", loaded, total });
      },
      onProblem: (error) => {
        if (isOpen) console.error("Vitrine:", error);
        else problems.push(error);
      },
    });
    try {
      const refused = problems.filter((problem) => problem instanceof DepUnavailableError);
      if (refused.length > 0) throw refusedPackages(refused.map(messageOf));
      checkTools(tools, session.tools.problems());
    } catch (error) {
      await session.close();
      throw error;
    }
    isOpen = true;
    phases.clear();
    for (const problem of problems) console.error("Vitrine:", problem);
    return new CellSession(session, settings, parts);
  }

  private constructor(session: Session, settings: OpeningSettings, { tools, phases }: CellSessionParts) {
    this.session = session;
    this.phases = phases;
    this.#sources = tools;
    this.#packages = new Set(settings.packages);
    this.#deps = new Set(settings.deps);
    this.#toolNames = new Set(settings.tools);
    session.onStateChange((state) => {
      // Another interpreter, which has nothing of what ran in the last one.
      if (state === "starting") this.#prepared.clear();
    });
  }

  /** The packages that were installed for its cells. */
  get deps(): Iterable<string> {
    return this.#deps;
  }

  /** The tools that it has of those that its cells name. */
  get tools(): Iterable<string> {
    return this.#toolNames;
  }

  /** Nothing can be run in it any more. */
  get isDead(): boolean {
    return this.session.state === "closed";
  }

  /** Whether it may have anything of a cell. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Takes what another cell wants of the same session. @throws {CellPackageError} @throws {CellToolError} */
  async adapt({ session: name, deps, packages, tools }: CellSettings, signal: AbortSignal): Promise<void> {
    const strange = packages.filter((folder) => !this.#packages.has(folder));
    if (strange.length > 0) throw packagesMissing(name ?? "", strange);
    const wanted = deps.filter((spec) => !this.#deps.has(spec));
    if (wanted.length > 0 && this.#packages.size === 0) throw sourcelessPackages(wanted);
    const names = tools.filter((tool) => !this.#toolNames.has(tool));
    if (names.length > 0) {
      await addTools(this.session, await toolsOf(names, this.#sources, signal));
      for (const tool of names) this.#toolNames.add(tool);
    }
    if (wanted.length === 0) return;
    this.#isUsed = true;
    this.phases.tell({ kind: "installing", packages: wanted });
    for (const spec of wanted) {
      signal.throwIfAborted();
      try {
        await this.session.deps.add(spec);
      } catch (error) {
        throw refusedPackages([messageOf(error)], error);
      }
      this.#deps.add(spec);
    }
  }

  /** Those of a cell's files that are not in the workspace yet. */
  missingOf(files: readonly CellFile[]): readonly CellFile[] {
    return files.filter(({ path, url }) => this.#files.get(path) !== url);
  }

  /** @throws {VitrineError} for a path that the workspace does not take. */
  async write(files: readonly { readonly file: CellFile; readonly content: Uint8Array }[]): Promise<void> {
    for (const { file, content } of files) {
      this.#isUsed = true;
      await this.session.workspace.write(file.path, content);
      this.#files.set(file.path, file.url);
    }
  }

  /**
   * Runs the hidden cells before a cell and its setup, those that the interpreter has not had yet. In this order: what the
   * setup finds there does not depend on which cell of the session ran first.
   *
   * @throws {CellSetupError} @throws {CellStoppedError}
   */
  async prepare({ settings, before }: Preparing, signal: AbortSignal): Promise<void> {
    const { session, setup, timeout } = settings;
    const of = session === null ? "" : ` of the session “${session}”`;
    const hidden = before.map((code, index) => ({ code, what: `hidden cell ${String(index + 1)}${of}` }));
    const parts = [...hidden, { code: setup, what: "the setup of this cell" }].filter(({ code }) => code.trim() !== "");
    if (parts.length === 0) return;
    // One that was lost meanwhile is noticed with the next run, which must not be the cell's own.
    if (this.#prepared.size > 0) await this.#run("", { name: "preparing", signal });
    for (const { code, what } of parts) {
      if (this.#prepared.has(code)) continue;
      this.phases.tell({ kind: "preparing" });
      const { error, sessionFailed } = await this.#run(code, { name: what, timeout, signal });
      // The cell's own run fails as well, and says why.
      if (sessionFailed === true) return;
      if (signal.aborted) throw new CellStoppedError();
      if (error !== null) throw new CellSetupError(what, error.traceback, `${error.pythonType}: ${error.message}`);
      this.#prepared.add(code);
    }
  }

  /** Runs the code of a cell. */
  async run(code: string, options: RunOptions): Promise<RunResult> {
    const result = await this.#run(code, options);
    const notices = this.#notices;
    this.#notices = [];
    return notices.length === 0 ? result : { ...result, notices };
  }

  /** Something for the result of the next run. */
  notice(text: string): void {
    this.#notices.push(text);
  }

  close(): Promise<void> {
    return this.session.close();
  }

  async #run(code: string, options: RunOptions): Promise<RunResult> {
    this.#isUsed = true;
    const result = await this.session.run(code, options);
    this.#notices.push(...result.notices);
    return result;
  }
}

/** Says which packages are being installed, with the session or by an import. */
function tellOfPackages(phases: PhaseChannel, deps: readonly string[]): Stage {
  return async (call, next) => {
    if (call.namespace !== "deps" || (call.name !== "sync" && call.name !== "provide")) return next(call);
    const { modules } = call.arguments;
    const names = Array.isArray(modules) ? modules.filter((module) => typeof module === "string") : deps;
    const before = phases.last;
    phases.tell({ kind: "installing", packages: names });
    try {
      return await next(call);
    } finally {
      if (before !== undefined) phases.tell(before);
    }
  };
}
