import { isNestedDeeper, MAX_DEPTH, messageOf, unlessAborted, VitrineError, type Value } from "../protocol/index.js";
import { ToolCallError, type CallProposal, type ProposalAnswer, type ToolProgress } from "../tools/index.js";

import type {
  AnsweredDecision,
  Call,
  CallArguments,
  CallDescription,
  CallProgress,
  Decision,
  Invoke,
  InvokeContext,
  Policy,
  Stage,
} from "./call.js";
import { fullName } from "./call-pattern.js";
import { CallPermits } from "./call-permits.js";
import { CallCancelledError, CallEndedError, CallNotAllowedError, NestedArgumentsError } from "./errors.js";
import { summarizeArguments, type FinishedOutcome, type Journal, type Written } from "./journal.js";
import type { Approval, CallCourse, JournalEntry } from "./journal-entry.js";
import { Passage } from "./passage.js";
import { summarize, summarizeText } from "./summarize.js";

export interface DispatcherOptions {
  readonly journal: Journal;
  /** Throws when the caller may not see what is called. Default: everything is in scope. */
  readonly scope?: (call: Call) => void;
  /** Default: every call is allowed. */
  readonly policy?: Policy;
  /** Asks a person where the policy says so. Default: nobody can be asked, and the call is denied. */
  readonly ask?: (call: Call, reason: string) => Promise<AnsweredDecision>;
  /** Whether a person can be asked now. Default: where there is `ask`. */
  readonly canAsk?: () => boolean;
  /** The first is outermost. */
  readonly middleware?: readonly Stage[];
  /** How many calls of tools work at a time; the others wait in the order in which they came. Default: any number. */
  readonly concurrentCalls?: number;
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
 *
 * Arguments that a middleware changed are validated and agreed to again before the
 * adapter gets them: what counts is what will be called.
 */
export class Dispatcher {
  readonly #journal: Journal;
  readonly #options: DispatcherOptions;
  readonly #middleware: readonly Stage[];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  readonly #progressListeners = new Set<(progress: CallProgress) => void>();
  readonly #permits: CallPermits | undefined;
  readonly #open = new Map<string, OpenCall>();

