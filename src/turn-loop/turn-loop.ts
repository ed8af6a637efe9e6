import {
  BudgetMeter,
  BudgetReachedError,
  Conversation,
  keepLastSteps,
  ModelCaller,
  StepInProgress,
} from "../agent/index.js";
import type { MappingOutcome } from "../context/index.js";
import { readModelContract } from "./ask-contract.js";
import { readDecision, type TurnDecision } from "./decision.js";
import type { DecisionLoopOptions, TurnRequest } from "./decision-loop.js";
import type { TurnEventBody, TurnLog } from "./events.js";
import { asError, codeOf, leave, leaveFor, WITH_WRAP_UP, type Leaving } from "./leaving.js";
import { CONTRACT_PROMPT, roundMessage, shownMessage, systemPrompt, turnMessage, wrapUpMessage } from "./prompt.js";
import { RepeatedCalls } from "./repeated-calls.js";
import { RoundTalk } from "./round-talk.js";
import { SlotBudgets, type Gate, type SlotBudget } from "./slot-budgets.js";
import { ToolCalls, type MadeCall } from "./tool-calls.js";
import { turnResult, type TurnResult } from "./turn-result.js";
import { TurnState } from "./turn-state.js";
import { promisedArtifacts, verifyCall, type Violation } from "./verify-call.js";
import { watchTime } from "./watch-time.js";

export { TurnLog } from "./events.js";

export interface TurnLoopOptions extends DecisionLoopOptions {
  readonly signal: AbortSignal;
}

/** What came of a round that goes on. */
interface RoundOutcome {
  readonly headline: string;
  readonly violations: readonly Violation[];
  readonly made: MadeCall | null;
  /** For the next round alone. */
  readonly shown: string | null;
}

/** A decision that is being carried out. */
interface Round {
  readonly step: StepInProgress;
  readonly decision: TurnDecision;
  readonly gate: Gate;
}

/** A round that the model is told about. */
interface Answered {
  readonly step: StepInProgress;
  readonly reply: string;
  readonly mappings: readonly MappingOutcome[];
}

/** One turn, from its prompt to its exit. */
export class TurnLoop {
  readonly #request: TurnRequest;
  readonly #log: TurnLog;
  readonly #options: TurnLoopOptions;
  readonly #meter: BudgetMeter;
  readonly #timeIsOver = new AbortController();
  readonly #signal: AbortSignal;
  readonly #calls: ToolCalls;
  readonly #client: ReturnType<DecisionLoopOptions["session"]["client"]>;
  readonly #state: TurnState;
  readonly #repeated = new RepeatedCalls();
  readonly #startedAt = performance.now();
  #nextModel: TurnDecision["nextDecisionModel"] = "strong";
  #budgets = new SlotBudgets([]);
  #round = 0;

