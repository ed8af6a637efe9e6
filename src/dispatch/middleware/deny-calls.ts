import { checkArgument } from "../../options/index.js";
import type { Call, Stage } from "../call.js";
import { callSelector, fullName, type CallPattern } from "../call-pattern.js";
import { CallNotAllowedError } from "../errors.js";

/**
 * Refuses calls on grounds that only show on the way, such as what a middleware before it did. Rules about who may call
 * what belong into `approvals` and `policy` of the session, which come first.
 *
 * @param why - A reason to refuse, which the code that called reads; undefined lets the call pass. A text refuses all.
 * @throws {CallPatternError} for a pattern that fits no call.
 */
export function denyCalls(
  calls: CallPattern | readonly CallPattern[],
  why: string | ((call: Call) => string | undefined | Promise<string | undefined>),
): Stage {
  checkArgument("denyCalls", "why", why, "string|function");
  const isMeant = callSelector(calls);
  return async (call, next) => {
    if (!isMeant(call)) return next(call);
    const reason = typeof why === "string" ? why : await why(call);
    if (reason !== undefined) throw new CallNotAllowedError(fullName(call), reason);
    return next(call);
  };
}
