import { BudgetReachedError, budgetPolicy, type StepInProgress, type Work } from "../agent/index.js";
import { CITABLE_TOOLS } from "../codegen/index.js";
import type { ReactContext, Registration, ToolOutcome } from "../context/index.js";
import type { JournalEntry } from "../dispatch/index.js";
import { messageOf, randomId, VitrineError } from "../protocol/index.js";
import type { ClientCalls, SessionClient } from "../session/index.js";
import type { DecidedCall } from "./decision.js";
import type { TurnLog } from "./events.js";
import type { VerifiedCall } from "./verify-call.js";

export interface ToolCallsOptions {
  readonly client: SessionClient;
  readonly context: ReactContext;
  /** The turn. */
  readonly work: Work<TurnLog>;
  readonly citableTools: readonly string[] | undefined;
  /** Hears of all calls, those inside others included. */
  readonly onCall: (entry: JournalEntry) => void;
}

export interface MadeCall extends Registration {
  /** The journal's entry of the call; null where it never began. */
  readonly callId: string | null;
}

/** What a call is to make. */
export type Expected = DecidedCall["outArtifacts"];

/** Makes the calls of a turn, which belong together as those of one run of code do, and keeps what comes of them. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #calls: ClientCalls;
  /** Those of the call that is being made. */
  #entries = new Map<string, JournalEntry>();
  /** The id of the loop's own call, which was counted before it is made. */
  #own: string | null = null;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
    const { client, work, onCall } = options;
    const countCall = budgetPolicy(work.meter);
    this.#calls = client.openCalls({
      policy: (call) => {
        this.#own ??= call.id;
        return call.id === this.#own ? { kind: "allow" } : countCall(call);
      },
      onPause: () => work.meter.pause(),
      onCall: (entry) => {
        this.#entries.set(entry.id, entry);
        onCall(entry);
      },
    });
  }

  /** By which the journal names them. */
  get runId(): string {
    return this.#calls.runId;
  }

  /** Counts one more. @throws {BudgetReachedError} when it would be one too many. */
  admit(): void {
    const { meter } = this.#options.work;
    if (meter.admitToolCall(randomId())) return;
    throw meter.reached ?? new BudgetReachedError("toolCalls", { limit: 0, used: 0 });
  }

  /**
   * Whatever comes of the call is kept, also where it was stopped.
   *
   * @throws {StorageError} when it could not be kept.
   */
  async make(
    call: VerifiedCall,
    { expected, step }: { readonly expected: Expected; readonly step: StepInProgress },
  ): Promise<MadeCall> {
    const { context, citableTools = CITABLE_TOOLS } = this.#options;
    const { toolId, params, isProgram, lineage } = call;
    this.#entries = new Map();
    this.#own = null;
    const outcome = await this.#call(call, step);
    const [callId = null, ...innerCallIds] = this.#entries.keys();
    const registration = await context.registerResult({
      toolId,
      outcome,
      expected,
      isProgram,
      isCitable: citableTools.includes(toolId.split(".").at(-1) ?? ""),
      params,
      ...(callId === null ? {} : { callId }),
      innerCallIds,
      lineage,
      round: step.number,
    });
    return { ...registration, callId };
  }

  async #call({ toolId, params, isProgram }: VerifiedCall, step: StepInProgress): Promise<ToolOutcome> {
    const { work } = this.#options;
    const { signal } = work;
    const task = work.at(step.ids.id);
    try {
      return { kind: "returned", value: await this.#calls.call(toolId, params, { signal, task }) };
    } catch (error) {
      // A call that is stopped is given up at once; its program says a moment later what it had made until then.
      const [own] = signal.aborted ? await Promise.allSettled(task.awaited) : [];
      if (isProgram && own?.status === "fulfilled") return { kind: "returned", value: own.value };
      const message = messageOf(error);
      return { kind: "failed", code: error instanceof VitrineError ? error.code : "ERROR", message };
    }
  }

  /** The turn is left. It does not end before what works inside it has. */
  async close(): Promise<void> {
    await this.#options.work.settled();
    this.#calls.close();
  }
}
