import type { BridgeHandler } from "../bridge/index.js";
import { refusalOf, type Finding } from "../check/index.js";
import type { CallProgress, Journal, JournalEntry } from "../dispatch/index.js";
import type { Executor, ExecutorCapabilities, SpareStatus } from "../executor/index.js";
import type { Completion, TrustLevel } from "../protocol/index.js";
import { ChangeListeners, seedStorage } from "../storage/index.js";
import type { ToolDirectory } from "../tools/index.js";
import type { Workspace } from "../workspace/index.js";
import { bridgeHandlers } from "./bridge-handlers.js";
import { supportedCapabilities } from "./capabilities.js";
import { checkOptions } from "./check-options.js";
import { childOptions, ChildSession, type ChildOptions } from "./child-session.js";
import { checkCode, type CheckedCode, type CheckOptions } from "./code-check.js";
import { createExecutor } from "./create-executor.js";
import { RunFailedError, SessionClosedError } from "./errors.js";
import { SessionArtifacts, SessionDeps, SessionSkills } from "./facades.js";
import { InterpreterRuns, STOPPED_BEFORE_START } from "./interpreter-runs.js";
import type { Lineage } from "./lineage.js";
import type { CallOrigin } from "./operations.js";
import { budgetOf, planRun, planToolRun, type PlannedRun, type RunPlanning } from "./plan-run.js";
import type { RunOptions } from "./run-options.js";
import { ORDINARY, planChild, type SessionBirth } from "./session-birth.js";
import { queueRun } from "./queue-run.js";
import { RunQueue } from "./run-queue.js";
import { errorData, failedRun, type RunResult } from "./run-result.js";
import { toolFileOptions, type Services } from "./services.js";
import type { SessionOptions } from "./session-options.js";
import { SessionClient, type ClientOptions } from "./session-client.js";
import { SessionTools } from "./session-tools.js";
import { skillInspector } from "./skill-inspector.js";
import { ToolRuns } from "./tool-runs.js";

