import { sparePolicyHere } from "../../../executor/index.js";
import { unlessAborted, type Completion } from "../../../protocol/index.js";
import type {
  CellFile,
  CellOutcome,
  CellPhase,
  CellRunRequest,
  CellRuntime,
  CellSettings,
  LentSession,
  SessionRequest,
} from "../cell-runtime.js";
import { lendCell, runCell, type CellRunParts } from "./cell-run.js";
import type { CellSession } from "./cell-session.js";
import type { PageTools, ToolSources } from "./cell-tools.js";
import { NamedSession } from "./named-session.js";
import type { PhaseChannel } from "./phase-channel.js";
import { RunStop } from "./run-stop.js";
import { openingOf, SessionPool } from "./session-pool.js";
import { FilesOfRun, SiteFiles, type SiteFilesOptions } from "./site-files.js";

/** Milliseconds after which an interpreter ends that was opened ahead and that no run came for: it costs some 80 MB. */
const IDLE = 300_000;

/** How to open a runtime. */
export interface RuntimeOptions extends SiteFilesOptions {
  /** The tools that scripts of the page registered. Asked when a session is opened. Default: there are none. */
  readonly tools?: () => PageTools;
  /**
   * Interpreters of cells without a name that may be there at once. Default: two; one on phones, on little memory and
   * inside other pages.
   */
  readonly pool?: number;
  /** Milliseconds after which an interpreter of the pool ends that waits for a run. Default: five minutes. */
  readonly idle?: number;
}

/** A runtime, for those who open it. */
export interface OpenRuntime extends CellRuntime {
  /** Ends all interpreters. */
  end(): Promise<void>;
}

/** Opens the runtime of a page's cells. No interpreter starts before the first run. */
export function openRuntime(options: RuntimeOptions = {}): OpenRuntime {
  return new PageRuntime(options);
}

class PageRuntime implements OpenRuntime {
  readonly #files: SiteFiles;
  readonly #tools: ToolSources;
  readonly #pool: SessionPool;
  readonly #named = new Map<string, NamedSession>();

  constructor({ tools = () => new Map(), pool, idle = IDLE, ...files }: RuntimeOptions) {
    this.#files = new SiteFiles(files);
    this.#tools = { registered: tools, files: this.#files };
    const size = pool ?? (sparePolicyHere() === "one" ? 2 : 1);
    this.#pool = new SessionPool({ size, idle, tools: this.#tools });
  }

  run(request: CellRunRequest): Promise<CellOutcome> {
    return this.#use(request, (cell, parts) => runCell(cell, request, parts));
  }

  withSession<T>(request: SessionRequest, job: (lent: LentSession) => Promise<T>): Promise<T> {
    return this.#use(request, (cell, parts) => lendCell(cell, request, { parts, job }));
  }

  async #use<T>(request: SessionRequest, job: (cell: CellSession, parts: CellRunParts) => Promise<T>): Promise<T> {
    const { settings } = request;
    const stop = new RunStop(request.signal);
    const files = new FilesOfRun(this.#files, stop.beforeCode);
    const waiting = files.ahead(this.#missing(settings));
    waiting.catch(() => undefined);
    const tell = (phase: CellPhase): void => {
      if (!stop.isOver) request.onPhase(phase);
    };
    const onWait = (): void => {
      tell({ kind: "waiting", reason: "other-cells" });
    };
    const inSession = async (phases: PhaseChannel, opening: Promise<CellSession>): Promise<T> => {
      const stopListening = phases.listen(tell);
      try {
        // A file that is missing is known sooner than Python has come. A run that is stopped leaves the session to the next.
        const cell = await unlessAborted(Promise.race([opening, waiting]), stop.beforeCode);
        return await job(cell, { files, signal: stop.signal, onCode: () => stop.codeBegins() });
      } finally {
        stopListening();
        phases.clear();
      }
    };
    try {
      const work =
        settings.session === null
          ? this.#pool.use(openingOf(settings), { signal: stop.beforeCode, onWait }, ({ phases, cell }) =>
              inSession(phases, cell),
            )
          : this.#sessionOf(settings.session, settings).use(settings, { stop, onWait, job: inSession });
      return await unlessAborted(work, stop.beforeCode);
    } finally {
      stop.end();
    }
  }

  async complete(settings: CellSettings, code: string): Promise<Completion | null> {
    try {
      if (settings.session !== null) return (await this.#named.get(settings.session)?.complete(code)) ?? null;
      const cell = this.#pool.idle(openingOf(settings));
      return (await cell?.session.complete(code)) ?? null;
    } catch {
      // It ended meanwhile.
      return null;
    }
  }

  async reset(session: string): Promise<void> {
    await this.#named.get(session)?.reset();
  }

  async close(session: string): Promise<void> {
    const named = this.#named.get(session);
    this.#named.delete(session);
    await named?.close();
  }

  async end(): Promise<void> {
    const names = [...this.#named.keys()];
    await Promise.all([this.#pool.close(), ...names.map((name) => this.close(name))]);
  }

  #sessionOf(name: string, settings: CellSettings): NamedSession {
    const there = this.#named.get(name);
    // A site that changes pages without loading them may have given the name to other cells.
    const isLeft = there?.isLeftFrom(settings.trust) === true;
    if (there !== undefined && !isLeft) return there;
    const session = new NamedSession(
      name,
      settings.trust,
      this.#tools,
      there?.close().catch(() => undefined),
    );
    this.#named.set(name, session);
    return session;
  }

  /** The files that a run will ask for, as far as that is known now. */
  #missing({ session, files }: CellSettings): readonly CellFile[] {
    return session !== null && this.#named.has(session) ? [] : files;
  }
}
