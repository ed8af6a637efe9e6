import { z } from "zod";

import { BlobChannel, LONGEST_TEXT, sharedMemoryOutbox, type BridgeHandler } from "../bridge/index.js";
import {
  BootReport,
  type CheckReport,
  CheckReports,
  Completion,
  messageOf,
  ProtocolViolationError,
  RunReply,
  type OutputChunk,
  type RunPhase,
  type RunRequest,
  type TransportKind,
  type CheckRequest,
  type TrustLevel,
  type Value,
  type WorkspaceChange,
} from "../protocol/index.js";
import { describeExecutor, stopsByUrl } from "./describe-executor.js";
import { startError, WorkerLostError, WorkerStartError } from "./errors.js";
import type {
  CollectedFiles,
  Executor,
  ExecutorCapabilities,
  ExecutorOutcome,
  ExecutorRun,
  LossReason,
  StartOptions,
} from "./executor.js";
import { makeSnapshotLater } from "./boot/make-snapshot.js";
import { prepareWorker, type InterpreterSource } from "./boot/prepare-worker.js";
import type { PreparedWorker } from "./boot/prepared-worker.js";
import { SpareShare, spareSlot, SpareSlot, type SparePolicy, type SpareStatus } from "./boot/spare-slot.js";
import { interpreterSource } from "./boot/interpreter-source.js";
import type { WorkerHost } from "./hosts/worker-host.js";
import { InvocationAbandonedError, Invocations } from "./invocations.js";
import { RunWatch, type StopReason } from "./run-watch.js";
import { StopSigns, type StopSign } from "./stop-signs.js";
import { applyWaitingFiles, collectWaitingFiles, sentChanges } from "./workspace-changes.js";
import type { WorkerConnection } from "./worker-connection.js";

/** Milliseconds that a completion, or the check of each piece, has of its own. */
const QUESTION_LIMIT = 2000;

/** Milliseconds to notice that it resists. */
const QUESTION_GRACE = 2000;

/** Bytes. */
const DEFAULT_HEAP_LIMIT = 2 ** 30;

/** How to make a {@link WorkerExecutor}. */
export interface WorkerExecutorOptions {
  readonly trust: TrustLevel;
  /** Where the worker is spawned. Default: the host that belongs to the trust level. */
  readonly host?: WorkerHost;
  /** Where the five files of Pyodide lie. Default: beside Vitrine's own script. */
  readonly pyodideBaseURL?: string;
  /** Whether a spare interpreter is kept ready. Default: `none`. */
  readonly spare?: SparePolicy;
  /** Bytes that Python's heap may take. Default: 1 GiB. */
  readonly heapLimit?: number;
  /** Whether an interpreter may start from a base snapshot. Default: true. For tests and measurements. */
  readonly useSnapshot?: boolean;
  /** Hears of what went wrong beside any start: a snapshot that could not be made, for instance. */
  readonly onProblem?: (error: unknown) => void;
  /** Overrides the probe for the way Python waits. For tests. */
  readonly transport?: TransportKind;
}

type State =
  | { readonly kind: "none" }
  | {
      readonly kind: "starting";
      readonly attempt: symbol;
      readonly ready: Promise<void>;
      readonly cancel: (reason: Error) => void;
    }
  | {
      readonly kind: "live";
      readonly worker: WorkerConnection;
      readonly options: StartOptions;
      /** Null where requests to stop come through shared memory, or not at all while Python computes. */
      readonly stopSigns: StopSigns | null;
      readonly removal: () => string | undefined;
    };

interface ActiveRun {
  readonly id: string;
  readonly watch: RunWatch;
  /** To a person, that are not answered yet. */
  questions: number;
  readonly onOutput: (chunks: readonly OutputChunk[]) => void;
  readonly end: (outcome: ExecutorOutcome) => void;
}

