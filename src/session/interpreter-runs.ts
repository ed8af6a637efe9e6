import type { BridgeContext, BridgeHandler } from "../bridge/index.js";
import type { Executor, ExecutorOutcome, LoadProgress, LossReason } from "../executor/index.js";
import { randomId, type RunErrorData, type RunReply } from "../protocol/index.js";
import type { WorkspaceMirror } from "../workspace/index.js";
import { NoRunError, SessionClosedError } from "./errors.js";
import type { CallOrigin } from "./operations.js";
import { OutputCollector } from "./output-collector.js";
import { assembleResult } from "./run-assembly.js";
import { failedRun, type RunResult } from "./run-result.js";
import type { Services } from "./services.js";
import type { RunOptions } from "./session.js";

/** One run, with the session's defaults filled in. */
export interface PlannedRun {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly timeout: number | null;
  readonly helpers: "none" | "agent";
  readonly outputLength: number;
  readonly outputBytes: number;
  readonly valueSize: number;
  readonly onOutput: RunOptions["onOutput"];
  readonly onCall: RunOptions["onCall"];
  /** Aborted when somebody stops this run. */
  readonly signal: AbortSignal;
}

interface RunScope {
  readonly id: string;
  readonly helpers: "none" | "agent";
  /**
   * Aborted when nobody waits for the calls made so far any more: the code is being stopped, or has ended. Code that
   * cleans up after its interrupt makes calls of a new one.
   */
  wanted: AbortController;
}

/** What a run ends with that was stopped before its code began. */
export const STOPPED_BEFORE_START: RunErrorData = {
  code: "RUN_INTERRUPTED",
  pythonType: "RunInterruptedError",
  message: "The run was stopped before it began.",
  traceback: "",
};

export interface InterpreterRunsParts {
  readonly services: Services;
  readonly handlers: (originOf: (context: BridgeContext) => CallOrigin) => ReadonlyMap<string, BridgeHandler>;
  readonly onProgress: (progress: LoadProgress) => void;
  /** The interpreter was lost while nothing ran. */
  readonly onLost: (reason: LossReason, cause: Error) => void;
}

/** Runs code in the executor, one piece at a time, and brings storage and interpreter level before and after. */
export class InterpreterRuns {
  readonly #executor: Executor;
  readonly #services: Services;
  readonly #handlers: ReadonlyMap<string, BridgeHandler>;
  readonly #parts: InterpreterRunsParts;
  #mirror: WorkspaceMirror | undefined;
  #scope: RunScope | undefined;
  #isClosed = false;
  /** Why the interpreter of the earlier runs is gone, until a result has said so. */
  #lossToTell: string | undefined;

  constructor(executor: Executor, parts: InterpreterRunsParts) {
    this.#executor = executor;
    this.#services = parts.services;
    this.#parts = parts;
    this.#handlers = parts.handlers((context) => this.#originOf(context));
  }

  /** Starts the interpreter if there is none. @throws {SessionClosedError} */
  async start(): Promise<void> {
    if (this.#isClosed) throw new SessionClosedError();
    if (this.#executor.isStarted) return;
    // A new interpreter has an empty workspace.
    this.#mirror = undefined;
    await this.#executor.start({
      handlers: this.#handlers,
      onProgress: this.#parts.onProgress,
      wheels: () => this.#services.deps.handedOut(),
      onLost: (reason, cause) => {
        if (reason !== "ended") this.#lossToTell = cause.message;
        this.#parts.onLost(reason, cause);
      },
    });
  }

  /** Ends the interpreter, and with it what runs. */
  end(why: string): void {
    this.#executor.stop(why);
  }

  /** No interpreter is started any more. */
  close(): void {
    this.#isClosed = true;
    this.#executor.close("the session was closed");
  }

