import type { AgentRunOptions, AgentSession } from "../../../agent/index.js";
import type { RunResult, Session } from "../../../session/index.js";
import type { ToolAdapter } from "../../../tools/index.js";
import type { CellRuntime, LentSession, SessionRequest } from "../cell-runtime.js";
import { AgentSessionEndedError } from "./errors.js";

export interface PageSessionParts {
  readonly request: Omit<SessionRequest, "signal">;
  /** How the reader knows the session; null for one of the agent's own. */
  readonly name: string | null;
  /** Tools of the agent alone. */
  readonly tools: readonly ToolAdapter[];
}

/** What an agent sees of its session, as it was when the task began. */
interface Listing {
  readonly tools: Awaited<ReturnType<AgentSession["tools"]["list"]>>;
  readonly skills: Awaited<ReturnType<AgentSession["skills"]["list"]>>;
  readonly files: Awaited<ReturnType<AgentSession["workspace"]["list"]>>;
}

/**
 * The session of a page's cells as an agent has it for one task: each of its steps takes its turn among the runs of cells, so
 * that the reader can run one while the model writes. Its own tools are there while a step is at work, and no cell has them.
 */
export class PageSession implements AgentSession {
  readonly #runtime: CellRuntime;
  readonly #parts: PageSessionParts;
  readonly #session: Session;
  readonly #listing: Listing;
  readonly #ended = new AbortController();
  readonly #stopListening: () => void;

  /** @throws {VitrineError} where it could not be had. @throws {AgentSessionEndedError} */
  static async open(runtime: CellRuntime, parts: PageSessionParts, signal: AbortSignal): Promise<PageSession> {
    return runtime.withSession({ ...parts.request, signal }, async (lent) => {
      const { session } = lent;
      await session.tools.settled();
      const listing = await withTools(session, parts.tools, async () => ({
        tools: session.tools.list(),
        skills: await session.skills.list(),
        files: await session.workspace.list(),
      }));
      const opened = new PageSession(runtime, parts, { session, listing });
      opened.#watch(lent, signal);
      return opened;
    });
  }

  private constructor(
    runtime: CellRuntime,
    parts: PageSessionParts,
    { session, listing }: { readonly session: Session; readonly listing: Listing },
  ) {
    this.#runtime = runtime;
    this.#parts = parts;
    this.#session = session;
    this.#listing = listing;
    this.#stopListening = session.onStateChange((state) => {
      if (state === "closed") this.#end();
    });
  }

  /** Aborted, with an {@link AgentSessionEndedError}, once the session is not what the task began with. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get tools(): AgentSession["tools"] {
    return { list: () => this.#listing.tools };
  }

  get skills(): AgentSession["skills"] {
    return { list: () => this.#listing.skills };
  }

  get workspace(): AgentSession["workspace"] {
    return { list: () => this.#listing.files };
  }

  get imports(): readonly string[] | undefined {
    return this.#session.imports;
  }

  async run(code: string, options: AgentRunOptions): Promise<RunResult> {
    const { request, tools } = this.#parts;
    return this.#runtime.withSession({ ...request, signal: options.signal }, async (lent) => {
      // Of a fresh interpreter in its place the model knows nothing.
      if (lent.session !== this.#session) this.#end();
      this.ended.throwIfAborted();
      this.#watch(lent, options.signal);
      return withTools(lent.session, tools, () => lent.run(code, { ...options, signal: lent.signal }));
    });
  }

  /** The task is over; the session goes on. */
  letGo(): void {
    this.#stopListening();
  }

  /** Hears of a reset at once, and not first once the session has closed. */
  #watch(lent: LentSession, stopped: AbortSignal): void {
    const look = (): void => {
      if (!stopped.aborted) this.#end();
    };
    if (lent.signal.aborted) look();
    else lent.signal.addEventListener("abort", look, { once: true });
  }

  #end(): void {
    this.#ended.abort(new AgentSessionEndedError(this.#parts.name));
  }
}

/** A tool of the page that has the name already stays what it is. */
async function withTools<T>(session: Session, tools: readonly ToolAdapter[], job: () => Promise<T>): Promise<T> {
  const added = tools.filter(({ tool }) => session.tools.get(tool.name) === undefined);
  for (const adapter of added) session.tools.register(adapter);
  try {
    return await job();
  } finally {
    for (const { tool } of added) await session.tools.remove(tool.name);
  }
}