/** Runs Python in a Web Worker, on the page or in a sealed frame. */
export class WorkerExecutor implements Executor {
  readonly #trust: TrustLevel;
  readonly #source: InterpreterSource;
  #spares: SpareShare | undefined;
  readonly #heapLimit: number;
  readonly #onProblem: (error: unknown) => void;
  readonly #transport: TransportKind | null;
  readonly #invocations = new Invocations();
  #capabilities: ExecutorCapabilities | undefined;
  #state: State = { kind: "none" };
  #run: ActiveRun | undefined;

  constructor(options: WorkerExecutorOptions) {
    const { trust, host, transport, pyodideBaseURL, spare, heapLimit, useSnapshot = true, onProblem } = options;
    this.#trust = trust;
    this.#source = interpreterSource({ trust, host, pyodideBaseURL, useSnapshot });
    this.#transport = transport ?? null;
    this.#heapLimit = heapLimit ?? DEFAULT_HEAP_LIMIT;
    this.#onProblem = onProblem ?? (() => undefined);
    // A host of the caller's own is nobody else's.
    const key = JSON.stringify([trust, pyodideBaseURL ?? null, useSnapshot]);
    const slot = (): SpareSlot => (host === undefined ? spareSlot(key, this.#source) : new SpareSlot(this.#source));
    if (spare === "one") this.#spares = new SpareShare(slot());
  }

  get capabilities(): ExecutorCapabilities | undefined {
    return this.#capabilities;
  }

  get spare(): SpareStatus {
    return this.#spares?.status ?? { state: "none", heapSize: 0, problem: null };
  }

  get isStarted(): boolean {
    this.#noticeRemoval();
    return this.#state.kind === "live";
  }

  async start(options: StartOptions): Promise<void> {
    this.#noticeRemoval();
    if (this.#state.kind === "live") return;
    if (this.#state.kind === "none") {
      const { promise: cancelled, reject: cancel } = Promise.withResolvers<never>();
      cancelled.catch(() => undefined);
      const attempt = Symbol("start");
      const ready = this.#boot(options, { attempt, cancelled });
      ready.catch(() => undefined);
      this.#state = { kind: "starting", attempt, ready, cancel };
    }
    await this.#state.ready;
  }

  async run(request: RunRequest, { onOutput, onInterrupt, files, ...found }: ExecutorRun): Promise<ExecutorOutcome> {
    const { worker, stopSigns } = this.#live();
    const { promise: outcome, resolve: end } = Promise.withResolvers<ExecutorOutcome>();
    const stopSign = stopSigns?.forRun();
    const watch = new RunWatch({
      timeout: request.timeout,
      interrupt: () => {
        worker.send({ kind: "interrupt" });
        void stopSign?.then(revoke);
      },
      onInterrupt,
      kill: (reason) => {
        this.#lose(reason, new WorkerLostError("the code did not heed its interrupt"));
      },
    });
    this.#run = { id: request.runId, watch, questions: 0, onOutput, end };
    worker
      .call(RunReply, async (remote) => {
        const sent = await sentChanges(files);
        return await remote.run(request, { ...found, files: sent, stopSign: (await stopSign)?.urls ?? [] });
      })
      .then(
        (reply) => {
          // The blob URLs by which code is told to stop go with their frame, before the worker does.
          if (reply.error !== null) this.#noticeRemoval();
          end({ kind: "replied", reply });
        },
        (error: unknown) => {
          this.#fail(error);
        },
      );
    try {
      return await outcome;
    } finally {
      watch.end();
      void stopSign?.then(revoke);
      this.#run = undefined;
      this.#invocations.abandon("the run is over");
      if (this.#state.kind === "live") this.#spares?.keepLevel(this.#state.options.wheels ?? (() => []));
    }
  }

  interrupt(reason: StopReason): void {
    this.#run?.watch.stop(reason);
  }

  pauseClock(): () => void {
    const run = this.#run;
    if (run === undefined) return () => undefined;
    run.questions += 1;
    if (run.questions === 1) {
      run.watch.pause();
      this.#tellClock(run, "pause");
    }
    let isAnswered = false;
    return () => {
      if (isAnswered) return;
      isAnswered = true;
      run.questions -= 1;
      if (run.questions > 0 || this.#run !== run) return;
      run.watch.resume();
      this.#tellClock(run, "resume");
    };
  }

  invokeSkill(name: string, args: Readonly<Record<string, Value>>, parent: string): Promise<Value> {
    return this.#invoke({ function: "run_skill", arguments: { name, arguments: args }, parent });
  }

  invokeTool(name: string, args: Readonly<Record<string, Value>>, parent: string): Promise<Value> {
    return this.#invoke({ function: "run_tool", arguments: { name, arguments: args }, parent });
  }

  collectFiles(): Promise<CollectedFiles> {
    return collectWaitingFiles((invocation) => this.#invoke(invocation));
  }

  applyFiles(changes: readonly WorkspaceChange[]): Promise<CollectedFiles["fileProblems"]> {
    return applyWaitingFiles((invocation) => this.#invoke(invocation), changes);
  }

  complete(code: string): Promise<Completion> {
    return this.#ask("a completion", (worker) => worker.call(Completion, (remote) => remote.complete(code)));
  }

  check(...requests: CheckRequest[]): Promise<readonly CheckReport[]> {
    const reports = CheckReports.length(requests.length);
    return this.#ask("a check", (worker) => worker.call(reports, (remote) => remote.check(requests)), requests.length);
  }

  async #ask<T>(what: string, ask: (worker: WorkerConnection) => Promise<T>, parts = 1): Promise<T> {
    const { worker } = this.#live();
    const limit = QUESTION_LIMIT * parts + QUESTION_GRACE;
    const overdue = setTimeout(() => this.#lose("timeout", new WorkerLostError(`${what} did not end`)), limit);
    try {
      return await ask(worker);
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      clearTimeout(overdue);
    }
  }

  async inspectSkill(name: string, source: string): Promise<string> {
    if (this.#run !== undefined) {
      try {
        // The interpreter is busy, or waits for the very call that asks for this.
        const invocation = { function: "inspect_skill", arguments: { name, source }, parent: null };
        return z.string().parse(await this.#invoke(invocation));
      } catch (error) {
        if (!(error instanceof InvocationAbandonedError)) throw error;
      }
    }
    return this.#live().worker.call(z.string(), (remote) => remote.inspectSkill(name, source));
  }

  stop(why: string): void {
    this.#lose("ended", new WorkerLostError(why));
  }

  close(why: string): void {
    this.stop(why);
    this.#spares?.release();
    this.#spares = undefined;
  }

  async #boot(
    options: StartOptions,
    { attempt, cancelled }: { attempt: symbol; cancelled: Promise<never> },
  ): Promise<void> {
    const { handlers, wheels = () => [], onProgress = () => undefined } = options;
    let worker: PreparedWorker | undefined;
    try {
      const spare = this.#spares?.take(wheels());
      const prepared = spare ?? (await prepareWorker(this.#source, { wheels: wheels(), onProgress, cancelled }));
      for (const problem of prepared.wheelProblems) this.#onProblem(new WorkerStartError(problem));
      worker = prepared.worker;
      const { connection, mailbox } = worker;
      const invocationEnd: BridgeHandler = {
        answer: (args) => this.#invocations.end(args),
        longestText: LONGEST_TEXT,
      };
      worker.bind({
        handlers: new Map([...handlers, ["invoke.end", invocationEnd]]),
        admit: options.admit,
        onOutput: (chunks) => this.#run?.onOutput(chunks),
        onPhase: (runId, phase) => {
          this.#enterPhase(runId, phase);
        },
        onViolation: (error) => {
          if (this.#state.kind === "live" && this.#state.worker === connection) this.#lose("violation", error);
        },
        onLost: (error) => {
          if (this.#state.kind === "live" && this.#state.worker === connection) this.#fail(error);
        },
      });
      const blobBatch = await Promise.race([worker.orLost(worker.blobBatch), cancelled]);
      const request = {
        trust: this.#trust,
        mailbox,
        blobBatch,
        transport: this.#transport,
        heapLimit: this.#heapLimit,
        baseURL: this.#trust === "local" ? (this.#source.host.baseURL ?? null) : null,
      };
      const booting = worker.orLost(connection.call(BootReport, (remote) => remote.boot(request)));
      const report = await Promise.race([booting, cancelled]);
      if (report.transport === "shared-memory" && mailbox !== null) connection.use(sharedMemoryOutbox(mailbox));
      if (report.transport === "blob-channel") connection.use(new BlobChannel(worker.blobUrls, blobBatch));
      else worker.blobUrls.revoke(blobBatch);
      this.#capabilities = describeExecutor(report, {
        trust: this.#trust,
        host: this.#source.host.kind,
        boot: prepared.boot,
        stages: prepared.stages,
        spare: spare !== undefined,
      });
      const stopSigns = stopsByUrl(report) ? new StopSigns(worker.blobUrls) : null;
      const removal = worker.removal.bind(worker);
      const live: State = { kind: "live", worker: connection, options, stopSigns, removal };
      this.#state = live;
      void worker.removed.then(() => {
        if (this.#state === live) this.#noticeRemoval();
      });
      this.#spares?.refill(wheels);
      if (prepared.boot.from === "plain") makeSnapshotLater(this.#source, this.#onProblem);
    } catch (error) {
      const failure = startError(error);
      worker?.end(failure);
      // After a cancelled start there may be another one by now.
      if (this.#state.kind === "starting" && this.#state.attempt === attempt) this.#state = { kind: "none" };
      throw failure;
    }
  }

  /** The page may take a worker's frame away at any moment. */
  #noticeRemoval(): void {
    const reason = this.#state.kind === "live" ? this.#state.removal() : undefined;
    if (reason !== undefined) this.#lose("crashed", new WorkerLostError(reason));
  }

  #live(): Extract<State, { kind: "live" }> {
    if (this.#state.kind === "live") return this.#state;
    throw new WorkerLostError("it was not started, or was ended");
  }

  async #invoke(invocation: Readonly<Record<string, Value>>): Promise<Value> {
    const runId = this.#run?.id;
    if (runId === undefined) throw new InvocationAbandonedError("no run is going on");
    return await this.#invocations.call(invocation, (id, payload) => {
      this.#live().worker.send({ kind: "invoke", id, runId, payload });
    });
  }

  /** The worker has a clock of its own, which ends the run in its time; this side's is the one that counts. */
  #tellClock({ id: runId }: ActiveRun, kind: "pause" | "resume"): void {
    if (this.#state.kind === "live") {
      this.#state.worker.send({ kind, id: 0, runId, payload: { text: "", buffers: [] } });
    }
  }

  #enterPhase(runId: string, phase: RunPhase): void {
    if (this.#run?.id !== runId) return;
    this.#run.watch[phase]();
  }

  /** A call of the worker failed: it broke the protocol, or the interpreter is past use. */
  #fail(error: unknown): void {
    if (error instanceof ProtocolViolationError) this.#lose("violation", error);
    else this.#lose("crashed", error instanceof WorkerLostError ? error : new WorkerLostError(messageOf(error)));
  }

  #lose(reason: LossReason, cause: Error): void {
    const { kind } = this.#state;
    if (kind === "none") return;
    const state = this.#state;
    this.#state = { kind: "none" };
    if (state.kind === "starting") state.cancel(cause);
    if (state.kind !== "live") return;
    state.worker.end(cause);
    state.stopSigns?.close();
    this.#invocations.abandon(cause.message);
    if (this.#run === undefined) state.options.onLost?.(reason, cause);
    else this.#run.end({ kind: "lost", reason, cause });
  }
}

function revoke(sign: StopSign): void {
  sign.revoke();
}