  async run(planned: PlannedRun): Promise<RunResult> {
    await this.start();
    const { registry, workspace, trust, dispatcher, operations, skillRuns } = this.#services;
    this.#mirror ??= workspace.mirror(trust);
    const mirror = this.#mirror;
    const files = await mirror.takeChanges();
    if (planned.signal.aborted) return failedRun(planned.id, STOPPED_BEFORE_START);
    const collector = new OutputCollector({
      limit: planned.outputLength,
      byteLimit: planned.outputBytes,
      onOutput: planned.onOutput,
      onOverflow: () => {
        this.#executor.interrupt("output");
      },
    });
    const stopListening = dispatcher.onCall((entry) => {
      if (entry.runId === planned.id && entry.namespace !== "runs") planned.onCall?.(entry);
    });
    const scope: RunScope = { id: planned.id, helpers: planned.helpers, wanted: new AbortController() };
    const interrupt = (): void => {
      this.#executor.interrupt("stopped");
    };
    const journalled = this.#journalRun(planned);
    const started = performance.now();
    this.#scope = scope;
    let outcome: ExecutorOutcome;
    try {
      const { code, id: runId, timeout, helpers, valueSize: maxValueSize, outputBytes } = planned;
      const running = this.#executor.run({
        runId,
        code,
        filename: `<${planned.name}>`,
        timeout,
        maxValueSize,
        outputBytes,
        helpers,
        toolsVersion: registry.version,
        files,
        onOutput: (chunks) => {
          collector.take(chunks);
        },
        onInterrupt: () => {
          scope.wanted.abort();
          scope.wanted = new AbortController();
        },
      });
      planned.signal.addEventListener("abort", interrupt);
      outcome = await running;
    } finally {
      planned.signal.removeEventListener("abort", interrupt);
      this.#scope = undefined;
      // Calls that nobody waits for any more are told so, and end before the result counts them.
      scope.wanted.abort();
      skillRuns.endRun(planned.id);
      await operations.settleRun(planned.id);
      stopListening();
    }
    const notices = outcome.kind === "replied" ? await storeFiles(mirror, outcome.reply) : [];
    if (this.#lossToTell !== undefined)
      notices.unshift(`Before this run the interpreter was lost: ${this.#lossToTell}`);
    this.#lossToTell = undefined;
    const elapsed = performance.now() - started;
    const result = await assembleResult(planned, { outcome, collector, notices, elapsed, services: this.#services });
    journalled(result);
    if (outcome.kind === "lost" && outcome.reason === "violation") this.#parts.onLost("violation", outcome.cause);
    return result;
  }

  /** Runs are in the journal beside the calls they make. */
  #journalRun({ id, name, code, helpers }: PlannedRun): (result: RunResult) => void {
    const { journal, trust } = this.#services;
    const caller = helpers === "agent" ? "agent" : "code";
    const description = {
      runId: id,
      parent: null,
      caller,
      namespace: "runs",
      name,
      arguments: { code },
      trust,
    } as const;
    const { entry } = journal.begin(description, { urgent: false });
    return ({ error, elapsed }) => {
      const outcome =
        error === null
          ? ({ kind: "ok", summary: null, elapsed } as const)
          : ({ kind: "error", name: error.pythonType, code: error.code, message: error.message, elapsed } as const);
      journal.finish(entry.id, outcome, { urgent: false });
    };
  }

  #originOf({ runId, parent }: BridgeContext): CallOrigin {
    const scope = this.#scope;
    if (scope?.id !== runId) throw new NoRunError();
    const open = this.#services.operations.openCall(parent, runId);
    const asked = scope.helpers === "agent" ? "agent" : "code";
    const caller = open?.namespace === "tools" ? "tool" : asked;
    return { runId, parent: open?.id ?? null, caller, signal: scope.wanted.signal };
  }
}

/** Names for runs that no other session has. */
export function newRunId(): string {
  return `run-${randomId()}`;
}

/** Takes over what the run wrote into the workspace. @returns what the person should know of it. */
async function storeFiles(mirror: WorkspaceMirror, { files, fileProblems }: RunReply): Promise<string[]> {
  const refused = fileProblems.map(({ path, reason }) => `${path} was left out: ${reason}`);
  try {
    const { conflicts, problems } = await mirror.applyChanges(files);
    return [
      ...refused,
      ...conflicts.map(({ path, keptAs }) =>
        keptAs === null
          ? `${path} was deleted by the code and changed on the page meanwhile; it was kept.`
          : `${path} was changed on the page while the code ran; the code's version is in ${keptAs}.`,
      ),
      ...problems.map(({ file, message }) => `${file} was not kept: ${message}`),
    ];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [...refused, `The files of /workspace could not be kept: ${reason}`];
  }
}
