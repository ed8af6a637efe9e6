import type { ContextArtifact, Json, MappingOutcome, ReactContext, NewRound, TurnContents } from "../context/index.js";
import type { TurnContract } from "../contract/index.js";
import type { TurnDecision } from "./decision.js";
import { SlotBudgets } from "./slot-budgets.js";
import { mergeHints, type SlotHints } from "./slot-hints.js";
import type { MadeCall } from "./tool-calls.js";
import type { Violation } from "./verify-call.js";

/** What is kept of a round. */
export interface RoundRecord {
  readonly number: number;
  /** Null where the model brought none. */
  readonly decision: TurnDecision | null;
  readonly violations: readonly Violation[];
  readonly mappings: readonly MappingOutcome[];
  readonly made: MadeCall | null;
  /** The call of the decision where it is about to be made. */
  readonly begun?: NewRound["begun"];
}

/** The turn that the loop works on, as it is in the context now. */
export class TurnState {
  readonly #context: ReactContext;
  #hasBegun = false;
  #granted: SlotHints = {};
  #budgets = new SlotBudgets([]);

  constructor(context: ReactContext) {
    this.#context = context;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The current turn of the context is the one. */
  begun(): void {
    this.#hasBegun = true;
  }

  /** What may still be done in the turn. */
  get budgets(): SlotBudgets {
    return this.#budgets;
  }

  /** Where the turn goes on, what was granted and used before counts. Of what is said about a slot the last counts. */
  openBudgets(...said: readonly SlotHints[]): void {
    const { budget } = this.turn.record;
    this.#granted = mergeHints(budget?.granted ?? {}, ...said);
    this.#budgets = new SlotBudgets(this.contract.keys(), this.#granted, budget?.spent);
  }

  get turn(): TurnContents {
    return (this.#hasBegun ? this.#context.currentTurn : null) ?? NO_TURN;
  }

  get contract(): TurnContract {
    return (this.#hasBegun ? this.#context.contract : null) ?? new Map();
  }

  get contractRecord(): Json {
    // The result is its caller's; the context goes on with what it holds itself.
    return structuredClone(this.turn.record.contract);
  }

  get openSlots(): string[] {
    const { slots } = this.turn.record;
    return [...this.contract.keys()].filter((name) => !slots.some((slot) => slot.name === name));
  }

  /** Of each id the newest version, where it can be used and fills no slot. What was only found delivers nothing. */
  get unmapped(): ContextArtifact[] {
    const { artifacts, record } = this.turn;
    const newest = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
    const mapped = record.slots.map(({ mappedArtifactId }) => mappedArtifactId);
    return [...newest.values()].filter(({ id, version, error, kind }) => {
      return error === null && kind !== "sources" && !mapped.includes(`${id}@${String(version)}`);
    });
  }

  /** Keeps the round, and with it what has been used since the turn began. @throws {StorageError} */
  async note({ number, decision, violations, mappings, made, begun }: RoundRecord): Promise<void> {
    const note: NewRound = {
      number,
      action: decision?.action ?? "none",
      strategy: decision?.strategy ?? "",
      focusSlot: decision?.focusSlot ?? "",
      notes: decision?.notes ?? "",
      toolId: decision?.action === "call_tool" ? (decision.toolCall?.toolId ?? null) : null,
      callId: made?.callId ?? null,
      artifacts: (made?.artifacts ?? []).map(({ id, version }) => `${id}@${String(version)}`),
      violations: violations.map(({ code, isRed, message }) => ({ code, isRed, message })),
      mappings: mappings.map((outcome) => ({
        slot: outcome.mapping.slotName,
        path: outcome.mapping.sourcePath,
        refused: outcome.kind === "refused" ? outcome.reason : null,
      })),
      ...(begun === undefined ? {} : { begun }),
      time: Date.now(),
    };
    await this.#context.noteRound(note, { granted: mergeHints(this.#granted), spent: this.#budgets.spent });
  }
}

/** For a turn that never began. */
const NO_TURN: TurnContents = {
  record: {
    record: 1,
    id: "",
    order: 0,
    startedAt: 0,
    prompt: "",
    attachments: [],
    completion: null,
    files: [],
    contract: null,
    slots: [],
    rounds: [],
    end: null,
  },
  artifacts: [],
  damaged: new Map(),
};
