import { z } from "zod";

import { forbiddenHeaderReason } from "../requests/forbidden-headers.js";
import type { YamlSource } from "../yaml/yaml-source.js";

/** When a request is made again. Times in milliseconds. */
export interface RetryRule {
  /** Requests of one call, the first included. */
  readonly attempts: number;
  readonly statuses: readonly number[];
  /** Before the second request; doubled before each further one, less up to a half by chance. */
  readonly delay: number;
  /** A service that asks for more patience gets none: its answer is the error. */
  readonly maxDelay: number;
  /** The header under which every request of a call carries the same key, so that the service carries it out once. */
  readonly idempotencyKey: string | undefined;
}

export const DEFAULT_RETRY: RetryRule = {
  attempts: 3,
  statuses: [429, 502, 503, 504],
  delay: 500,
  maxDelay: 30_000,
  idempotencyKey: undefined,
};

/** `retry:` of a tool file; times in seconds. */
export const RetryField = z
  .strictObject({
    attempts: z.int().min(1).max(10).optional(),
    statuses: z.array(z.int().min(400).max(599)).optional(),
    delay: z.number().min(0).max(3600).optional(),
    max_delay: z.number().min(0).max(3600).optional(),
    idempotency_key: z.string().min(1).optional(),
  })
  .nullish();
export type RetryField = z.infer<typeof RetryField>;

/** @throws {ToolFileError} for a header that browsers refuse. */
export function readRetry(
  source: YamlSource,
  { path, field, base }: { readonly path: readonly string[]; readonly field: RetryField; readonly base: RetryRule },
): RetryRule {
  if (field === undefined || field === null) return base;
  const key = field.idempotency_key;
  const forbidden = key === undefined ? undefined : forbiddenHeaderReason(key);
  if (forbidden !== undefined) throw source.error([...path, "idempotency_key"], forbidden);
  return {
    attempts: field.attempts ?? base.attempts,
    statuses: field.statuses ?? base.statuses,
    delay: field.delay === undefined ? base.delay : field.delay * 1000,
    maxDelay: field.max_delay === undefined ? base.maxDelay : field.max_delay * 1000,
    idempotencyKey: key ?? base.idempotencyKey,
  };
}

/** Milliseconds before request number `attempt` + 1; undefined when the service wants to be left alone for longer. */
export function delayBefore(rule: RetryRule, attempt: number, wanted: number | undefined): number | undefined {
  const own = Math.min(rule.maxDelay, rule.delay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
  if (wanted === undefined) return own;
  return wanted > rule.maxDelay ? undefined : Math.max(wanted, own);
}

/** Milliseconds that an answer asks to wait; undefined when it does not, or CORS keeps the header from the page. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

/** @throws what the signal was aborted with. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      signal.removeEventListener("abort", abort);
      resolve();
    }
    function abort(): void {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new DOMException("The wait was given up.", "AbortError"));
    }
    signal.addEventListener("abort", abort, { once: true });
  });
}
