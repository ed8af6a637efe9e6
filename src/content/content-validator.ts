import { sealedFrameHost, type WorkerHost } from "../executor/index.js";
import {
  OnDemand,
  unlessAborted,
  type ContentFinding,
  type ContentLimits,
  type ContentOddity,
} from "../protocol/index.js";
import { readClaim, textFormats, type ContentClaim, type ReadClaim } from "./content-format.js";
import { ContentWorker } from "./content-worker.js";
import { ContentCheckEndedError } from "./errors.js";
import type { ContentDepth, ContentReport } from "./report.js";

/** What is validated, and what it is said to be. */
export type ContentSource = ContentClaim &
  ({ readonly bytes: Uint8Array; readonly text?: undefined } | { readonly text: string; readonly bytes?: undefined });

/** How long and how deep content is looked at. */
export interface ValidateContentOptions {
  /** Gives the validation up, which ends its worker. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the defaults. */
  readonly limits?: Partial<ContentLimits> | undefined;
}

export interface ContentValidatorOptions {
  /** Where the worker is spawned. Default: a sealed frame. */
  readonly host?: WorkerHost;
  /** Milliseconds after which a worker with nothing to do is ended. Default 30,000. */
  readonly idle?: number;
}

const defaults: ContentLimits = {
  bytes: 50e6,
  expandedBytes: 200e6,
  expansion: 200,
  depth: 200,
  parts: 5_000_000,
  pixels: 100e6,
  time: 10_000,
};

/**
 * Looks into content, in a worker that the first validation starts: one after the other, a new worker after one that
 * had to be ended, none while there is nothing to do.
 */
export class ContentValidator {
  readonly #idle: number;
  readonly #worker: OnDemand<ContentWorker>;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #stopping = new AbortController();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor({ host = sealedFrameHost(), idle = 30_000 }: ContentValidatorOptions = {}) {
    this.#idle = idle;
    this.#worker = new OnDemand(() => ContentWorker.start(host));
  }

  /**
   * Bad content is a report and no error.
   *
   * @throws {ContentCheckEndedError} when the signal is aborted, or the validator stopped.
   * @throws {WorkerStartError} @throws {CspBlockedError} where the page allows no sealed worker.
   */
  async validate(source: ContentSource, options: ValidateContentOptions = {}): Promise<ContentReport> {
    const signal = AbortSignal.any([this.#stopping.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    throwIfAborted(signal);
    const limits = { ...defaults, ...options.limits };
    const claim = readClaim(source);
    const content = source.bytes ?? source.text;
    const format = claim.format === "unknown" && typeof content === "string" ? "text" : claim.format;
    const size = typeof content === "string" ? new Blob([content]).size : content.byteLength;
    const looked = { format, size, oddities: contradictions(claim) };
    if (size === 0) return report({ kind: "fault", code: "empty_file", reason: "" }, looked);
    if (size > limits.bytes) {
      const reason = `${String(size)} bytes, of which ${String(limits.bytes)} at most are looked at`;
      return report({ kind: "fault", code: "too_large", reason }, looked);
    }
    if (format === "unknown") return report({ kind: "readable", facts: { format }, oddities: [] }, looked);
    const order = { format, content: typeof content === "string" ? content : new Uint8Array(content), limits };
    const finding = await this.#inTurn(async () => (await this.#worker.running()).check(order, signal), signal);
    return report(finding, looked);
  }

  /** Ends the worker and all validations that wait for it. A later one starts another. */
  stop(): void {
    this.#stopping.abort(new ContentCheckEndedError("the validator was stopped"));
    this.#stopping = new AbortController();
    this.#endWorker();
  }

  #endWorker(): void {
    clearTimeout(this.#idleTimer);
    this.#worker.stop((worker) => {
      worker.end();
    });
  }

  /** One content after the other: a worker that computes hears nothing. */
  async #inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    clearTimeout(this.#idleTimer);
    this.#waiting += 1;
    const turn = this.#last.then(() => {
      throwIfAborted(signal);
      return work();
    });
    this.#last = turn.catch(() => undefined);
    try {
      return await unlessAborted(turn, signal, () => ContentCheckEndedError.from(signal));
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#idleTimer = setTimeout(() => this.#endWorker(), this.#idle);
    }
  }
}

interface Looked {
  readonly format: ReadClaim["format"];
  readonly size: number;
  /** Of what is said about it, apart from what is in it. */
  readonly oddities: readonly ContentOddity[];
}

function report(finding: ContentFinding, { format, size, oddities }: Looked): ContentReport {
  if (finding.kind === "fault") {
    const { code, reason, line, column } = finding;
    const message = reason === "" ? code : `${code}: ${reason}`;
    return {
      ...{ kind: "invalid", format, size, code, message },
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    };
  }
  const warnings = [...oddities, ...finding.oddities];
  const sound = { format, size, checked: depthOf(format), facts: finding.facts };
  return warnings.length === 0 ? { kind: "valid", ...sound } : { kind: "warning", ...sound, warnings };
}

function depthOf(format: ReadClaim["format"]): ContentDepth {
  if (format === "unknown") return "size";
  if (format === "text" || format === "mermaid") return "text";
  return textFormats.has(format) || ["png", "pdf", "xlsx", "zip"].includes(format) ? "content" : "signature";
}

function contradictions({ format, otherMime, otherEnding }: ReadClaim): readonly ContentOddity[] {
  const oddities: ContentOddity[] = [];
  if (otherMime !== undefined) {
    oddities.push({
      code: "mime_mismatch",
      message: `its MIME type means ${otherMime}, and it is said to be ${format}`,
    });
  }
  if (otherEnding !== undefined) {
    oddities.push({
      code: "ending_mismatch",
      message: `its name ends like ${otherEnding}, and it is said to be ${format}`,
    });
  }
  return oddities;
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw ContentCheckEndedError.from(signal);
}
