/** One model that was asked for a file, and how that went. */
export interface ModelAttempt {
  readonly model: string;
  readonly role: "candidate" | "fallback" | "repair" | "merge";
  /** From 1; a fallback has up to three. */
  readonly attempt: number;
  /** Null where it came to a text that could be used. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** Milliseconds. */
  readonly elapsed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether the tokens are an estimate. */
  readonly isEstimated: boolean;
}

/** What it took to come to one file. */
export interface FileTelemetry {
  readonly batchId: string;
  readonly path: string;
  readonly attempts: readonly ModelAttempt[];
  /** How often a request was made again after a failure that may pass. */
  readonly retries: number;
  /** The model whose text was taken; null where there is none. */
  readonly chosen: string | null;
  readonly arbiter: { readonly used: boolean; readonly model: string | null; readonly reason: string | null };
  /** Milliseconds, from the first request until the text was there. */
  readonly elapsed: number;
}

/** The same before it is known of which batch it is. */
export type GenerationTelemetry = Omit<FileTelemetry, "batchId">;
