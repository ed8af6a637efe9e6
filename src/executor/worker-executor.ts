import { z } from "zod";

import { type BridgeHandler } from "../bridge/index.js";
import {
  BootReport,
  Completion,
  createMailbox,
  encodeValue,
  ProtocolViolationError,
  RunReply,
  VitrineError,
  type OutputChunk,
  type PyodideFiles,
  type RunPhase,
  type TransportKind,
  type TrustLevel,
  type Value,
} from "../protocol/index.js";
import { CspBlockedError, WorkerLostError, WorkerStartError } from "./errors.js";
import type {
  Executor,
  ExecutorCapabilities,
  ExecutorOutcome,
  ExecutorRun,
  LossReason,
  StartOptions,
} from "./executor.js";
import { pageHost } from "./hosts/page-host.js";
import { sealedFrameHost } from "./hosts/sealed-frame-host.js";
import type { SpawnedWorker, WorkerHost } from "./hosts/worker-host.js";
import { InvocationAbandonedError, Invocations } from "./invocations.js";
import { loadPyodideFiles, type LoadProgress } from "./pyodide-files.js";
import { RunWatch } from "./run-watch.js";
import { WorkerConnection } from "./worker-connection.js";

/** Milliseconds for a completion: two seconds of its own, and the time to notice that it resists. */
const COMPLETION_LIMIT = 4000;

/** How to make a {@link WorkerExecutor}. */
export interface WorkerExecutorOptions {
  readonly trust: TrustLevel;
  /** Where the worker is spawned. Default: the host that belongs to the trust level. */
  readonly host?: WorkerHost;
  /** Where the interpreter's files come from. Default: beside Vitrine's own script. */
  readonly loadFiles?: (onProgress: (progress: LoadProgress) => void) => Promise<PyodideFiles>;
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
  | { readonly kind: "live"; readonly worker: WorkerConnection; readonly options: StartOptions };

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
  readonly #host: WorkerHost;
  readonly #loadFiles: NonNullable<WorkerExecutorOptions["loadFiles"]>;
  readonly #transport: TransportKind | null;
  readonly #invocations = new Invocations();
  #capabilities: ExecutorCapabilities | undefined;
  #state: State = { kind: "none" };
  #run: ActiveRun | undefined;

  constructor({ trust, host, loadFiles, transport }: WorkerExecutorOptions) {
    this.#trust = trust;
    this.#host = host ?? hostFor(trust);
    this.#loadFiles = loadFiles ?? ((onProgress) => loadPyodideFiles(undefined, onProgress));
    this.#transport = transport ?? null;
  }

  get capabilities(): ExecutorCapabilities | undefined {
    return this.#capabilities;
  }

  get isStarted(): boolean {
    return this.#state.kind === "live";
  }

