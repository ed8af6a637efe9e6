import type { Call, CallArguments } from "./call.js";
import { fullName } from "./call-pattern.js";
import { canonicalKey } from "./canonical-key.js";
import { MiddlewareError } from "./errors.js";

/** What a middleware leaves alone. */
const FIXED = [
  "id",
  "namespace",
  "name",
  "hints",
  "tags",
  "runId",
  "parent",
  "caller",
  "inAgentRun",
  "task",
  "trust",
  "scope",
  "validate",
] as const satisfies readonly (keyof Call)[];

/** Reasons of failed attempts that are noted. */
const MAX_FAILURES = 5;

/** The way of one call through the middleware: what goes in, and what may come out of it. */
export class Passage {
  /** As it was agreed to, its arguments protected from being changed in place. */
  readonly call: Call;
  /** Changed arguments that were agreed to, by what they are, and what validation made of them. */
  readonly #agreed = new Map<string, CallArguments>();
  #attempts = 0;
  #failures: string[] = [];

  constructor(call: Call) {
    this.call = { ...call, arguments: Object.freeze({ ...call.arguments }) };
  }

  /**
   * The call as its adapter is to be called.
   *
   * @throws {MiddlewareError} when something else was changed than the arguments and the signal.
   */
  receive(passed: Call): Call {
    const changed = FIXED.find((field) => passed[field] !== this.call[field]);
    if (changed !== undefined) throw new MiddlewareError(fullName(this.call), changed);
    const { signal } = this.call;
    return {
      ...this.call,
      arguments: passed.arguments,
      // A middleware may give up sooner, never wait longer.
      signal: passed.signal === signal ? signal : AbortSignal.any([signal, passed.signal]),
    };
  }

  /** The call as it is to be made with arguments that were agreed to; undefined when these were not. */
  agreedCall(call: Call): Call | undefined {
    if (call.arguments === this.call.arguments) return call;
    const args = this.#agreed.get(canonicalKey(call.arguments) ?? "");
    return args === undefined ? undefined : { ...call, arguments: args };
  }

  /** `checked` is what validation made of the arguments. */
  agree(args: CallArguments, checked: CallArguments): void {
    const key = canonicalKey(args);
    if (key !== undefined) this.#agreed.set(key, checked);
  }

  /** Counts an attempt, and answers with what is to be noted when it is not the first. */
  begin(): { readonly attempts: number; readonly failures: string[] } | undefined {
    this.#attempts += 1;
    return this.#attempts === 1 ? undefined : { attempts: this.#attempts, failures: [...this.#failures] };
  }

  fail(reason: string): void {
    this.#failures = [...this.#failures, reason].slice(-MAX_FAILURES);
  }
}
