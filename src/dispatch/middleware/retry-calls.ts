import { optionCheck } from "../../options/index.js";
import { VitrineError, type Value } from "../../protocol/index.js";
import type { Call, Stage } from "../call.js";
import { callSelector, fullName, type CallPattern } from "../call-pattern.js";
import { CallCancelledError } from "../errors.js";

/** Which calls are made again, how often, and after how many milliseconds. */
export interface RetryOptions {
  /** Which calls. Default: `tools`, all of them that are hinted. */
  readonly calls?: CallPattern | readonly CallPattern[];
  /** How often a call is made at the most, the first time included. Default 3. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt; before each further one twice as many. Default 250. */
  readonly delay?: number;
  /** Milliseconds that a wait is never longer than. Default 10,000. */
  readonly maxDelay?: number;
  /**
   * Whether an error may pass. Asked only about errors that are retried by default: failures of the tool, its timeouts,
   * and of the answers of HTTP those with 408, 425, 429 and from 500 on.
   */
  readonly isPassing?: (error: unknown, call: Call) => boolean;
}

const checkOptions = optionCheck<RetryOptions>("retryCalls", {
  calls: "any?",
  attempts: "number?",
  delay: "number?",
  maxDelay: "number?",
  isPassing: "function?",
});

/** Codes of ours after which the same call may go well. */
const PASSING = new Set(["TOOL_CALL", "TOOL_TIMEOUT", "MCP_CONNECTION"]);

/**
 * Makes a call of a tool again when it failed, if it is hinted `readOnly` or `idempotent`. Never after a no of the
 * policy or a person, after arguments that do not fit, or when the run was stopped. The journal has the number of
 * attempts and why the earlier ones failed.
 *
 * An adapter may retry for itself, HTTP tools do: then the attempts multiply.
 *
 * @throws {CallPatternError} for a pattern that fits no call. @throws {RangeError} for fewer than one attempt.
 */
export function retryCalls(options: RetryOptions = {}): Stage {
  checkOptions(options);
  const { attempts = 3, delay = 250, maxDelay = 10_000, isPassing = () => true } = options;
  if (!(attempts >= 1)) throw new RangeError(`\`attempts\` of retryCalls is at least 1, not ${String(attempts)}.`);
  const isMeant = callSelector(options.calls ?? "tools");
  return async (call, next) => {
    if (!isMeant(call) || !isRepeatable(call)) return next(call);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(call);
      } catch (error) {
        if (attempt >= attempts || call.signal.aborted || !mayPass(error) || !isPassing(error, call)) throw error;
        await pause(Math.min(maxDelay, delay * 2 ** (attempt - 1)), call);
      }
    }
  };
}

function isRepeatable({ namespace, hints }: Call): boolean {
  return namespace === "tools" && (hints.readOnly === true || hints.idempotent === true);
}

function mayPass(error: unknown): boolean {
  // An adapter that throws something of its own failed; what is ours says what it is.
  if (!(error instanceof VitrineError)) return true;
  if (!PASSING.has(error.code)) return false;
  const status = statusOf(error.details());
  return status === undefined || status >= 500 || [408, 425, 429].includes(status);
}

function statusOf({ status }: Readonly<Record<string, Value>>): number | undefined {
  return typeof status === "number" ? status : undefined;
}

function pause(duration: number, call: Call): Promise<void> {
  const { signal } = call;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new CallCancelledError(fullName(call)));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, duration);
    signal.addEventListener("abort", stop, { once: true });
  });
}