/** What a session is doing. */
export type SessionState = "idle" | "starting" | "running" | "closed";

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

  readonly #options: SessionOptions;
  readonly #services: Services;
  readonly #executor: Executor;
  readonly #runs: InterpreterRuns;
  readonly #toolRuns: ToolRuns;
  readonly #queue = new RunQueue();
  readonly #children = new Set<Session>();
  /** Who waits for calls that they make outside of any run. */
  readonly #outside = new Set<() => () => void>();
  /** What is known of the parent; undefined for a session that stands alone. */
  readonly #lineage: Lineage | undefined;
  readonly #closing = new AbortController();
  readonly #stateListeners = new ChangeListeners<SessionState>();
  #state: SessionState = "idle";
  #runCount = 0;
  #stopCurrent: (() => void) | undefined;

  /**
   * Opens a session: fills a fresh storage, loads the tools, starts Python.
   *
   * @throws {SessionOptionsError}
   * @throws {StorageBlockedError} when the storage cannot be reached.
   * @throws {CspBlockedError} when the policy of the page forbids the worker.
   * @throws {AssetLoadError} when a file of the interpreter does not load.
   * @throws {WorkerStartError} when the worker does not start for another reason.
   */
  static async open(options: SessionOptions): Promise<Session> {
    checkOptions(options);
    const session = new Session(options);
    try {
      await session.#prepare();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  private constructor(options: SessionOptions, birth: SessionBirth = ORDINARY) {
    this.#options = options;
    this.#lineage = birth.lineage;
    this.#executor = createExecutor(options, (error) => {
      this.#reportProblem(error);
    });
    this.#services = birth.services(options, {
      runSkill: (name, args, parent) => this.#executor.invokeSkill(name, args, parent),
      callPythonTool: (call) => this.#toolRuns.call(call),
      currentRun: () => this.#runs.currentRun,
      pauseRun: () => this.#runs.pauseRun(),
      inspectSkill: skillInspector((name, source) => this.#inspectSkill(name, source)),
      pauseClock: () => this.#pauseClocks(),
      commandFiles: {
        take: (which) => this.#runs.commandFiles.take(which),
        put: (changes) => this.#runs.commandFiles.put(changes),
      },
    });
    const services = this.#services;
    this.#toolRuns = new ToolRuns({
      executor: this.#executor,
      operations: () => services.operations,
      currentRun: () => this.#runs.currentRun,
      run: (run) => this.#enqueue((planning) => planToolRun(run, planning), run),
    });
    this.#runs = new InterpreterRuns(this.#executor, {
      services,
      lineage: birth.lineage,
      onProgress: this.#guarded(options.onProgress) ?? (() => undefined),
      onLost: (reason, cause) => {
        // A worker that breaks the protocol is hostile: nothing of this session is run any more.
        if (reason === "violation") void this.close();
        if (reason !== "ended") this.#reportProblem(cause);
      },
      handlers: (originOf): ReadonlyMap<string, BridgeHandler> => {
        const visibleTools = (): ToolDirectory => this.#runs.visibleTools;
        return bridgeHandlers({
          ...services,
          toolRuns: this.#toolRuns,
          visibleTools,
          originOf,
          answerHelper: (call) => this.#runs.answerHelper(call),
          input: (prompt) => this.#runs.input(prompt),
        });
      },
      idleBudget: budgetOf(options),
    });
    const { signal } = this.#closing;
    const maker = { runId: "page", parent: null, caller: "page", inAgentRun: false, tools: services.registry } as const;
    const pageOrigin = (): CallOrigin => ({ ...maker, signal });
    this.tools = new SessionTools(services, options.storage, toolFileOptions(options, services));
    this.skills = new SessionSkills(services.skills, services.operations, pageOrigin);
    this.artifacts = new SessionArtifacts(services.artifacts, services.operations, pageOrigin);
    this.deps = new SessionDeps(services.deps, (code) => this.#runForPage(code));
  }

  get trust(): TrustLevel {
    return this.#services.trust;
  }

  /** Files shared with Python: `/workspace` there. */
  get workspace(): Workspace {
    return this.#services.workspace;
  }

  /** Every call of this session and of the earlier ones on its storage. */
  get journal(): Journal {
    return this.#services.journal;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** How this session's executor works here: the transport of calls, its reason, versions. Undefined before the first start. */
  get capabilities(): ExecutorCapabilities | undefined {
    return this.#executor.capabilities;
  }

  /** The interpreter that is kept ready for the next `reset()` or session of this kind, and what it costs. */
  get spare(): SpareStatus {
    return this.#executor.spare;
  }

  /**
   * Runs code after the runs before it. Whatever the code does, the promise
   * resolves; `result.error` says how it failed.
   *
   * Do not wait for it inside a tool of the same session: it would wait for the run that waits for the tool.
   *
   * @throws {SessionOptionsError} for a timeout that is none.
   */
  run(code: string, options: RunOptions = {}): Promise<RunResult> {
    this.#runCount += 1;
    return this.#enqueue((planning) => planRun(code, options, planning), options);
  }

  #enqueue(
    plan: (planning: RunPlanning) => PlannedRun,
    options: Pick<RunOptions, "signal" | "check">,
  ): Promise<RunResult> {
    const stop = new AbortController();
    const planned = plan({
      session: this.#options,
      count: this.#runCount,
      signal: stop.signal,
      guarded: (listener) => this.#guarded(listener),
    });
    return queueRun(planned, {
      queue: this.#queue,
      stop,
      signal: options.signal,
      start: async (stopRun) => {
        this.#stopCurrent = stopRun;
        try {
          return await this.#runNow(planned, options.check);
        } finally {
          this.#stopCurrent = undefined;
        }
      },
    });
  }

  /**
   * The session as a foreign program sees it that the page serves. What it asks for passes the same chain, is journalled
   * with the caller `client`, and asks a person where an agent's code would.
   */
  client(options: ClientOptions = {}): SessionClient {
    const { scope, name = "client", caller = "client" } = options;
    return new SessionClient(this.#services, {
      tools: scope === undefined ? this.#services.tools : this.#services.tools.inScope(scope),
      caller,
      lineage: this.#lineage,
      signal: this.#closing.signal,
      watchPauses: (onPause) => {
        // One listener may wait for several calls.
        const told = (): (() => void) => onPause();
        this.#outside.add(told);
        return () => this.#outside.delete(told);
      },
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
    if (this.#state === "closed") throw new SessionClosedError();
    const maker = this.#makerOf(options.parentCall);
    if (maker !== this) return maker.openChild(options);
    const { birth, tools, callingRun } = planChild(options, {
      services: this.#services,
      admitBelow: (runId, method) => this.#runs.admitBelow(runId, method),
      // A person who is asked below keeps everybody waiting, up to the root.
      pauseClock: this.#lineage?.pauseClock ?? (() => this.#pauseClocks()),
    });
    const own = childOptions(this.#options, options, this.#runs.importsOf(callingRun));
    checkOptions(own);
    const child = new Session(own, birth);
    this.#children.add(child);
    child.onStateChange((state) => {
      if (state === "closed") this.#children.delete(child);
    });
    try {
      await child.#startNow();
    } catch (error) {
      await child.close();
      throw error;
    }
    return new ChildSession(child, { tools, imports: own.imports });
  }

  /**
   * Stops the code that runs now; variables and output up to then stay. Code
   * that does not hear is ended after a second together with the interpreter,
   * and the result says that its variables are gone.
   */
  interrupt(): void {
    this.#stopCurrent?.();
  }

  /** A fresh interpreter. What runs now is ended, what is queued runs before; storage is untouched. */
  async reset(): Promise<void> {
    if (this.#state === "closed") throw new SessionClosedError();
    this.#runs.end("the session was reset");
    await this.#queue.add(async () => {
      this.#runs.end("the session was reset");
      await this.#startNow();
    });
  }

  /**
   * Looks for mistakes in code without running it: syntax, names, tools, skills and their arguments, imports. Only what
   * is certain to fail is an error; see `docs/check.md`. Nothing is called, no variable changes, and it is no run. Waits
   * while code runs.
   *
   * @throws {SessionClosedError}
   * @throws {WorkerLostError} when the interpreter was ended meanwhile.
   */
  check(code: string, options: CheckOptions = {}): Promise<Finding[]> {
    return this.#queue.add(async () => {
      await this.#startNow();
      const { findings } = await this.#checkNow(code, { ...options, name: "code", signal: this.#closing.signal });
      return findings;
    });
  }

  /** Completes the name that `code` ends with, from the live interpreter. Waits while code runs. */
  complete(code: string): Promise<Completion> {
    return this.#queue.add(async () => {
      await this.#startNow();
      return this.#executor.complete(code);
    });
  }

  /** Whether this session can do something; the names are those of `supportedCapabilities`. */
  supports(capability: string): boolean {
    return this.supportedCapabilities().has(capability);
  }

  supportedCapabilities(): ReadonlySet<string> {
    const { packagesURL, allowRuntimeDeps = true } = this.#options;
    const canInstall = packagesURL !== undefined && allowRuntimeDeps;
    return supportedCapabilities(this.trust, { executor: this.#executor.capabilities, canInstall });
  }

  /**
   * Hears every call of the session, when it begins, when something becomes of it (it is queued, asked about, tried
   * again), and when it ends; runs too, with the namespace `runs`. Returns how to stop.
   */
  onCall(listener: (entry: JournalEntry) => void): () => void {
    return this.#services.dispatcher.onCall(listener);
  }

  /** Hears how far the calls of the session have come, where a tool reports it. Returns how to stop. */
  onCallProgress(listener: (progress: CallProgress) => void): () => void {
    return this.#services.dispatcher.onCallProgress(listener);
  }

  onStateChange(listener: (state: SessionState) => void): () => void {
    return this.#stateListeners.add(listener);
  }

  /** The whole text of an output that was cut, by the name that the result gives. */
  readOutput(name: string): Promise<string> {
    return this.#services.outputs.read(name);
  }

  /**
   * Ends the interpreter; what is stored stays. Resolves when every call has
   * ended and the journal is written. Closing twice is fine. The storage stays
   * open: it is its maker's.
   */
  async close(): Promise<void> {
    if (this.#state !== "closed") {
      this.#setState("closed");
      this.#closing.abort();
      this.#runs.close();
      await Promise.all(Array.from(this.#children, (child) => child.close()));
    }
    try {
      await this.#services.operations.settleAll();
      // What a child uses of its parent stays open.
      if (this.#lineage === undefined) await this.#services.registry.close();
      await this.journal.flush();
    } catch (error) {
      this.#reportProblem(error);
    }
  }

  async #prepare(): Promise<void> {
    const { storage, seeds = [], deps = [], tools = [] } = this.#options;
    // Both at once: the download of Python takes longer than everything else.
    const starting = this.#startNow();
    starting.catch(() => undefined);
    await seedStorage(storage, seeds);
    await this.tools.load();
    for (const adapter of tools) this.tools.register(adapter);
    if (deps.length > 0) await this.#services.depsStore.configure(deps);
    await starting;
    if (deps.length > 0) await this.deps.sync();
  }

  async #checkBefore(planned: PlannedRun, check: RunOptions["check"] = false): Promise<CheckedCode> {
    if (check === false) return { findings: [], namedTools: [] };
    const { code, name, helpers, scope, imports, signal } = planned;
    const options = {
      helpers: helpers.kind,
      name,
      signal,
      ...(scope === undefined ? {} : { scope }),
      ...(imports === undefined ? {} : { imports }),
      ...(check === true ? {} : check),
    };
    return this.#checkNow(code, options);
  }

  #checkNow(code: string, options: CheckOptions & Pick<PlannedRun, "name" | "signal">): Promise<CheckedCode> {
    const { name, signal, helpers = "none", imports = this.#options.imports, scope, types } = options;
    const plan = { code, filename: `<${name}>`, helpers, imports, scope, types, signal };
    return checkCode(plan, this.#executor, this.#services);
  }

  async #runNow(planned: PlannedRun, check: RunOptions["check"]): Promise<RunResult> {
    if (this.#state === "closed") return failedRun(planned.id, errorData(new SessionClosedError()));
    try {
      await this.#startNow();
      const checked = await this.#checkBefore(planned, check);
      if (planned.signal.aborted) return failedRun(planned.id, STOPPED_BEFORE_START);
      const refusal = refusalOf(checked.findings, planned.code, `<${planned.name}>`);
      if (refusal !== null) return { ...failedRun(planned.id, refusal), ...checked };
      this.#setState("running");
      return { ...(await this.#runs.run(planned)), ...checked };
    } catch (error) {
      return failedRun(planned.id, errorData(error));
    } finally {
      this.#setState("idle");
    }
  }

  async #startNow(): Promise<void> {
    if (this.#executor.isStarted && this.#state !== "closed") return;
    this.#setState("starting");
    try {
      await this.#runs.start();
    } finally {
      this.#setState("idle");
    }
  }

  async #runForPage(code: string): Promise<RunResult["value"]> {
    const result = await this.run(code);
    if (result.error !== null) throw new RunFailedError(result.error);
    return result.value;
  }

  async #inspectSkill(name: string, source: string): Promise<string> {
    await this.#runs.start();
    return this.#executor.inspectSkill(name, source);
  }

  /** The session whose call it is: this one, or one inside it, than which nothing that works for it may be weaker. */
  #makerOf(callId: string | undefined): Session {
    if (callId === undefined || this.#services.operations.isMaking(callId)) return this;
    for (const child of this.#children) {
      const maker = child.#makerOf(callId);
      if (maker.#services.operations.isMaking(callId)) return maker;
    }
    return this;
  }

  /** Whoever waits for a child waits for the person too, and the other way round. */
  #pauseClocks(): () => void {
    const resumes = [
      this.#runs.pauseClock(),
      ...Array.from(this.#outside, (pause) => pause()),
      ...Array.from(this.#children, (child) => child.#pauseClocks()),
    ];
    return () => {
      for (const resume of resumes) resume();
    };
  }

  #reportProblem(error: unknown): void {
    if (this.#options.onProblem === undefined) console.error("Vitrine:", error);
    else this.#options.onProblem(error);
  }

  /** What a listener of the page throws is its own affair: it is reported and breaks nothing here. */
  #guarded<T>(listener: ((value: T) => void) | undefined): ((value: T) => void) | undefined {
    if (listener === undefined) return undefined;
    return (value) => {
      try {
        listener(value);
      } catch (error) {
        this.#reportProblem(error);
      }
    };
  }

  #setState(state: SessionState): void {
    if (this.#state === state || this.#state === "closed") return;
    this.#state = state;
    this.#stateListeners.tell(state);
  }
}
