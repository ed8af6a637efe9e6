import type { BridgeContext, BridgeHandler } from "../bridge/index.js";
import type { Executor, ExecutorOutcome, LoadProgress } from "../executor/index.js";
import { decodeValue, type EncodedValue, type RunErrorData, type RunReply, type Value } from "../protocol/index.js";
import type { WorkspaceMirror } from "../workspace/index.js";
import { NoRunError } from "./errors.js";
import type { CallOrigin } from "./operations.js";
import { OutputCollector } from "./output-collector.js";
import { RunError, type RunResult } from "./run-result.js";
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
  readonly valueSize: number;
  readonly onOutput: RunOptions["onOutput"];
  readonly onCall: RunOptions["onCall"];
}

interface CurrentRun {
  readonly id: string;
  readonly ended: AbortController;
}

const LOST =
  "The interpreter was restarted: its variables are gone. Stored artifacts, skills and files are still there.";

/** Runs code in the executor, one piece at a time, and brings storage and interpreter level before and after. */
export class InterpreterRuns {
  readonly #executor: Executor;
  readonly #services: Services;
  readonly #handlers: ReadonlyMap<string, BridgeHandler>;
  readonly #onProgress: ((progress: LoadProgress) => void) | undefined;
  #mirror: WorkspaceMirror | undefined;
  #current: CurrentRun | undefined;
  #starting: Promise<void> | undefined;

  constructor(
    executor: Executor,
    parts: {
      services: Services;
      handlers: (originOf: (context: BridgeContext) => CallOrigin) => ReadonlyMap<string, BridgeHandler>;
      onProgress: ((progress: LoadProgress) => void) | undefined;
    },
  ) {
    this.#executor = executor;
    this.#services = parts.services;
    this.#handlers = parts.handlers((context) => this.#originOf(context));
    this.#onProgress = parts.onProgress;
  }

  /** Starts the interpreter if there is none. Whoever asks meanwhile waits for the same start. */
  async start(): Promise<void> {
    if (this.#executor.isStarted) return;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  async run(planned: PlannedRun): Promise<RunResult> {
    await this.start();
    const { registry, workspace, trust, dispatcher } = this.#services;
    this.#mirror ??= workspace.mirror(trust);
    const mirror = this.#mirror;
    const collector = new OutputCollector({ limit: planned.outputLength, onOutput: planned.onOutput });
    const stopListening = dispatcher.onCall((entry) => {
      if (entry.runId === planned.id) planned.onCall?.(entry);
    });
    const current: CurrentRun = { id: planned.id, ended: new AbortController() };
    this.#current = current;
    const started = performance.now();
    try {
      const { code, id: runId, timeout, helpers, valueSize: maxValueSize } = planned;
      const outcome = await this.#executor.run({
        runId,
        code,
        filename: `<${planned.name}>`,
        timeout,
        maxValueSize,
        helpers,
        toolsVersion: registry.version,
        files: await mirror.takeChanges(),
        onOutput: (chunks) => {
          collector.take(chunks);
        },
      });
      const files = outcome.kind === "replied" ? await storeFiles(mirror, outcome.reply) : [];
      return await this.#result(planned, { outcome, collector, files, elapsed: performance.now() - started });
    } finally {
      this.#current = undefined;
      // Calls that nobody waits for any more are told so.
      current.ended.abort();
      this.#services.skillRuns.endRun(planned.id);
      stopListening();
    }
  }

  async #start(): Promise<void> {
    // A new interpreter has an empty workspace.
    this.#mirror = undefined;
    await this.#executor.start({
      handlers: this.#handlers,
      ...(this.#onProgress === undefined ? {} : { onProgress: this.#onProgress }),
    });
  }

  #originOf({ runId, parent }: BridgeContext): CallOrigin {
    const current = this.#current;
    if (current?.id !== runId) throw new NoRunError();
    const openParent = this.#services.operations.openCall(parent);
    return { runId, parent: openParent, caller: "code", signal: current.ended.signal };
  }

  async #result(
    planned: PlannedRun,
    parts: { outcome: ExecutorOutcome; collector: OutputCollector; files: readonly string[]; elapsed: number },
  ): Promise<RunResult> {
    const { outcome, collector } = parts;
    const keep = (stream: string, text: string): Promise<string> =>
      this.#services.outputs.keep(`${planned.id}-${stream}.txt`, text);
    const stdout = await collector.finish("stdout", keep);
    const stderr = await collector.finish("stderr", keep);
    const reply = outcome.kind === "replied" ? outcome.reply : undefined;
    const error = outcome.kind === "lost" ? lostError(outcome, planned.timeout) : outcome.reply.error;
    const notices = [stdout.notice, stderr.notice, ...parts.files];
    if (outcome.kind === "lost") notices.push(LOST);
    if (reply !== undefined && reply.fullValue !== null) {
      const name = await keep("value", reply.fullValue.text);
      notices.push(`The value was too large to show; all of it is in ${name}.`);
    }
    return {
      runId: planned.id,
      value: decoded(reply?.value),
      valueRepr: reply?.valueRepr ?? null,
      stdout: stdout.text,
      stderr: stderr.text,
      outputs: collector.displays,
      error: error === null ? null : new RunError(error),
      ok: error === null,
      elapsed: reply?.elapsed ?? parts.elapsed,
      calls: this.#services.journal.forRun(planned.id),
      finalAnswer: reply?.finalAnswer
        ? { value: decodeValue(reply.finalAnswer.value), text: reply.finalAnswer.text }
        : null,
      notices: notices.filter((notice) => notice !== undefined),
    };
  }
}

function decoded(encoded: EncodedValue | null | undefined): Value {
  return encoded ? decodeValue(encoded) : null;
}

/** Takes over what the run wrote into the workspace. @returns what the person should know of it. */
async function storeFiles(mirror: WorkspaceMirror, { files }: RunReply): Promise<string[]> {
  try {
    const { conflicts, problems } = await mirror.applyChanges(files);
    return [
      ...conflicts.map(({ path, keptAs }) =>
        keptAs === null
          ? `${path} was deleted by the code and changed on the page meanwhile; it was kept.`
          : `${path} was changed on the page while the code ran; the code's version is in ${keptAs}.`,
      ),
      ...problems.map(({ file, message }) => `${file} was not kept: ${message}`),
    ];
  } catch (error) {
    return [`The files of /workspace could not be kept: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function lostError(
  { reason, cause }: Extract<ExecutorOutcome, { kind: "lost" }>,
  timeout: number | null,
): RunErrorData {
  const lost = "The code did not stop by itself, so the interpreter was ended and its variables are gone.";
  if (reason === "timeout") {
    const message = `Execution timeout after ${String((timeout ?? 0) / 1000)} seconds. ${lost}`;
    return { code: "RUN_TIMEOUT", pythonType: "RunTimeoutError", message, traceback: "" };
  }
  if (reason === "stopped") {
    return {
      code: "RUN_INTERRUPTED",
      pythonType: "RunInterruptedError",
      message: `The run was stopped. ${lost}`,
      traceback: "",
    };
  }
  const code = reason === "crashed" ? "WORKER_LOST" : "PROTOCOL_VIOLATION";
  return { code, pythonType: cause.name, message: cause.message, traceback: "" };
}
