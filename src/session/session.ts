import type { Finding } from "../check/index.js";
import { DepUnavailableError } from "../deps/index.js";
import type { CallProgress, Journal, JournalEntry } from "../dispatch/index.js";
import type { ExecutorCapabilities, SpareStatus } from "../executor/index.js";
import { checkArgument } from "../options/index.js";
import type { Completion, TrustLevel } from "../protocol/index.js";
import { seedStorage } from "../storage/index.js";
import type { Workspace } from "../workspace/index.js";
import type { WritingSession } from "../write-code/index.js";
import { supportedCapabilities } from "./capabilities.js";
import { checkOptions } from "./check-options.js";
import { checkChildOptions, type ChildOptions } from "./child/child-options.js";
import { openChildSession, type ChildSession } from "./child/child-session.js";
import { checkCheckOptions, type CheckOptions } from "./runs/code-check-options.js";
import { RunFailedError, SessionClosedError, SessionOptionsError, ToolProblemError } from "./errors.js";
import { SessionArtifacts, SessionDeps, SessionSkills } from "./facades.js";
import type { CallOrigin } from "./calls/call-origin.js";
import { budgetOf, planRun } from "./runs/run-plan.js";
import { checkRunOptions, type RunOptions } from "./runs/run-options.js";
import type { ParentSession } from "./runs/parent-session.js";
import type { RunResult } from "./runs/run-result.js";
import { toolFileOptions } from "./calls/services.js";
import type { SessionOptions } from "./session-options.js";
import { checkClientOptions, SessionClient, type ClientOptions } from "./client/session-client.js";
import { sessionParts, type SessionParts } from "./session-parts.js";
import { SessionTools } from "./session-tools.js";
import type { SessionState } from "./runs/run-queue.js";
import type { TrialOptions, TrialSession } from "./child/trial-session.js";

/**
 * Storage, an executor and the state of one interpreter.
 *
 * Runs queue up: a session runs one piece of code at a time. Sessions are
 * independent of each other, also on the same storage.
 */
export class Session {
  readonly tools: SessionTools;
  readonly skills: SessionSkills;
  readonly artifacts: SessionArtifacts;
  readonly deps: SessionDeps;

  readonly #parts: SessionParts;
  /** How many runs were asked for. */
  #runCount = 0;
  readonly #closing = new AbortController();

  /**
   * Opens a session: fills a fresh storage, loads the tools, starts Python.
   *
   * @throws {OptionError}
   * @throws {SessionOptionsError}
   * @throws {StorageBlockedError} when the storage cannot be reached.
   * @throws {CspBlockedError} when the policy of the page forbids the worker.
   * @throws {AssetLoadError} when a file of the interpreter does not load.
   * @throws {WorkerStartError} when the worker does not start for another reason.
   */
  static async open(options: SessionOptions): Promise<Session> {
    checkOptions(options);
    return new Session(sessionParts(options)).#begin();
  }