  constructor(request: TurnRequest, log: TurnLog, options: TurnLoopOptions) {
    this.#request = request;
    this.#log = log;
    this.#options = options;
    this.#meter = new BudgetMeter(options.budget, options.prices);
    this.#signal = AbortSignal.any([options.signal, this.#timeIsOver.signal]);
    const { scope, session, context, citableTools } = options;
    this.#state = new TurnState(context);
    this.#client = session.client({ name: "turn", ...(scope === undefined ? {} : { scope }) });
    this.#calls = new ToolCalls({
      client: this.#client,
      context,
      meter: this.#meter,
      signal: this.#signal,
      citableTools,
      onCall: (entry) => {
        const parentId = entry.parent ?? this.#id(String(this.#round));
        this.#tell({ type: "call", id: entry.id, parentId, step: this.#round, entry });
      },
    });
  }

  /** Never rejects: a failure is an exit. */
  async run(): Promise<TurnResult> {
    const stopWatching = watchTime(this.#meter, this.#timeIsOver);
    let leaving: Leaving;
    try {
      leaving = await this.#work();
    } catch (error) {
      leaving = this.#failed(error);
    } finally {
      stopWatching();
    }
    const result = await this.#conclude(leaving);
    this.#tell({ type: "turn-ended", ...this.#root, result });
    this.#log.end();
    return result;
  }

  async #work(): Promise<Leaving> {
    const { context, session, systemSuffix = "" } = this.#options;
    await this.#begin();
    this.#signal.throwIfAborted();
    await session.tools.settled();
    const hints = await this.#agreeOnContract();
    this.#round = this.#state.turn.record.rounds.at(-1)?.number ?? 0;
    this.#budgets = new SlotBudgets(this.#state.contract.keys(), { ...hints, ...this.#request.budgets });
    const { turn } = this.#state;
    const first = `${turnMessage(context, turn, turn.record.contract)}\n\n${this.#budgets.line}`;
    const talk = new RoundTalk(systemPrompt(this.#client.listTools(), systemSuffix), first);
    let leaving: Leaving | null = null;
    while (leaving === null) {
      const gate = this.#budgets.gate(this.#state.openSlots);
      leaving = gate === "closed" ? leave("max_iterations") : await this.#takeRound(talk, gate);
    }
    return await this.#wrapUp(talk, leaving);
  }

  async #begin(): Promise<void> {
    const { context, model } = this.#options;
    const request = this.#request;
    const isReopened = "turnId" in request;
    if (isReopened) await context.reopenTurn(request.turnId);
    else await context.beginTurn(request);
    this.#state.begun();
    const { id: turnId, prompt } = this.#state.turn.record;
    const { name, kind } = model;
    this.#tell({ type: "turn-started", ...this.#root, turnId, prompt, model: { name, kind }, isReopened });
  }

  /** Asks the model where nobody said what the turn promises. @returns what it says about budgets. */
  async #agreeOnContract(): Promise<Readonly<Record<string, SlotBudget>>> {
    const { context } = this.#options;
    let budgets: Readonly<Record<string, SlotBudget>> = {};
    const from = context.contract === null ? "model" : "caller";
    if (context.contract === null) {
      const conversation = new Conversation(CONTRACT_PROMPT);
      conversation.say(turnMessage(context, this.#state.turn, "to be said now"));
      const reply = await this.#ask(new StepInProgress(this.#log.ofModel, 0), conversation);
      const said = readModelContract(reply);
      await context.setContract(said.slots);
      budgets = said.budgets;
    }
    this.#tell({ type: "contract", ...this.#at("contract"), contract: this.#state.contract, from });
    return budgets;
  }

  /** Null when the turn goes on. */
  async #takeRound(talk: RoundTalk, gate: Gate): Promise<Leaving | null> {
    const { context } = this.#options;
    const step = this.#openRound(gate === "overdraft");
    const snapshot = context.snapshot();
    const reply = await this.#ask(step, talk.conversation);
    talk.forgetShown();
    const read = readDecision(reply);
    if (read.kind === "fault") {
      const violation: Violation = { code: read.code, isRed: true, message: read.message };
      this.#tellViolations([violation], step);
      const leaving = await this.#withoutDecision(read.completionSummary);
      const about = { violations: [violation], mappings: [], made: null };
      await this.#state.note({ ...about, number: step.number, decision: null });
      if (leaving !== null) return leaving;
      const headline = "That was no decision; it does not count as a round.";
      this.#answer(talk, { ...about, step, reply, headline, shown: null });
      return null;
    }
    const { decision } = read;
    this.#nextModel = decision.nextDecisionModel;
    this.#budgets.spendRound();
    this.#tell({ type: "decision", ...step.part("decision"), decision });
    const mappings = await this.#map(decision, { step, snapshot });
    const outcome = await this.#carryOut({ step, decision, gate });
    if ("exit" in outcome) {
      talk.left(reply);
      await this.#state.note({ number: step.number, decision, violations: [], mappings, made: null });
      return outcome;
    }
    await this.#state.note({ ...outcome, number: step.number, decision, mappings });
    this.#answer(talk, { ...outcome, step, reply, mappings });
    const repeated = this.#repeated.count(decision, outcome.violations);
    if (repeated !== null) return repeated;
    this.#signal.throwIfAborted();
    if (this.#meter.reached !== null) throw this.#meter.reached;
    return null;
  }

  /** Where the reply says what the turn came to, that is its end; else it is asked for again, twice in a turn. */
  async #withoutDecision(summary: string): Promise<Leaving | null> {
    if (summary.trim() !== "") {
      await this.#options.context.answer(summary);
      return leave(this.#state.openSlots.length === 0 ? "complete" : "incomplete_contract");
    }
    return this.#budgets.spendRerun() ? null : leave("decision_reruns_exhausted");
  }

  async #carryOut({ step, decision, gate }: Round): Promise<RoundOutcome | Leaving> {
    const { action, strategy, completionSummary } = decision;
    const isDone = action === "complete" || action === "exit";
    if (gate === "overdraft" && !(isDone && this.#state.openSlots.length === 0)) {
      if (action !== "call_tool" || strategy !== "exploit") {
        const message = "The rounds are used up: only exploit with call_tool is left.";
        this.#tellViolations([{ code: "exploit_overdraft_blocked", isRed: true, message }], step);
        return leave("exploit_overdraft_blocked");
      }
      this.#budgets.spendOverdraft(decision.focusSlot, this.#state.openSlots);
    }
    if (isDone) {
      if (completionSummary !== "") await this.#options.context.answer(completionSummary);
      return leave(this.#state.openSlots.length === 0 ? "complete" : "incomplete_contract");
    }
    if (action === "clarify") {
      if (completionSummary !== "") await this.#options.context.answer(completionSummary);
      return leave("clarify", { questions: decision.clarificationQuestions });
    }
    if (action === "decision") return this.#look(decision, step);
    return this.#call({ step, decision, gate });
  }

  async #look(decision: TurnDecision, step: StepInProgress): Promise<RoundOutcome | Leaving> {
    const { showArtifacts, showSkills } = decision;
    if (showArtifacts.length === 0 && showSkills.length === 0) {
      const message = "A decision that only looks names what it wants to see: show_artifacts or show_skills.";
      this.#tellViolations([{ code: "decision_no_progress", isRed: true, message }], step);
      return leave("decision_no_progress");
    }
    if (!this.#budgets.spendContextRead()) return leave("context_reads_exhausted");
    return { headline: "Shown below.", violations: [], made: null, shown: await shownMessage(this.#options, decision) };
  }

  async #call({ step, decision, gate }: Round): Promise<RoundOutcome> {
    const { context } = this.#options;
    const verified = verifyCall(decision, {
      tools: this.#client.listTools(),
      bind: (params, directives, parameters) => context.bindParams(params, directives, { parameters }),
    });
    const { call } = verified;
    const violations = [...verified.violations];
    if (call === null || decision.toolCall === null) {
      this.#tellViolations(violations, step);
      return { headline: "The call was not made.", violations, made: null, shown: null };
    }
    if (gate === "open") violations.push(...this.#spendStage(decision));
    this.#budgets.spendCall();
    this.#tellViolations(violations, step);
    const promised = promisedArtifacts(decision);
    const made = await this.#calls.make(call, { decided: decision.toolCall, promised, round: step.number });
    for (const artifact of made.artifacts) {
      this.#tell({
        type: "artifact-made",
        ...step.part(`artifact/${artifact.id}@${String(artifact.version)}`),
        artifact,
      });
    }
    const headline = `${call.toolId}: ${made.error === null ? "ok" : `ERROR [${made.error.error}]`}. ${made.summary} ${made.warnings.join(" ")}`;
    return { headline: headline.trim(), violations, made, shown: await shownMessage(this.#options, decision) };
  }

  #spendStage({ focusSlot, strategy }: TurnDecision): Violation[] {
    const slot = focusSlot === "" ? (this.#state.openSlots[0] ?? "") : focusSlot;
    if (this.#state.contract.size > 0 && !this.#state.contract.has(slot)) {
      const message = `There is no slot ${slot.slice(0, 100)}; there are: ${[...this.#state.contract.keys()].join(", ")}.`;
      return [{ code: "unknown_focus_slot", isRed: false, message }];
    }
    if (this.#budgets.spendStage(slot, strategy) || this.#state.contract.size === 0) return [];
    return [{ code: "stage_used_up", isRed: false, message: `The rounds of ${strategy} for ${slot} are used up.` }];
  }

  async #map(
    decision: TurnDecision,
    { step, snapshot }: { readonly step: StepInProgress; readonly snapshot: ReadonlySet<string> },
  ): Promise<readonly MappingOutcome[]> {
    if (decision.mapSlots.length === 0) return [];
    const future = decision.action === "call_tool" ? promisedArtifacts(decision) : [];
    const outcomes = await this.#options.context.mapSlots(decision.mapSlots, { snapshot, future, round: step.number });
    for (const outcome of outcomes) {
      if (outcome.kind === "applied") {
        this.#tell({ type: "slot-filled", ...step.part(`slot/${outcome.slot.name}`), slot: outcome.slot });
        continue;
      }
      const { mapping, reason, message } = outcome;
      this.#tell({ type: "mapping-refused", ...step.next("mapping"), ...named(mapping), reason, message });
    }
    return outcomes;
  }

  /** One more round, for mapping alone, where that could fill what is open. */
  async #wrapUp(talk: RoundTalk, leaving: Leaving): Promise<Leaving> {
    const { context } = this.#options;
    const { unmapped: usable, openSlots: open } = this.#state;
    if (!WITH_WRAP_UP.includes(leaving.exit) || open.length === 0 || usable.length === 0) return leaving;
    this.#tell({ type: "wrap-up", ...this.#at("wrap-up"), openSlots: open });
    talk.sayLast(wrapUpMessage(open, usable));
    const step = this.#openRound(false);
    let reply: string;
    try {
      reply = await this.#ask(step, talk.conversation);
    } catch (error) {
      this.#signal.throwIfAborted();
      // Without it the turn is left as it would have been.
      this.#failed(error);
      return leaving;
    }
    const read = readDecision(reply);
    const about = { number: step.number, mappings: [], made: null };
    if (read.kind === "fault") {
      const violations: Violation[] = [{ code: read.code, isRed: true, message: read.message }];
      await this.#state.note({ ...about, decision: null, violations });
      return { ...leaving, exit: "wrapup_no_decision_rerun" };
    }
    const decision: TurnDecision = { ...read.decision, action: "exit" };
    this.#tell({ type: "decision", ...step.part("decision"), decision });
    const mappings = await this.#map(decision, { step, snapshot: context.snapshot() });
    const { completion } = this.#state.turn.record;
    if (completion === null && decision.completionSummary !== "") await context.answer(decision.completionSummary);
    await this.#state.note({ ...about, decision, violations: [], mappings });
    const isWhole = this.#state.openSlots.length === 0;
    return leaving.exit === "incomplete_contract" && isWhole ? { ...leaving, exit: "complete" } : leaving;
  }

  async #ask(step: StepInProgress, conversation: Conversation): Promise<string> {
    const { model, regularModel = model, retries = 2, maxTokens = 4_000 } = this.#options;
    const asked = this.#nextModel === "regular" ? regularModel : model;
    const caller = new ModelCaller({
      model: asked,
      retries,
      meter: this.#meter,
      pruning: keepLastSteps(5),
      signal: this.#signal,
    });
    const { text } = await caller.ask(step, conversation, { temperature: 0, maxTokens });
    return text;
  }

  #openRound(isOverdraft: boolean): StepInProgress {
    this.#round += 1;
    const step = new StepInProgress(this.#log.ofModel, this.#round);
    this.#tell({ type: "round-started", ...step.place, budgetState: this.#budgets.line, isOverdraft });
    return step;
  }

  /** Tells the model what came of its decision. */
  #answer(talk: RoundTalk, round: RoundOutcome & Answered): void {
    const { step, reply, headline, violations, made, mappings, shown } = round;
    const told = roundMessage({
      headline,
      violations,
      mappings,
      artifacts: made?.artifacts ?? [],
      openSlots: this.#state.openSlots,
      budgetState: this.#budgets.line,
    });
    talk.answer(reply, { told, shown });
    this.#tell({ type: "round-ended", ...step.place, told, usage: this.#meter.usage });
  }

  #tellViolations(violations: readonly Violation[], step: StepInProgress): void {
    for (const violation of violations) this.#tell({ type: "violation", ...step.next("violation"), violation });
  }

  #failed(thrown: unknown): Leaving {
    if (this.#options.signal.aborted) return leave("cancelled");
    const error = asError(this.#timeIsOver.signal.aborted ? this.#timeIsOver.signal.reason : thrown);
    if (error instanceof BudgetReachedError) {
      const { kind, limit, message } = error;
      this.#tell({ type: "limit", ...this.#root, kind, limit, message });
    } else this.#tellError(error);
    return leaveFor(error);
  }

  #tellError(error: Error): void {
    const { name, message } = error;
    this.#tell({ type: "error", ...this.#at("error"), name, code: codeOf(error), message, error });
  }

  /** What cannot be stored any more is told of, and takes no result away. */
  async #conclude({ exit, failure, questions }: Leaving): Promise<TurnResult> {
    const { context } = this.#options;
    const result = turnResult({
      turn: this.#state.turn,
      contract: this.#state.contract,
      contractRecord: this.#state.contractRecord,
      sources: context.sources,
      exit,
      failure,
      clarificationQuestions: questions,
      usage: this.#meter.usage,
      elapsed: performance.now() - this.#startedAt,
    });
    if (!this.#state.hasBegun) return result;
    try {
      await context.endTurn({ exit, status: result.status, time: Date.now(), result: result.envelope });
    } catch (error) {
      this.#tellError(asError(error));
    }
    return result;
  }

  #tell(body: TurnEventBody): void {
    this.#log.add(body);
  }

  #id(part: string): string {
    return `${this.#log.taskId}/${part}`;
  }

  /** The place of something that happens once, below the turn. */
  #at(part: string): { id: string; parentId: string; step: null } {
    return { id: this.#id(part), parentId: this.#log.taskId, step: null };
  }

  get #root(): { id: string; parentId: null; step: null } {
    return { id: this.#log.taskId, parentId: null, step: null };
  }
}

function named({ slotName, sourcePath }: MappingOutcome["mapping"]): { slotName: string; sourcePath: string } {
  return { slotName, sourcePath };
}