  async start(options: StartOptions): Promise<void> {
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

  async run({ onOutput, ...request }: ExecutorRun): Promise<ExecutorOutcome> {
    const worker = this.#live();
    const { promise: outcome, resolve: end } = Promise.withResolvers<ExecutorOutcome>();
    const watch = new RunWatch({
      timeout: request.timeout,
      interrupt: () => {
        worker.send({ kind: "interrupt" });
      },
      kill: (reason) => {
        this.#lose(reason, new WorkerLostError("the code did not heed its interrupt"));
      },
    });
    this.#run = { id: request.runId, watch, questions: 0, onOutput, end };
    worker
      .call(RunReply, (remote) => remote.run(request))
      .then(
        (reply) => {
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
      this.#run = undefined;
      this.#invocations.abandon("the run is over");
    }
  }

  interrupt(): void {
    this.#run?.watch.stop();
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

  async complete(code: string): Promise<Completion> {
    const worker = this.#live();
    const overdue = setTimeout(() => {
      this.#lose("timeout", new WorkerLostError("a completion did not end"));
    }, COMPLETION_LIMIT);
    try {
      return await worker.call(Completion, (remote) => remote.complete(code));
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
    return this.#live().call(z.string(), (remote) => remote.inspectSkill(name, source));
  }

  stop(why: string): void {
    this.#lose("ended", new WorkerLostError(why));
  }

  async #boot(
    options: StartOptions,
    { attempt, cancelled }: { attempt: symbol; cancelled: Promise<never> },
  ): Promise<void> {
    const { handlers, onProgress = () => undefined } = options;
    let worker: WorkerConnection | undefined;
    try {
      const parts = settled([this.#loadFiles(onProgress), this.#spawn()]);
      // What comes after a cancelled start is ended when it comes.
      const [files, spawned] = await Promise.race([parts, cancelled.catch(endLate(parts))]);
      const mailbox = this.#host.kind === "page" && globalThis.crossOriginIsolated ? createMailbox() : null;
      const violated = Promise.withResolvers<never>();
      violated.promise.catch(() => undefined);
      worker = new WorkerConnection(spawned, {
        handlers: new Map<string, BridgeHandler>([...handlers, ["invoke.end", (args) => this.#invocations.end(args)]]),
        admit: options.admit,
        onOutput: (chunks) => this.#run?.onOutput(chunks),
        onPhase: (runId, phase) => {
          this.#enterPhase(runId, phase);
        },
        onViolation: (error) => {
          violated.reject(error);
          if (this.#state.kind === "live" && this.#state.worker === worker) this.#lose("violation", error);
        },
        mailbox,
      });
      const request = { pyodide: files, trust: this.#trust, mailbox, transport: this.#transport };
      const report = await Promise.race([
        worker.call(BootReport, (remote) => remote.boot(request)),
        thrown(spawned.failed),
        thrown(spawned.removed),
        violated.promise,
        cancelled,
      ]);
      if (report.transport === "shared-memory") worker.useMailbox();
      this.#capabilities = this.#describe(report);
      const live: State = { kind: "live", worker, options };
      this.#state = live;
      void spawned.removed.then((error) => {
        if (this.#state === live) this.#lose("crashed", new WorkerLostError(error.message));
      });
    } catch (error) {
      const failure = startError(error);
      worker?.end(failure);
      // After a cancelled start there may be another one by now.
      if (this.#state.kind === "starting" && this.#state.attempt === attempt) this.#state = { kind: "none" };
      throw failure;
    }
  }

  async #spawn(): Promise<SpawnedWorker> {
    // A fifth of the library's size, and needed only once a session opens.
    const { default: workerSource } = await import("virtual:executor-worker");
    return this.#host.spawn(workerSource);
  }

  #live(): WorkerConnection {
    if (this.#state.kind === "live") return this.#state.worker;
    throw new WorkerLostError("it was not started, or was ended");
  }

  async #invoke(invocation: Readonly<Record<string, Value>>): Promise<Value> {
    const runId = this.#run?.id;
    if (runId === undefined) throw new InvocationAbandonedError("no run is going on");
    const payload = encodeValue(invocation);
    const { id, result } = this.#invocations.begin();
    this.#live().send({ kind: "invoke", id, runId, payload });
    return result;
  }

  /** The worker has a clock of its own, which ends the run in its time; this side's is the one that counts. */
  #tellClock({ id: runId }: ActiveRun, kind: "pause" | "resume"): void {
    if (this.#state.kind === "live") {
      this.#state.worker.send({ kind, id: 0, runId, payload: { text: "", buffers: [] } });
    }
  }

  #enterPhase(runId: string, phase: RunPhase): void {
    if (this.#run?.id !== runId) return;
    if (phase === "running") this.#run.watch.began();
    else this.#run.watch.finishing();
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
    this.#invocations.abandon(cause.message);
    if (this.#run === undefined) state.options.onLost?.(reason, cause);
    else this.#run.end({ kind: "lost", reason, cause });
  }

  #describe(report: BootReport): ExecutorCapabilities {
    const { transport, transportReason, python, pyodide, stages } = report;
    const stop = { "shared-memory": "always", jspi: "while-waiting", none: "never" } as const;
    return {
      trust: this.#trust,
      host: this.#host.kind,
      syncCalls: { transport, reason: transportReason },
      stop: stop[transport],
      python,
      pyodide,
      bootStages: stages,
    };
  }
}

function hostFor(trust: TrustLevel): WorkerHost {
  switch (trust) {
    case "local":
    case "isolated":
      return pageHost();
    case "sandboxed":
      return sealedFrameHost();
  }
}

type Parts = readonly [PyodideFiles, SpawnedWorker];

/** Both or neither: when the files cannot be had, the worker that was spawned meanwhile is ended. */
async function settled(parts: [Promise<PyodideFiles>, Promise<SpawnedWorker>]): Promise<Parts> {
  try {
    return await Promise.all(parts);
  } catch (error) {
    parts[1].then(terminate, () => undefined);
    throw error;
  }
}

function endLate(parts: Promise<Parts>): (reason: unknown) => never {
  return (reason) => {
    parts.then(
      ([, spawned]) => {
        terminate(spawned);
      },
      () => undefined,
    );
    throw reason;
  };
}

function terminate(spawned: SpawnedWorker): void {
  spawned.terminate();
}

async function thrown(failure: Promise<Error>): Promise<never> {
  throw await failure;
}

/** The worker's errors arrive as plain text; a policy that refused something says so at its beginning. */
function startError(error: unknown): Error {
  if (error instanceof VitrineError) return error;
  const message = messageOf(error);
  const [, directive, blocked] = /CSP_BLOCKED (\S+) (\S*)/.exec(message) ?? [];
  // The violation names a blob by its bare scheme, which a policy writes with a colon.
  const source = blocked === "blob" || blocked === "data" ? `${blocked}:` : (blocked ?? "");
  if (directive !== undefined) return new CspBlockedError([`${directive} ${source}`.trim()]);
  return new WorkerStartError(message, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
