import type { BudgetMeter } from "../agent/index.js";
import { BudgetReachedError } from "../agent/index.js";
import { CITABLE_TOOLS } from "../codegen/index.js";
import type { ReactContext, Registration } from "../context/index.js";
import type { JournalEntry } from "../dispatch/index.js";
import { randomId, VitrineError } from "../protocol/index.js";
import type { SessionClient } from "../session/index.js";
import type { DecidedCall } from "./decision.js";
import type { VerifiedCall } from "./verify-call.js";

export interface ToolCallsOptions {
  readonly client: SessionClient;
  readonly context: ReactContext;
  readonly meter: BudgetMeter;
  readonly signal: AbortSignal;
  readonly citableTools: readonly string[] | undefined;
  readonly onCall: (entry: JournalEntry) => void;
}

export interface MadeCall extends Registration {
  /** The journal's entry of the call; null where it never began. */
  readonly callId: string | null;
}

/** Makes the calls of a turn, and keeps what comes of them. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /**
   * Whatever comes of the call is kept, also where it was stopped.
   *
   * @throws {BudgetReachedError} when it would be one too many; nothing was called.
   * @throws {StorageError} when it could not be kept.
   */
  async make(
    call: VerifiedCall,
    {
      decided,
      promised,
      round,
    }: { readonly decided: DecidedCall; readonly promised: readonly string[]; readonly round: number },
  ): Promise<MadeCall> {
    const { client, context, meter, signal, citableTools = CITABLE_TOOLS } = this.#options;
    if (!meter.admitToolCall(randomId()))
      throw meter.reached ?? new BudgetReachedError("toolCalls", { limit: 0, used: 0 });
    const { toolId, params, isProgram, lineage } = call;
    const entries = new Map<string, JournalEntry>();
    const people = new PeopleAsked(meter);
    let outcome: Parameters<ReactContext["registerResult"]>[0]["outcome"];
    try {
      const value = await client.callTool(toolId, params, {
        signal,
        onCall: (entry) => {
          entries.set(entry.id, entry);
          people.hear(entry);
          this.#options.onCall(entry);
        },
      });
      outcome = { kind: "returned", value };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      outcome = { kind: "failed", code: error instanceof VitrineError ? error.code : "ERROR", message };
    } finally {
      people.forget();
    }
    const [callId = null, ...innerCallIds] = entries.keys();
    const expected = decided.outArtifacts.length > 0 ? decided.outArtifacts : promised.map((name) => ({ name }));
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
      round,
    });
    return { ...registration, callId };
  }
}

/** Stops the turn's clock while a person is asked about a call. */
class PeopleAsked {
  readonly #meter: BudgetMeter;
  readonly #resumes = new Map<string, () => void>();

  constructor(meter: BudgetMeter) {
    this.#meter = meter;
  }

  hear({ id, approval, outcome }: JournalEntry): void {
    const isAsked = approval === "asked" && outcome.kind === "pending";
    if (isAsked && !this.#resumes.has(id)) this.#resumes.set(id, this.#meter.pause());
    else if (!isAsked) this.#resumes.get(id)?.();
  }

  forget(): void {
    for (const resume of this.#resumes.values()) resume();
  }
}
