import type { PackageContent } from "../../deps/index.js";
import { WorkerExecutor, type Executor } from "../../executor/index.js";
import { decodeValueInSlices, messageOf, unlessAborted, type Value } from "../../protocol/index.js";
import { SessionClosedError, TextInterpreterError } from "../errors.js";
import type { SessionOptions } from "../session-options.js";
import { newRunId } from "./run-plan.js";

/** Milliseconds that an interpreter may take to start. */
const START_LIMIT = 60_000;

/** Milliseconds after which one that has nothing to do is ended. */
const IDLE = 120_000;

/** Milliseconds that Python may work on one question. */
const WORK_LIMIT = 20_000;

/** Bytes. */
const LARGEST_VALUE = 2 ** 26;

/** What is to be done with an interpreter. */
export interface PythonWork<T> {
  /** All that it has beside the standard library. */
  readonly wheels: readonly PackageContent[];
  readonly work: (executor: Executor) => Promise<T>;
  /** Ends the wait for it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * An interpreter beside the session's own: sealed, without tools, files and storage. It is started when it is needed, works
 * on one question after the other, and is ended when it had nothing to do for a while.
 */
export class SealedPython {
  readonly #executor: Executor;
  readonly #idle: number;
  #packages = "";
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** @param options - of the session, as far as they say where an interpreter comes from. */
  constructor(options: SessionOptions, { idle = IDLE }: { readonly idle?: number } = {}) {
    this.#executor = new WorkerExecutor(executorOptions(options));
    this.#idle = idle;
  }

  /** Whether there is an interpreter now. */
  get isStarted(): boolean {
    return this.#executor.isStarted;
  }

  /** Whether something is done with it, or waits. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Does it after what was asked for before. @throws {TextInterpreterError} @throws {SessionClosedError} */
  async use<T>({ wheels, work, signal }: PythonWork<T>): Promise<T> {
    signal?.throwIfAborted();
    clearTimeout(this.#idleTimer);
    this.#waiting += 1;
    const turn = this.#last.then(async () => {
      signal?.throwIfAborted();
      await this.#start(wheels);
      return work(this.#executor);
    });
    this.#last = turn.catch(() => undefined).then(() => this.#rest());
    try {
      return await (signal === undefined ? turn : unlessAborted(turn, signal));
    } catch (error) {
      if (signal?.aborted === true || error instanceof SessionClosedError) throw error;
      throw asTextInterpreterError(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    this.#executor.close("the session was closed");
  }

  #rest(): void {
    this.#waiting -= 1;
    if (this.#waiting > 0 || this.#isClosed) return;
    this.#idleTimer = setTimeout(() => {
      this.#executor.stop("it had nothing to do");
    }, this.#idle);
  }

  async #start(wheels: readonly PackageContent[]): Promise<void> {
    if (this.#isClosed) throw new SessionClosedError();
    const packages = wheels
      .map(({ filename, sha256 }) => `${filename} ${sha256}`)
      .sort()
      .join("\n");
    if (packages !== this.#packages) this.#executor.stop("other packages are wanted");
    this.#packages = packages;
    const late = setTimeout(() => {
      this.#executor.stop(`it did not start within ${String(START_LIMIT / 1000)} seconds`);
    }, START_LIMIT);
    try {
      await this.#executor.start({ handlers: new Map(), wheels: () => wheels });
    } finally {
      clearTimeout(late);
    }
  }
}

/** What work with such an interpreter failed with. */
export function asTextInterpreterError(error: unknown): TextInterpreterError {
  return error instanceof TextInterpreterError ? error : new TextInterpreterError(messageOf(error), { cause: error });
}

interface PythonCall {
  /** Of a module. */
  readonly source: string;
  /** The name of a function of it, which takes JSON. */
  readonly name: string;
  readonly given: unknown;
  /** Milliseconds that it may take. Default 20,000. */
  readonly limit?: number;
}

/** Calls a function. @throws {TextInterpreterError} */
export async function callPython(
  executor: Executor,
  { source, name, given, limit = WORK_LIMIT }: PythonCall,
): Promise<Value> {
  const outcome = await executor.run(
    {
      runId: newRunId(),
      // JSON in JSON is a text for Python, too.
      code: `${source}\n${name}(${JSON.stringify(JSON.stringify(given))})`,
      filename: `<${name}>`,
      timeout: limit,
      helpers: { kind: "none" },
      imports: null,
      maxValueSize: LARGEST_VALUE,
      outputBytes: LARGEST_VALUE,
      heapGrowth: null,
      maxOpenCalls: 1,
      autoInstall: false,
      toolCall: null,
    },
    { files: [], toolsVersion: 1, onOutput: () => undefined, onInterrupt: () => undefined },
  );
  if (outcome.kind === "lost") throw new TextInterpreterError(outcome.cause.message, { cause: outcome.cause });
  const { error, value } = outcome.reply;
  if (error !== null) throw new TextInterpreterError(`${error.pythonType}: ${error.message}`);
  return value === null ? null : decodeValueInSlices(value);
}

/** Always of the highest level. A host is for sessions of one level, and a spare is the session's own. */
function executorOptions(options: SessionOptions): ConstructorParameters<typeof WorkerExecutor>[0] {
  const { trust = "sandboxed", host, transport, pyodideBaseURL, limits = {}, useSnapshot, onProblem } = options;
  return {
    trust: "sandboxed",
    ...(limits.heapSize === undefined ? {} : { heapLimit: limits.heapSize }),
    ...(pyodideBaseURL === undefined ? {} : { pyodideBaseURL }),
    ...(host === undefined || trust !== "sandboxed" ? {} : { host }),
    ...(transport === undefined ? {} : { transport }),
    ...(useSnapshot === undefined ? {} : { useSnapshot }),
    ...(onProblem === undefined ? {} : { onProblem }),
  };
}