  private constructor(parts: SessionParts) {
    // JavaScript knows no private constructor.
    if (!isMade(parts)) {
      throw new SessionOptionsError("A session is opened and not made by `new`: `await Session.open({ storage })`.");
    }
    const { options, services, interpreter } = parts;
    this.#parts = parts;
    const { signal } = this.#closing;
    const maker = { runId: "page", parent: null, caller: "page", inAgentRun: false, tools: services.registry } as const;
    const pageOrigin = (): CallOrigin => ({ ...maker, signal });
    this.tools = new SessionTools(services, options.storage, toolFileOptions(options, services));
    this.skills = new SessionSkills(services.skills, services.operations, pageOrigin);
    this.artifacts = new SessionArtifacts(services.artifacts, services.operations, pageOrigin);
    this.deps = new SessionDeps(services.deps, (code) => this.#runForPage(code));
    interpreter.onHostile(() => void this.close());
  }

  get trust(): TrustLevel {
    return this.#parts.services.trust;
  }

  /** Modules that code may import; undefined where the trust level rules. */
  get imports(): readonly string[] | undefined {
    return this.#parts.options.imports;
  }

  /** Files shared with Python: `/workspace` there. */
  get workspace(): Workspace {
    return this.#parts.services.workspace;
  }

  /** Every call of this session and of the earlier ones on its storage. */
  get journal(): Journal {
    return this.#parts.services.journal;
  }

  get state(): SessionState {
    return this.#parts.queue.state;
  }

  /** How this session's executor works here: the transport of calls, its reason, versions. Undefined before the first start. */
  get capabilities(): ExecutorCapabilities | undefined {
    return this.#parts.executor.capabilities;
  }

  /** The interpreter that is kept ready for the next `reset()` or session of this kind, and what it costs. */
  get spare(): SpareStatus {
    return this.#parts.executor.spare;
  }

  /**
   * Runs code after the runs before it. Whatever the code does, the promise
   * resolves; `result.error` says how it failed.
   *
   * `T` is what the caller says that the value will be, null included; nothing checks it.
   *
   * Do not wait for it inside a tool of the same session: it would wait for the run that waits for the tool.
   *
   * @throws {OptionError} @throws {SessionOptionsError} for an invalid timeout. The promise rejects with them.
   */
  run(code: string, options?: RunOptions): Promise<RunResult>;
  run<T>(code: string, options?: RunOptions): Promise<RunResult<T | null>>;
  async run(code: string, options: RunOptions = {}): Promise<RunResult> {
    checkArgument("session.run", "code", code, "string");
    checkRunOptions(options);
    this.#runCount += 1;
    const name = `run ${String(this.#runCount)}`;
    return this.#parts.queue.run(planRun(code, options, { ...this.#parts.planning, name }), options.signal);
  }

  /**
   * The session as a foreign program sees it that the page serves. What it asks for passes the same chain, is journalled
   * with the caller `client`, and asks a person where an agent's code would.
   */
  client(options: ClientOptions = {}): SessionClient {
    checkClientOptions(options);
    const { scope, name = "client", caller = "client" } = options;
    return new SessionClient(this.#parts.services, {
      tools: scope === undefined ? this.#parts.services.tools : this.#parts.services.tools.inScope(scope),
      scope,
      caller,
      parent: this.#parts.parent,
      limits: budgetOf(this.#parts.options),
      signal: this.#closing.signal,
      watchPauses: (onPause) => this.#parts.children.watchPauses(onPause),
      run: (code, runOptions) =>
        this.run(code, {
          ...runOptions,
          from: caller,
          name: `${name} ${String(this.#runCount + 1)}`,
          ...(scope === undefined ? {} : { scope }),
        }),
    });
  }

  /**
   * Opens a session inside this one, with an interpreter of its own and never with more than this one has: for a
   * generated program, or for an agent that works as a tool. Close it when its work is done.
   *
   * @throws {SessionClosedError}
   * @throws {SessionOptionsError} when it would be weaker.
   * @throws {CallEndedError} when `parentCall` is not under way.
   */
  async openChild(options: ChildOptions = {}): Promise<ChildSession> {
    checkChildOptions(options);
    if (this.#parts.queue.isClosed) throw new SessionClosedError();
    const { parentCall } = options;
    const maker = parentCall === undefined ? undefined : this.#parts.children.makerOf(parentCall);
    if (maker !== undefined) return maker.openChild(options);
    return openChildSession(options, {
      ...this.#parts,
      // A person who is asked below keeps everybody waiting, up to the root.
      pauseClock: this.#parts.parent?.pauseClock ?? (() => this.#parts.children.pauseClocks()),
      open: (own, parent) => this.#openInside(own, parent),
    });
  }

  /**
   * Opens a sealed session in which something can be tried: with this one's limits and packages, skills, artifacts and
   * files as they are here, and no other tools than those given. What it writes stays in memory and goes with it, nobody
   * is asked, and what would last is refused to its code. Its journal is its own.
   *
   * @throws {SessionClosedError}
   */
  async openTrial(options: TrialOptions = {}): Promise<TrialSession> {
    const { checkTrialOptions, openTrialSession, trialOptions } = await import("./child/trial-session.js");
    checkTrialOptions(options);
    const opening = openTrialSession(trialOptions(this.#parts.options, options), (own) => {
      checkOptions(own);
      return this.#openInside(own);
    });
    return opening.finally(() => {
      // Closed meanwhile: so is the trial, whatever that made of its opening.
      if (this.#parts.queue.isClosed) throw new SessionClosedError();
    });
  }

  /**
   * Stops the code that runs now; variables and output up to then stay. Code
   * that does not obey is ended after a second together with the interpreter,
   * and the result says that its variables are gone.
   */
  interrupt(): void {
    this.#parts.queue.interrupt();
  }

  /** A fresh interpreter. What runs now is ended, what is queued runs before; storage is untouched. */
  reset(): Promise<void> {
    return this.#parts.queue.reset();
  }

  /**
   * Looks for mistakes in code without running it: syntax, names, tools, skills and their arguments, imports. Only what
   * is certain to fail is an error; see `docs/check.md`. Nothing is called, no variable changes, and it is no run. Waits
   * while code runs.
   *
   * @throws {SessionClosedError}
   * @throws {WorkerLostError} when the interpreter was ended meanwhile.
   */
  async check(code: string, options: CheckOptions = {}): Promise<Finding[]> {
    checkArgument("session.check", "code", code, "string");
    checkCheckOptions(options);
    return this.#parts.queue.inTurn(async () => {
      const { findings } = await this.#parts.checks.of(code, {
        ...options,
        name: "code",
        signal: this.#closing.signal,
      });
      return findings;
    });
  }

  /** Completes the name that `code` ends with, from the live interpreter. Waits while code runs. */
  async complete(code: string): Promise<Completion> {
    checkArgument("session.complete", "code", code, "string");
    return this.#parts.queue.inTurn(() => this.#parts.executor.complete(code));
  }

  /** @internal What a tool that writes code works on: the session that makes the call, this one or one inside it. @throws {CallEndedError} */
  writingSessionOf(callId: string): WritingSession {
    return this.#parts.services.operations.openCalls.writingSessionOf(callId);
  }

  /** Whether this session can do something; the names are those of `supportedCapabilities`. */
  supports(capability: string): boolean {
    return this.supportedCapabilities().has(capability);
  }

  supportedCapabilities(): ReadonlySet<string> {
    const canInstall = this.#parts.services.deps.canInstall;
    return supportedCapabilities(this.trust, { executor: this.#parts.executor.capabilities, canInstall });
  }

  /**
   * Hears every call of the session, when it begins, when something becomes of it (it is queued, asked about, tried
   * again), and when it ends; runs too, with the namespace `runs`. Returns how to stop.
   */
  onCall(listener: (entry: JournalEntry) => void): () => void {
    return this.#parts.services.dispatcher.onCall(listener);
  }

  /** Hears how far the calls of the session have come, where a tool reports it. Returns how to stop. */
  onCallProgress(listener: (progress: CallProgress) => void): () => void {
    return this.#parts.services.dispatcher.onCallProgress(listener);
  }

  onStateChange(listener: (state: SessionState) => void): () => void {
    return this.#parts.queue.onStateChange(listener);
  }

  /** The whole text of an output that was cut, by the name that the result gives. */
  readOutput(name: string): Promise<string> {
    return this.#parts.services.outputs.read(name);
  }

  /**
   * Ends the interpreter; what is stored stays. Resolves when every call has
   * ended and the journal is written. Closing twice is fine. The storage stays
   * open: it is its maker's.
   */
  async close(): Promise<void> {
    if (!this.#parts.queue.isClosed) {
      this.#parts.queue.close();
      this.#closing.abort();
      this.#parts.interpreter.close();
      this.#parts.texts.close();
      await this.#parts.children.close();
    }
    try {
      await this.#parts.services.operations.settleAll();
      // What a child uses of its parent stays open.
      if (this.#parts.parent === undefined) await this.#parts.services.registry.close();
      await this.journal.flush();
    } catch (error) {
      this.#parts.problems.report(error);
    }
  }

  async #prepare(): Promise<void> {
    const { storage, seeds = [], deps = [], tools = [] } = this.#parts.options;
    // Both at once: the download of Python takes longer than everything else.
    const starting = this.#parts.queue.start();
    starting.catch(() => undefined);
    await seedStorage(storage, seeds);
    if (deps.length > 0) {
      await this.#parts.services.depsStore.configure(deps);
      // What fails is tried again, and reported, by `sync`.
      this.#parts.services.deps.fetchAhead(deps, this.#closing.signal).catch(() => undefined);
    }
    for (const problem of await this.tools.load(tools)) this.#parts.problems.report(new ToolProblemError(problem));
    await starting;
    if (deps.length > 0) await this.#installConfigured();
  }

  /** One that cannot be had is reported, and the session goes on without it. */
  async #installConfigured(): Promise<void> {
    for (const [spec, reason] of Object.entries(await this.deps.syncOrExplain())) {
      this.#parts.problems.report(new DepUnavailableError(spec, reason, "not_installed"));
    }
  }

  /** Opens a session that waits and ends with this one, also while it starts. */
  async #openInside(options: SessionOptions, parent?: ParentSession): Promise<Session> {
    if (this.#parts.queue.isClosed) throw new SessionClosedError();
    const session = new Session(sessionParts(options, parent));
    const { services, children } = session.#parts;
    this.#parts.children.adopt({ session, isMaking: (callId) => services.operations.isMaking(callId), children });
    return session.#begin();
  }

  async #begin(): Promise<Session> {
    const { parent, queue } = this.#parts;
    try {
      // What a child works with is its parent's, and there already.
      await (parent === undefined ? this.#prepare() : queue.start());
      // Closed meanwhile, before its tools were there: they are closed below.
      if (queue.isClosed) throw new SessionClosedError();
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #runForPage(code: string): Promise<RunResult["value"]> {
    const result = await this.run(code);
    if (result.error !== null) throw new RunFailedError(result.error);
    return result.value;
  }
}

function isMade(parts: Partial<SessionParts> | undefined): boolean {
  return parts?.interpreter !== undefined;
}
