import { z } from "zod";

import { connectBridge, type BridgeConnection, type BridgeHandler } from "../bridge/index.js";
import {
  BootReport,
  Completion,
  createMailbox,
  encodeValue,
  ProtocolViolationError,
  RunReply,
  type OutputChunk,
  type PyodideFiles,
  type TransportKind,
  type TrustLevel,
  type Value,
  VitrineError,
} from "../protocol/index.js";
import { CspBlockedError, TrustUnavailableError, WorkerLostError, WorkerStartError } from "./errors.js";
import type { Executor, ExecutorCapabilities, ExecutorOutcome, ExecutorRun, StartOptions } from "./executor.js";
import { pageHost } from "./hosts/page-host.js";
import { sealedFrameHost } from "./hosts/sealed-frame-host.js";
import type { SpawnedWorker, WorkerHost } from "./hosts/worker-host.js";
import { InvocationAbandonedError, Invocations } from "./invocations.js";
import { loadPyodideFiles, type LoadProgress } from "./pyodide-files.js";

/** Milliseconds after which an interrupt is sent again, and after which code that resists is killed. */
const REPEAT_AFTER = 250;
const KILL_AFTER = 1000;

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

interface Live {
  readonly spawned: SpawnedWorker;
  readonly bridge: BridgeConnection;
}

interface CurrentRun {
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
  #live: Live | undefined;
  #run: CurrentRun | undefined;
  #stopTimers: ReturnType<typeof setTimeout>[] = [];

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
    return this.#live !== undefined;
  }

  async start({ handlers, onProgress = () => undefined }: StartOptions): Promise<void> {
    if (this.#live !== undefined) return;
    const [files, spawned] = await settled([this.#loadFiles(onProgress), this.#spawn()]);
    const mailbox = this.#host.kind === "page" && globalThis.crossOriginIsolated ? createMailbox() : null;
    const bridge = connectBridge(spawned.port, {
      handlers: new Map<string, BridgeHandler>([...handlers, ["invoke.end", (args) => this.#invocations.end(args)]]),
      onOutput: (chunks) => this.#run?.onOutput(chunks),
      onViolation: (error) => {
        this.#lose("violation", error);
      },
      mailbox,
    });
    const live = { spawned, bridge };
    const lost = spawned.lost.then((error) => {
      throw error;
    });
    lost.catch((error: unknown) => {
      if (this.#live === live) this.#lose("crashed", new WorkerLostError(messageOf(error)));
    });
    try {
      const request = { pyodide: files, trust: this.#trust, mailbox, transport: this.#transport };
      const report = BootReport.parse(await Promise.race([bridge.worker.boot(request), lost]));
      if (report.transport === "shared-memory") bridge.useMailbox();
      this.#capabilities = this.#describe(report);
      this.#live = live;
    } catch (error) {
      shutDown(live);
      throw startError(error);
    }
  }

  async run({ onOutput, ...request }: ExecutorRun): Promise<ExecutorOutcome> {
    const { bridge } = this.#started();
    const { promise: outcome, resolve: end } = Promise.withResolvers<ExecutorOutcome>();
    this.#run = { onOutput, end };
    const overdue =
      request.timeout === null
        ? undefined
        : setTimeout(() => {
            this.#lose("timeout", new WorkerLostError("the code did not heed its deadline"));
          }, request.timeout + KILL_AFTER);
    bridge.worker.run(request).then(
      (reply) => {
        const parsed = RunReply.safeParse(reply);
        if (parsed.success) end({ kind: "replied", reply: parsed.data });
        else this.#lose("violation", new ProtocolViolationError("a reply of unknown form"));
      },
      (error: unknown) => {
        this.#lose("crashed", new WorkerLostError(messageOf(error)));
      },
    );
    try {
      return await outcome;
    } finally {
      clearTimeout(overdue);
      this.#clearStopTimers();
      this.#run = undefined;
      this.#invocations.abandon("the run is over");
    }
  }

  interrupt(): void {
    const live = this.#live;
    if (live === undefined || this.#run === undefined || this.#stopTimers.length > 0) return;
    const ask = (): void => {
      live.bridge.send({ kind: "interrupt" });
    };
    ask();
    this.#stopTimers = [
      setTimeout(ask, REPEAT_AFTER),
      setTimeout(() => {
        this.#lose("stopped", new WorkerLostError("the code did not heed the request to stop"));
      }, KILL_AFTER),
    ];
  }

  invokeSkill(name: string, args: Readonly<Record<string, Value>>, parent: string): Promise<Value> {
    return this.#invoke({ function: "run_skill", arguments: { name, arguments: args }, parent });
  }

  #invoke(invocation: Readonly<Record<string, Value>>): Promise<Value> {
    const { bridge } = this.#started();
    const { id, result } = this.#invocations.begin();
    bridge.send({ kind: "invoke", id, payload: encodeValue(invocation) });
    return result;
  }

  async complete(code: string): Promise<Completion> {
    return Completion.parse(await this.#started().bridge.worker.complete(code));
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
    return z.string().parse(await this.#started().bridge.worker.inspectSkill(name, source));
  }

  stop(): void {
    this.#lose("stopped", new WorkerLostError("it was ended"));
  }

  async #spawn(): Promise<SpawnedWorker> {
    // A fifth of the library's size, and needed only once a session opens.
    const { default: workerSource } = await import("virtual:executor-worker");
    return this.#host.spawn(workerSource);
  }

  #started(): Live {
    if (this.#live === undefined) throw new WorkerLostError("it was not started, or was ended");
    return this.#live;
  }

  #lose(reason: "timeout" | "stopped" | "crashed" | "violation", cause: Error): void {
    if (this.#live !== undefined) shutDown(this.#live);
    this.#live = undefined;
    this.#clearStopTimers();
    this.#invocations.abandon(cause.message);
    this.#run?.end({ kind: "lost", reason, cause });
  }

  #clearStopTimers(): void {
    for (const timer of this.#stopTimers) clearTimeout(timer);
    this.#stopTimers = [];
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
      return pageHost();
    case "sandboxed":
      return sealedFrameHost();
    case "isolated":
      throw new TrustUnavailableError(trust);
  }
}

/** Both or neither: when the files cannot be had, the worker that was spawned meanwhile is ended. */
async function settled(parts: [Promise<PyodideFiles>, Promise<SpawnedWorker>]): Promise<[PyodideFiles, SpawnedWorker]> {
  try {
    return await Promise.all(parts);
  } catch (error) {
    void parts[1].then(
      (spawned) => {
        spawned.terminate();
      },
      () => undefined,
    );
    throw error;
  }
}

function shutDown({ spawned, bridge }: Live): void {
  bridge.close();
  spawned.terminate();
}

/** The worker's errors arrive as plain text; a policy that refused something says so at its beginning. */
function startError(error: unknown): Error {
  if (error instanceof VitrineError) return error;
  const message = messageOf(error);
  const [, directive, blocked] = /CSP_BLOCKED (\S+) (\S*)/.exec(message) ?? [];
  if (directive !== undefined) return new CspBlockedError([`${directive} ${blocked ?? ""}`.trim()]);
  return new WorkerStartError(message, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
