import type { StepInProgress } from "../agent/index.js";
import type { ArtifactSnapshot, MappingOutcome, ReactContext } from "../context/index.js";
import type { SessionClient } from "../session/index.js";
import type { TurnDecision } from "./decision.js";
import type { TurnSession } from "./decision-loop-options.js";
import { exitWith, type TurnExit } from "./turn-exit.js";
import { callHeadline, shownMessage, turnMessage } from "./prompt.js";
import type { Gate } from "./slot-budgets.js";
import type { Expected, MadeCall, ToolCalls } from "./tool-calls.js";
import type { TurnState } from "./turn-state.js";
import type { TurnReporter } from "./turn-reporter.js";
import { promisedArtifacts, verifyCall, type VerifiedCall, type Violation } from "./verify-call.js";

export interface DecisionWorkParts {
  readonly context: ReactContext;
  readonly session: TurnSession;
  readonly client: SessionClient;
  readonly calls: ToolCalls;
  readonly state: TurnState;
  readonly reporter: TurnReporter;
}

/** A decision that is being carried out. */
export interface Round {
  readonly step: StepInProgress;
  readonly decision: TurnDecision;
  readonly gate: Gate;
  readonly mappings: readonly MappingOutcome[];
}

/** What came of a round that goes on. */
export interface RoundOutcome {
  readonly headline: string;
  readonly violations: readonly Violation[];
  readonly made: MadeCall | null;
  /** For the next round alone. */
  readonly shown: string | null;
}

/** Does what a decision says: maps, looks, calls, or leaves. */
export class DecisionWork {
  readonly #parts: DecisionWorkParts;

  constructor(parts: DecisionWorkParts) {
    this.#parts = parts;
  }

  async map(
    decision: TurnDecision,
    { step, snapshot }: { readonly step: StepInProgress; readonly snapshot: ArtifactSnapshot },
  ): Promise<readonly MappingOutcome[]> {
    if (decision.mapSlots.length === 0) return [];
    const { context, reporter } = this.#parts;
    const future = decision.action === "call_tool" ? promisedArtifacts(decision) : [];
    const outcomes = await context.mapSlots(decision.mapSlots, { snapshot, future, round: step.number });
    reporter.mappings(outcomes, step);
    return outcomes;
  }

  /** @throws {BudgetReachedError} when the call would be one too many. @throws {StorageError} */
  async carryOut(round: Round): Promise<RoundOutcome | TurnExit> {
    const { context, state } = this.#parts;
    const { decision, gate } = round;
    const { action, strategy, completionSummary } = decision;
    const isDone = action === "complete" || action === "exit";
    if (gate === "overdraft" && !(isDone && state.openSlots.length === 0)) {
      if (action !== "call_tool" || strategy !== "exploit") {
        this.#refuse(
          round,
          "exploit_overdraft_blocked",
          "The rounds are used up: only exploit with call_tool is left.",
        );
        return exitWith("exploit_overdraft_blocked");
      }
      state.budgets.spendOverdraft(decision.focusSlot, state.openSlots);
    }
    if (isDone) {
      if (completionSummary !== "") await context.answer(completionSummary);
      return exitWith(state.openSlots.length === 0 ? "complete" : "incomplete_contract");
    }
    if (action === "clarify") {
      if (completionSummary !== "") await context.answer(completionSummary);
      return exitWith("clarify", { questions: decision.clarificationQuestions });
    }
    return action === "decision" ? this.#look(round) : this.#call(round);
  }

  async #look(round: Round): Promise<RoundOutcome | TurnExit> {
    const { showArtifacts, showSkills } = round.decision;
    if (showArtifacts.length === 0 && showSkills.length === 0) {
      const message = "A decision that only looks names what it wants to see: show_artifacts or show_skills.";
      this.#refuse(round, "decision_no_progress", message);
      return exitWith("decision_no_progress");
    }
    if (!this.#parts.state.budgets.spendContextRead()) return exitWith("context_reads_exhausted");
    const shown = await shownMessage(this.#parts, round.decision);
    return { headline: "Shown below.", violations: [], made: null, shown };
  }

  async #call(round: Round): Promise<RoundOutcome> {
    const { context, client, calls, state, reporter } = this.#parts;
    const { step, decision, gate } = round;
    const verified = verifyCall(decision, {
      tools: client.listTools(),
      bind: (params, directives, parameters) => context.bindParams(params, directives, { parameters }),
    });
    const { call } = verified;
    const violations = [...verified.violations];
    if (call === null || decision.toolCall === null) {
      reporter.violations(violations, step);
      return { headline: "The call was not made.", violations, made: null, shown: null };
    }
    if (gate === "open") violations.push(...this.#spendStage(decision));
    reporter.violations(violations, step);
    calls.admit();
    state.budgets.spendCall();
    const { outArtifacts } = decision.toolCall;
    const expected = outArtifacts.length > 0 ? outArtifacts : promisedArtifacts(decision).map((name) => ({ name }));
    await this.#noteBegun(round, { call, expected, violations });
    if (call.isProgram) context.describeWork(await this.#workSoFar(decision));
    const made = await calls.make(call, { expected, step }).finally(() => {
      context.describeWork("");
    });
    for (const artifact of made.artifacts) {
      const name = `${artifact.id}@${String(artifact.version)}`;
      reporter.report({ type: "artifact-made", ...step.part(`artifact/${name}`), artifact });
    }
    return {
      headline: callHeadline(call.toolId, made),
      violations,
      made,
      shown: await shownMessage(this.#parts, decision),
    };
  }

  /** What the model knows that decides, with what it wants to be seen in full. */
  async #workSoFar(decision: TurnDecision): Promise<string> {
    const { turn } = this.#parts.state;
    const shown = await shownMessage(this.#parts, decision);
    const message = turnMessage(this.#parts.context, turn, turn.record.contract);
    return shown === null ? message : `${message}\n\n${shown}`;
  }

  /** A page that goes while the call is under way leaves a word about it, and what it has used. */
  #noteBegun(
    { step, decision, mappings }: Round,
    {
      call,
      expected,
      violations,
    }: { readonly call: VerifiedCall; readonly expected: Expected; readonly violations: readonly Violation[] },
  ): Promise<void> {
    const { calls, state } = this.#parts;
    const { params, lineage } = call;
    const begun = { runId: calls.runId, params, expected: [...expected], lineage: [...lineage] };
    return state.note({ number: step.number, decision, violations, mappings, made: null, begun });
  }

  #spendStage({ focusSlot, strategy }: TurnDecision): Violation[] {
    const { contract, openSlots, budgets } = this.#parts.state;
    const slot = focusSlot === "" ? (openSlots[0] ?? "") : focusSlot;
    if (contract.size > 0 && !contract.has(slot)) {
      const message = `There is no slot ${slot.slice(0, 100)}; there are: ${[...contract.keys()].join(", ")}.`;
      return [{ code: "unknown_focus_slot", isRed: false, message }];
    }
    if (budgets.spendStage(slot, strategy) || contract.size === 0) return [];
    return [{ code: "stage_used_up", isRed: false, message: `The rounds of ${strategy} for ${slot} are used up.` }];
  }

  #refuse({ step }: Round, code: Violation["code"], message: string): void {
    this.#parts.reporter.violations([{ code, isRed: true, message }], step);
  }
}
