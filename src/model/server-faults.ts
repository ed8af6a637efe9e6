import { z } from "zod";

import { shortenUnits } from "../protocol/index.js";
import { readContextLength, type ContextLength } from "./context-length.js";
import {
  ModelAuthError,
  ModelContextError,
  ModelQuotaError,
  ModelRateLimitError,
  ModelRequestError,
  ModelResponseError,
  ModelServerError,
  type ModelAddress,
  type ModelError,
} from "./errors.js";
import { SecretFilter } from "./secret-filter.js";

/** What a server says went wrong, whichever of the shapes that are about it came in. */
export interface ServerFault {
  /** Null for an error inside a stream that names no status. */
  readonly status: number | null;
  /** `code` and `type`, as far as they are words. */
  readonly codes: readonly string[];
  /** The parameter that is to blame, where the server names one. */
  readonly parameter: string;
  /** What the server wrote, whole. */
  readonly text: string;
  /** The error as it came. */
  readonly detail: unknown;
  /** Milliseconds. */
  readonly retryAfter: number | null;
}

/** What a server answered, before anything is known of it. */
export interface RawFault {
  readonly status: number | null;
  readonly text: string;
  readonly detail: unknown;
  readonly headers: Headers | undefined;
}

const ErrorDetail = z.looseObject({
  message: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  type: z.string().nullish().catch(null),
  param: z.string().nullish().catch(null),
});

/** Turns what a server says went wrong into errors that say whose fault it is. */
export class ServerFaults {
  readonly #address: ModelAddress;
  readonly #apiKey: string;

  constructor(address: ModelAddress, apiKey: string) {
    this.#address = address;
    this.#apiKey = apiKey;
  }

  read(raw: RawFault): ServerFault {
    const { code, type, param } = ErrorDetail.catch({}).parse(raw.detail);
    return {
      // An error inside a stream has no status of its own; OpenRouter puts one into `code`.
      status: raw.status ?? (Number(code) >= 400 ? Number(code) : null),
      codes: [code, type].filter((each) => typeof each === "string"),
      parameter: param ?? "",
      text: raw.text,
      detail: raw.detail,
      retryAfter: readRetryAfter(raw.headers) ?? readWait(raw.text),
    };
  }

  translate(fault: ServerFault): ModelError {
    const { status, codes, retryAfter } = fault;
    const reason = this.shorten(fault.text);
    const address = this.#address;
    if (status === 401 || status === 403) {
      return new ModelAuthError(address, { status, reason, hasKey: this.#apiKey !== "" });
    }
    if (isUsedUp(fault)) return new ModelQuotaError(address, { status, reason });
    const context = readContextLength(fault);
    if (context !== null) return new ModelContextError(address, { reason, ...context });
    if (status === 429 || codes.some((code) => /rate_?limit/i.test(code))) {
      return new ModelRateLimitError(address, { reason, retryAfter });
    }
    // Groq: what the model wrote as a call could not be read, so there is no reply.
    if (codes.includes("tool_use_failed")) {
      return new ModelResponseError(address, `the model wrote a tool call that its server cannot read (${reason})`);
    }
    if (status !== null && status < 500) return new ModelRequestError(address, { status, reason, retryAfter });
    return new ModelServerError(address, { status, reason, retryAfter });
  }

  /** For a person: one line, without the key. */
  shorten(text: string): string {
    const clean = new SecretFilter(this.#apiKey).strike(text).replace(/\s+/g, " ").trim();
    if (/^<(!doctype|html)/i.test(clean)) return "an HTML page";
    return shortenUnits(clean, 300);
  }
}

/** The context of `fault`, if it is about that. */
export function contextOf(fault: ServerFault): ContextLength | null {
  const isOther = fault.status === 401 || fault.status === 403 || isUsedUp(fault);
  return isOther ? null : readContextLength(fault);
}

/** OpenAI answers 429 to an empty account, too; OpenRouter, DeepSeek and others 402. */
function isUsedUp({ status, codes, text }: ServerFault): boolean {
  if (status === 402) return true;
  const words = /insufficient_quota|insufficient_balance|billing_hard_limit|credit_balance/;
  if (codes.some((code) => words.test(code))) return true;
  return status === 429 && /exceeded your current quota|insufficient (balance|credits)/i.test(text);
}

export function textOf(detail: unknown): string | undefined {
  if (typeof detail === "string") return detail;
  const named = z.looseObject({ message: z.string() }).safeParse(detail);
  return named.success ? named.data.message : undefined;
}

/** Milliseconds. */
function readRetryAfter(headers: Headers | undefined): number | null {
  const milliseconds = Number(headers?.get("retry-after-ms") ?? NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.get("retry-after") ?? "";
  if (text === "") return null;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const until = Date.parse(text) - Date.now();
  return Number.isNaN(until) ? null : Math.max(0, until);
}

/**
 * Milliseconds. A page may read the header only where the server lets it, and OpenAI does not; but OpenAI, Groq and
 * Google say it in words: "Please try again in 1m12.5s", "in 350ms", "Please retry in 33.5s".
 */
function readWait(text: string): number | null {
  const found = /\b(?:try again|retry) in (?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)(ms|s))?/i.exec(text);
  if (found === null) return null;
  const [, hours = "0", minutes = "0", rest = "0", unit = "s"] = found;
  const wait = (Number(hours) * 3600 + Number(minutes) * 60) * 1000 + Number(rest) * (unit === "ms" ? 1 : 1000);
  return wait > 0 ? Math.ceil(wait) : null;
}