  constructor(options: DispatcherOptions) {
    this.#journal = options.journal;
    this.#options = options;
    this.#middleware = options.middleware ?? [];
    if (options.concurrentCalls !== undefined) this.#permits = new CallPermits(options.concurrentCalls);
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
    const { id } = begun.entry;
    const note: Call["note"] = (noted) => {
      this.#note(id, noted);
    };
    const call: Call = { ...description, id, signal, note };
    this.#open.set(id, { parent: description.parent, hasBegun: false, preface: "", ended: new AbortController() });
    let isOpen = true;
    const report = (progress: ToolProgress): void => {
      const { namespace, name, runId } = call;
      if (isOpen) tell(this.#progressListeners, { ...progress, callId: id, runId, namespace, name });
    };
    let value: Value;
    try {
      value = await this.#passThrough(call, { invoke, report, durable: urgent ? begun.durable : undefined });
      isOpen = false;
    } catch (error) {
      isOpen = false;
      const failure = failureOf(call, error);
      await this.#end(call, { ...describeError(failure), elapsed: since(started) }, urgent);
      throw failure;
    }
    await this.#end(call, { kind: "ok", summary: summarize(value), elapsed: since(started) }, urgent);
    return value;
  }

  /** Tells those who listen of an entry that is not the dispatcher's: a run. */
  announce(entry: JournalEntry): void {
    this.#tell(entry);
  }

  /** Calls `listener` when a call begins, when something becomes of it, and when it ends. Returns how to stop it. */
  onCall(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` whenever a call under way says how far it has come. Returns how to stop it. */
  onCallProgress(listener: (progress: CallProgress) => void): () => void {
    this.#progressListeners.add(listener);
    return () => this.#progressListeners.delete(listener);
  }

  async #passThrough(asked: Call, work: Work): Promise<Value> {
    const checked = validate(this.#inScope(asked));
    // A validator that is at hand costs no turn of the loop.
    const call = checked instanceof Promise ? await whileWanted(asked, () => checked) : checked;
    await this.#approve(call);
    const value = await (this.#middleware.length === 0
      ? this.#callAdapter(call, work)
      : this.#throughMiddleware(call, work));
    return this.#options.result === undefined ? value : this.#options.result(value, call);
  }

  #inScope(call: Call): Call {
    this.#options.scope?.(call);
    call.scope?.();
    // Nothing has bounded yet what a model or a client asks for.
    if (isNestedDeeper(call.arguments, MAX_DEPTH)) throw new NestedArgumentsError(fullName(call), MAX_DEPTH);
    return call;
  }

  /** `preface` is what a person has to know beside the policy's reason. */
  async #approve(call: Call, preface = ""): Promise<void> {
    const { policy } = this.#options;
    if (policy === undefined) return;
    const decision = await this.#decide(call, policy);
    if (decision.kind === "deny") throw new CallNotAllowedError(fullName(call), decision.reason);
    if (decision.kind === "allow") return;
    const open = this.#open.get(call.id);
    if (call.asksItself === true && this.#canAsk && open !== undefined) {
      open.preface = preface;
      return;
    }
    const answer = await this.#askPerson(call, `${preface}${decision.reason}`);
    if (answer.kind !== "allow") throw new CallNotAllowedError(fullName(call), answer.reason);
  }

  get #canAsk(): boolean {
    const { ask, canAsk } = this.#options;
    return canAsk === undefined ? ask !== undefined : canAsk();
  }

  #decide(call: Call, policy: Policy): Promise<Decision> {
    return whileWanted(
      call,
      async () => policy(call),
      () => this.#cancelled(call),
    );
  }

  async #askPerson(call: Call, reason: string): Promise<AnsweredDecision> {
    const { ask } = this.#options;
    const note = (approval: Approval): void => {
      this.#tell(this.#journal.noteApproval(call.id, approval));
    };
    note("asked");
    const decision = await whileWanted(
      call,
      async () => (ask === undefined ? NOBODY : ask(call, reason)),
      () => this.#cancelled(call),
    );
    note(decision.kind === "allow" ? "allowed" : "denied");
    return decision;
  }

  /** In the course of a call: what it is about to do has to be agreed to like the call itself. */
  async #askAbout(call: Call, proposal: CallProposal): Promise<ProposalAnswer> {
    const open = this.#open.get(call.id);
    if (open === undefined) throw new CallEndedError(`onApproval for ${fullName(call)}`);
    const { policy } = this.#options;
    const { answerAbout } = await import("./proposals.js");
    if (policy === undefined || proposal.files.length === 0) return answerAbout(proposal, { kind: "allow" });
    // The question goes with the call, however that ends.
    const asked = { ...call, proposal, signal: AbortSignal.any([call.signal, open.ended.signal]) };
    const decision = await this.#decide(asked, policy);
    if (decision.kind !== "ask") return answerAbout(proposal, decision);
    return answerAbout(proposal, await this.#askPerson(asked, `${open.preface}${decision.reason}`));
  }

  #throughMiddleware(call: Call, work: Work): Promise<Value> {
    const passage = new Passage(call);
    const enter = (passed: Call, index: number): Promise<Value> => {
      const stage = this.#middleware[index];
      if (stage === undefined) return this.#leaveMiddleware(passage, { passed, work });
      return stage(passed, (changed) => enter(changed, index + 1));
    };
    // A middleware that overlooks the signal must not hold the call; what it does later finds it over.
    return whileWanted(
      call,
      async () => enter(passage.call, 0),
      () => this.#cancelled(call),
    );
  }

  async #leaveMiddleware(
    passage: Passage,
    { passed, work }: { readonly passed: Call; readonly work: Work },
  ): Promise<Value> {
    const call = await this.#agreed(passage, passage.receive(passed));
    const again = passage.begin();
    if (again !== undefined) this.#note(call.id, again);
    try {
      return await this.#callAdapter(call, work);
    } catch (error) {
      const { name, message } = describeError(error);
      passage.fail(`${name}: ${message}`);
      throw error;
    }
  }

  /** Arguments that nobody has agreed to yet take the way of new ones. */
  async #agreed(passage: Passage, call: Call): Promise<Call> {
    const known = passage.agreedCall(call);
    if (known !== undefined) return known;
    const checked = await whileWanted(call, async () => validate(call));
    await this.#approve(checked, "A middleware of the page changed the arguments of this call. ");
    passage.agree(call.arguments, checked.arguments);
    this.#note(call.id, { arguments: summarizeArguments(checked.arguments) });
    return checked;
  }

  async #callAdapter(call: Call, work: Work): Promise<Value> {
    const release = await this.#takePermit(call);
    const open = this.#open.get(call.id);
    if (open !== undefined) open.hasBegun = true;
    try {
      return await runAdapter(call, { ...work, askAbout: (proposal) => this.#askAbout(call, proposal) });
    } finally {
      release?.();
    }
  }

  /** What is no tool is done in a moment, or waits for the interpreter, whose calls have permits of their own. */
  async #takePermit(call: Call): Promise<(() => void) | undefined> {
    const { id, signal, namespace, waitsForInterpreter = false } = call;
    if (this.#permits === undefined || namespace !== "tools" || waitsForInterpreter) return undefined;
    let waitingSince: number | undefined;
    try {
      const release = await this.#permits.take({
        id,
        signal,
        ancestors: this.#ancestors(id),
        onWait: () => {
          waitingSince = performance.now();
          this.#note(id, { queue: { kind: "waiting" } });
        },
      });
      if (waitingSince !== undefined) this.#note(id, { queue: { kind: "admitted", waited: since(waitingSince) } });
      return release;
    } catch (error) {
      if (!signal.aborted) throw error;
      throw this.#cancelled(call);
    }
  }

  #cancelled(call: Call): CallCancelledError {
    return new CallCancelledError(fullName(call), this.#open.get(call.id)?.hasBegun ?? true);
  }

  /** The calls in whose course this one is made, the nearest first. */
  #ancestors(id: string): string[] {
    const found: string[] = [];
    let parent = this.#open.get(id)?.parent;
    while (typeof parent === "string" && !found.includes(parent)) {
      found.push(parent);
      parent = this.#open.get(parent)?.parent;
    }
    return found;
  }

  #note(id: string, course: CallCourse): void {
    // What a middleware does after its call has ended concerns nobody any more.
    if (this.#open.has(id)) this.#tell(this.#journal.noteCourse(id, course));
  }

  async #end(call: Call, outcome: FinishedOutcome, urgent: boolean): Promise<void> {
    this.#open.get(call.id)?.ended.abort();
    this.#open.delete(call.id);
    const { entry, durable } = this.#journal.finish(call.id, outcome, { urgent });
    this.#tell(entry);
    // The call has happened: a storage that refuses its outcome must not take the value away as well.
    // The stored entry stays without one, and reads "unknown" in the page's next life.
    if (urgent) await durable.catch(() => undefined);
  }

  #tell(entry: JournalEntry): void {
    tell(this.#listeners, entry);
  }
}

const NOBODY: Decision = { kind: "deny", reason: "a person has to agree, and nobody can be asked here" };

interface OpenCall {
  /** The call in whose course it is made. */
  readonly parent: string | null;
  /** Whether its adapter was called. */
  hasBegun: boolean;
  /** What a person is told, beside the reason, whom the call asks in its course. */
  preface: string;
  /** Aborted when it has ended. */
  readonly ended: AbortController;
}

interface Work {
  readonly invoke: Invoke;
  readonly report: (progress: ToolProgress) => void;
  /** What the adapter has to wait for; undefined when it need not. */
  readonly durable: Written["durable"] | undefined;
}

function tell<T>(listeners: Iterable<(value: T) => void>, value: T): void {
  for (const listener of listeners) {
    try {
      listener(value);
    } catch (error) {
      // A listener's mistake shows in the console; the call is none of its business.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

function validate(call: Call): Call | Promise<Call> {
  if (call.validate === undefined) return call;
  const checked = call.validate(call.arguments);
  return checked instanceof Promise ? checked.then((args) => withArguments(call, args)) : withArguments(call, checked);
}

function withArguments(call: Call, args: CallArguments): Call {
  return args === call.arguments ? call : { ...call, arguments: args };
}

async function runAdapter(
  call: Call,
  { invoke, report, durable, askAbout }: Work & Pick<InvokeContext, "askAbout">,
): Promise<Value> {
  if (durable !== undefined) await durable;
  const { id: callId, signal } = call;
  return whileWanted(call, async () => invoke(call.arguments, { callId, signal, report, askAbout }));
}

/** An adapter that overlooks the signal must not hold the call. */
async function whileWanted<T>(
  call: Call,
  work: () => Promise<T>,
  cancelled: () => Error = () => new CallCancelledError(fullName(call)),
): Promise<T> {
  if (call.signal.aborted) throw cancelled();
  return unlessAborted(work(), call.signal, cancelled);
}

function failureOf(call: Call, error: unknown): unknown {
  if (error instanceof VitrineError || call.namespace !== "tools") return error;
  const [tool = call.name] = call.name.split(".", 1);
  const reason = messageOf(error);
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
