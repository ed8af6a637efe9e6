import type { CheckRequest } from "./check-messages.js";
import type {
  BootReport,
  BootRequest,
  BridgeRequest,
  OutputChunk,
  PrepareReport,
  PrepareRequest,
  PyodideFiles,
  RunContext,
  RunPhase,
  RunRequest,
  SentEvent,
} from "./messages.js";

/** What the page may ask of the worker, over Comlink. */
export interface WorkerApi {
  /** Makes an interpreter. Comes first, and once. */
  prepare(request: PrepareRequest): Promise<PrepareReport>;
  /** Makes a base snapshot. The worker is of no other use then. */
  makeBaseSnapshot(files: PyodideFiles): Promise<Uint8Array<ArrayBuffer>>;
  /** Sees ahead of `boot`, where it takes time that somebody waits for, whether these blob URLs can be read. */
  tryBlobUrls(blobBatch: readonly string[]): void;
  /** Makes the prepared interpreter that of a session. Once. */
  boot(request: BootRequest): BootReport;
  /** Runs code: a `RunReply`, of which the worker has not looked at what Python says. */
  run(request: RunRequest, context: RunContext): Promise<unknown>;
  /** Completes the name that `code` ends with: a `Completion`, as Python says it. */
  complete(code: string): Promise<unknown>;
  /** Looks for mistakes in pieces of code without running them: `CheckReports`, as Python says them. */
  check(requests: readonly CheckRequest[]): Promise<unknown>;
  /** Describes a skill without running it. Answers with JSON text: `{ok}` or `{error: {name, message, line}}`. */
  inspectSkill(name: string, source: string): Promise<string>;
  /** Hands over an event that did not come by the transport's own way. */
  deliver(event: SentEvent): void | Promise<void>;
}

/** What the worker may ask of the page. Nothing else gets through the gate. */
export interface PageApi {
  /** Resolves with the answer where the transport is JSPI, with undefined where it comes another way. */
  request(request: BridgeRequest): Promise<SentEvent | undefined>;
  output(chunks: readonly OutputChunk[]): void;
  /**
   * The code of a run begins, or has ended and its reply is being made: between the two its deadline counts, but for
   * the time in which it waits and the page has stopped its clock.
   */
  phase(runId: string, phase: RunPhase): void;
  /** The mail of the blob channel with this number has been read. */
  taken(mail: number): void;
}
