import { checkArgument } from "../../options/index.js";
import type { Call, CallArguments, Stage } from "../call.js";
import { callSelector, type CallPattern } from "../call-pattern.js";

/**
 * Other arguments for the call, or undefined to leave them. They are new objects: those of the call are not changed
 * in place. What it throws ends the call.
 */
export type ArgumentsRewrite = (
  args: CallArguments,
  call: Call,
) => CallArguments | undefined | Promise<CallArguments | undefined>;

/**
 * Calls with other arguments than were given. They are validated as the given ones were and have to be agreed to anew:
 * a rule that looks at arguments sees them, and where a person is asked they are asked about these. The journal has
 * both.
 *
 * @throws {CallPatternError} for a pattern that fits no call.
 */
export function rewriteArguments(calls: CallPattern | readonly CallPattern[], rewrite: ArgumentsRewrite): Stage {
  checkArgument("rewriteArguments", "rewrite", rewrite, "function");
  const isMeant = callSelector(calls);
  return async (call, next) => {
    const args = isMeant(call) ? await rewrite(call.arguments, call) : undefined;
    return next(args === undefined ? call : { ...call, arguments: args });
  };
}
