import { optionCheck } from "../../options/index.js";
import type { Value } from "../../protocol/index.js";
import type { Call, CallArguments, Caller, Stage } from "../call.js";
import { callSelector, fullName, type CallPattern } from "../call-pattern.js";

/** A call, as an audit writes it down. */
export interface AuditRecord {
  /** The id of its journal entry. */
  readonly id: string;
  /** With its namespace: `tools.mail.send`. */
  readonly name: string;
  /** In full, as they were agreed to. A middleware further in may still change them. */
  readonly arguments: CallArguments;
  readonly caller: Caller;
  readonly runId: string;
  /** The call in whose course this one is made. */
  readonly parent: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** `elapsed` is in milliseconds. */
export type AuditOutcome =
  | { readonly kind: "ok"; readonly value: Value; readonly elapsed: number }
  | { readonly kind: "error"; readonly error: unknown; readonly elapsed: number };

/** Which calls are told of, and to whom. */
export interface AuditOptions {
  /** Waited for before the call goes on. What it throws ends the call: what cannot be audited does not happen. */
  readonly onBegin?: (record: AuditRecord) => void | Promise<void>;
  /**
   * Waited for before the caller gets the result. What it throws is reported as an uncaught error of the page: the call
   * has happened, and its result is not taken away.
   */
  readonly onEnd?: (record: AuditRecord, outcome: AuditOutcome) => void | Promise<void>;
  /** Which calls. Default: `*`. */
  readonly calls?: CallPattern | readonly CallPattern[];
}

const checkOptions = optionCheck<AuditOptions>("auditMiddleware", {
  onBegin: "function?",
  onEnd: "function?",
  calls: "any?",
});

/**
 * Tells the page of calls, with arguments and results in full. Calls that were refused before they came here it does
 * not see: the journal has those. As the first middleware it sees what the others make of a call as a whole.
 *
 * @throws {CallPatternError} for a pattern that fits no call.
 */
export function auditMiddleware(options: AuditOptions): Stage {
  checkOptions(options);
  const { onBegin, onEnd, calls = "*" } = options;
  const isMeant = callSelector(calls);
  return async (call, next) => {
    if (!isMeant(call)) return next(call);
    const record = recordOf(call);
    await onBegin?.(record);
    const started = performance.now();
    const end = async (outcome: WithoutElapsed<AuditOutcome>): Promise<void> => {
      try {
        await onEnd?.(record, { ...outcome, elapsed: performance.now() - started });
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    };
    let value: Value;
    try {
      value = await next(call);
    } catch (error) {
      await end({ kind: "error", error });
      throw error;
    }
    await end({ kind: "ok", value });
    return value;
  };
}

type WithoutElapsed<T> = T extends unknown ? Omit<T, "elapsed"> : never;

function recordOf(call: Call): AuditRecord {
  const { id, caller, runId, parent } = call;
  return { id, name: fullName(call), arguments: call.arguments, caller, runId, parent, startedAt: Date.now() };
}
