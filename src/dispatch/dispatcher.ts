import { VitrineError, type Value } from "../protocol/index.js";
import { ToolCallError } from "../tools/index.js";

import type { Call, CallDescription, Decision, Invoke, Policy, Stage } from "./call.js";
import { CallCancelledError, CallNotAllowedError } from "./errors.js";
import type { FinishedOutcome, Journal, Written } from "./journal.js";
import type { Approval, JournalEntry } from "./journal-entry.js";
import { summarize, summarizeText } from "./summarize.js";

export interface DispatcherOptions {
  readonly journal: Journal;
  /** Throws when the caller may not see what is called. Default: everything is in scope. */
  readonly scope?: (call: Call) => void;
  /** Default: every call is allowed. */
  readonly policy?: Policy;
  /** Asks a person where the policy says so. Default: nobody can be asked, and the call is denied. */
  readonly ask?: (call: Call, reason: string) => Promise<Decision>;
  /** The first is outermost. */
  readonly middleware?: readonly Stage[];
  /** Sees every value before the journal and the caller do. Default: passes it on. */
  readonly result?: (value: Value, call: Call) => Value;
}

/**
 * The one way of every call, whoever makes it:
 * scope → validate → approve → middleware → adapter → result.
 *
 * The journal knows of a call before its adapter starts, and of its outcome
 * before the caller does; of calls hinted `readOnly` it writes both down a
 * moment later, many at a time.
 */
export class Dispatcher {
  readonly #journal: Journal;
  readonly #options: DispatcherOptions;
  readonly #middleware: readonly Stage[];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();

  constructor(options: DispatcherOptions) {
    this.#journal = options.journal;
    this.#options = options;
    this.#middleware = options.middleware ?? [];
  }

  /**
   * Makes a call. What `invoke` throws that is no error of ours becomes a
   * {@link ToolCallError} for a tool, and passes as it is otherwise.
   *
   * @throws {CallNotAllowedError} when the policy says no; nothing was called.
   * @throws {CallCancelledError} when `signal` ended the wait.
   * @throws {StorageError} when the beginning could not be written down; nothing was called.
   */
  async dispatch(
    description: CallDescription,
    invoke: Invoke,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Value> {
    const started = performance.now();
    const urgent = description.hints.readOnly !== true;
    const begun = this.#journal.begin(description, { urgent });
    this.#tell(begun.entry);
    const call: Call = { ...description, id: begun.entry.id, signal };
    let value: Value;
    try {
      value = await this.#passThrough(call, { invoke, durable: urgent ? begun.durable : undefined });
    } catch (error) {
      const failure = failureOf(call, error);
      await this.#end(call, { ...describeError(failure), elapsed: since(started) }, urgent);
      throw failure;
    }
    await this.#end(call, { kind: "ok", summary: summarize(value), elapsed: since(started) }, urgent);
    return value;
  }

  /** Calls `listener` when a call begins and again when it ends. Returns how to stop it. */
  onCall(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #passThrough(asked: Call, work: Work): Promise<Value> {
    const call = validate(this.#inScope(asked));
    await this.#approve(call);
    const value = await this.#throughMiddleware(call, { work, index: 0 });
    return this.#options.result === undefined ? value : this.#options.result(value, call);
  }

  #inScope(call: Call): Call {
    this.#options.scope?.(call);
    call.scope?.();
    return call;
  }

  async #approve(call: Call): Promise<void> {
    const { policy } = this.#options;
    if (policy === undefined) return;
    const decision = await unlessAborted(call, async () => policy(call));
    if (decision.kind === "deny") throw new CallNotAllowedError(fullName(call), decision.reason);
    if (decision.kind === "ask") await this.#askPerson(call, decision.reason);
  }

  async #askPerson(call: Call, reason: string): Promise<void> {
    const { ask } = this.#options;
    const note = (approval: Approval): void => {
      this.#tell(this.#journal.noteApproval(call.id, approval));
    };
    note("asked");
    const decision = await unlessAborted(call, async () => (ask === undefined ? NOBODY : ask(call, reason)));
    note(decision.kind === "allow" ? "allowed" : "denied");
    if (decision.kind !== "allow") throw new CallNotAllowedError(fullName(call), decision.reason);
  }

  #throughMiddleware(call: Call, { work, index }: { readonly work: Work; readonly index: number }): Promise<Value> {
    const stage = this.#middleware[index];
    if (stage === undefined) return runAdapter(call, work);
    return stage(call, (passed) => this.#throughMiddleware(passed, { work, index: index + 1 }));
  }

  async #end(call: Call, outcome: FinishedOutcome, urgent: boolean): Promise<void> {
    const { entry, durable } = this.#journal.finish(call.id, outcome, { urgent });
    this.#tell(entry);
    // The call has happened: a storage that refuses its outcome must not take the value away as well.
    // The stored entry stays without one, and reads "unknown" in the page's next life.
    if (urgent) await durable.catch(() => undefined);
  }

  #tell(entry: JournalEntry): void {
    for (const listener of this.#listeners) {
      try {
        listener(entry);
      } catch (error) {
        // A listener's mistake shows in the console; the call is none of its business.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

const NOBODY: Decision = { kind: "deny", reason: "a person has to agree, and nobody can be asked here" };

interface Work {
  readonly invoke: Invoke;
  /** What the adapter has to wait for; undefined when it need not. */
  readonly durable: Written["durable"] | undefined;
}

function validate(call: Call): Call {
  if (call.validate === undefined) return call;
  const args = call.validate(call.arguments);
  return args === call.arguments ? call : { ...call, arguments: args };
}

async function runAdapter(call: Call, { invoke, durable }: Work): Promise<Value> {
  if (durable !== undefined) await durable;
  return unlessAborted(call, async () => invoke(call.arguments, { callId: call.id, signal: call.signal }));
}

/** An adapter that overlooks the signal must not hold the call. */
async function unlessAborted<T>(call: Call, work: () => Promise<T>): Promise<T> {
  const { signal } = call;
  if (signal.aborted) throw new CallCancelledError(fullName(call));
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(new CallCancelledError(fullName(call)));
    };
    signal.addEventListener("abort", abort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => {
        signal.removeEventListener("abort", abort);
      });
  });
}

function fullName({ namespace, name }: CallDescription): string {
  return `${namespace}.${name}`;
}

function failureOf(call: Call, error: unknown): unknown {
  if (error instanceof VitrineError || call.namespace !== "tools") return error;
  const [tool = call.name] = call.name.split(".", 1);
  const reason = error instanceof Error ? error.message : String(error);
  return new ToolCallError(tool, reason, { args: call.arguments, cause: error });
}

function describeError(error: unknown): { kind: "error"; name: string; code: string; message: string } {
  if (!(error instanceof Error))
    return { kind: "error", name: "Error", code: "UNKNOWN", message: summarizeText(String(error)) };
  const code = error instanceof VitrineError ? error.code : "UNKNOWN";
  return { kind: "error", name: error.name, code, message: summarizeText(error.message) };
}

/** Milliseconds, to the microsecond. */
function since(started: number): number {
  return Math.round((performance.now() - started) * 1000) / 1000;
}
