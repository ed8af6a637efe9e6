import {
  BudgetMeter,
  BudgetReachedError,
  CallReporter,
  Conversation,
  keepLastSteps,
  ModelCaller,
  StepInProgress,
  watchTime,
  Work,
} from "../agent/index.js";
import type { MappingOutcome } from "../context/index.js";
import type { CallingTask } from "../tools/index.js";
import { readModelContract } from "./ask-contract.js";
import { settleBegunCall } from "./begun-call.js";
import { readDecision, type ReadDecision, type TurnDecision } from "./decision.js";
import type { DecisionLoopOptions, TurnRequest } from "./decision-loop-options.js";
import { DecisionWork, type Round, type RoundOutcome } from "./decision-work.js";
import type { TurnLog } from "./events.js";
import { exitFor, exitWith, WITH_WRAP_UP, type TurnExit } from "./turn-exit.js";
import { CONTRACT_PROMPT, roundMessage, systemPrompt, turnMessage, wrapUpMessage } from "./prompt.js";
import { RepeatedCalls } from "./repeated-calls.js";
import { RoundTalk } from "./round-talk.js";
import type { Gate } from "./slot-budgets.js";
import type { SlotHints } from "./slot-hints.js";
import { ToolCalls } from "./tool-calls.js";
import { turnResult, type TurnResult } from "./turn-result.js";
import { TurnState } from "./turn-state.js";
import { TurnReporter } from "./turn-reporter.js";
import type { Violation } from "./verify-call.js";

export interface TurnLoopOptions extends DecisionLoopOptions {
  readonly signal: AbortSignal | undefined;
  readonly task: CallingTask | undefined;
}

/** A round that the model is told about. */
interface Answered extends RoundOutcome {
  readonly reply: string;
  readonly mappings: readonly MappingOutcome[];
}

interface RoundEnd {
  /** What the model reads of the round; empty where it reads nothing. */
  readonly message: string;
  /** Null when the turn goes on. */
  readonly exit: TurnExit | null;
}

/** One turn, from its prompt to its exit. */
export class TurnLoop {
  readonly #request: TurnRequest;
  readonly #options: TurnLoopOptions;
  readonly #work: Work<TurnLog>;
  readonly #reporter: TurnReporter;
  readonly #state: TurnState;
  readonly #client: ReturnType<DecisionLoopOptions["session"]["client"]>;
  readonly #calls: ToolCalls;
  readonly #decisions: DecisionWork;
  readonly #repeated = new RepeatedCalls();
  readonly #startedAt = performance.now();
  #nextModel: TurnDecision["nextDecisionModel"] = "strong";
  #round = 0;
  /** Of the round that left: nothing was told after it. */
  #untold: readonly MappingOutcome[] = [];

  constructor(request: TurnRequest, log: TurnLog, options: TurnLoopOptions) {
    const { scope, session, context, citableTools, task } = options;
    this.#request = request;
    this.#options = options;
    this.#work = new Work({
      name: "turn",
      log,
      meter: new BudgetMeter(options.budget, options.prices, BudgetMeter.of(task)),
      signal: options.signal,
      callId: null,
      caller: task ?? null,
      programsReportCalls: false,
    });
    this.#reporter = new TurnReporter(this.#work);
    this.#state = new TurnState(context);
    this.#client = session.client({ name: "turn", ...(scope === undefined ? {} : { scope }) });
    const calls = new CallReporter(this.#work, (entry, parentId) => {
      this.#reporter.report({ type: "call", id: entry.id, parentId, step: this.#round, entry });
    });
    this.#calls = new ToolCalls({
      client: this.#client,
      context,
      work: this.#work,
      citableTools,
      onCall: (entry) => {
        calls.report(entry, entry.parent ?? this.#reporter.part(String(this.#round)).id);
      },
    });
    this.#decisions = new DecisionWork({
      context,
      session,
      client: this.#client,
      calls: this.#calls,
      state: this.#state,
      reporter: this.#reporter,
    });
  }

  /** Never rejects: a failure is an exit. */
  async run(): Promise<TurnResult> {
    const stopWatching = watchTime(this.#work);
    let exit: TurnExit;
    let letGo = (): Promise<void> => Promise.resolve();
    try {
      letGo = await this.#options.context.hold();
      exit = await this.#solve();
    } catch (error) {
      exit = this.#failed(error);
    } finally {
      await this.#calls.close();
      stopWatching();
    }
    const result = await this.#conclude(exit);
    await letGo();
    this.#reporter.report({ type: "turn-ended", ...this.#reporter.root, result });
    this.#reporter.log.end();
    return result;
  }

  async #solve(): Promise<TurnExit> {
    const { context, session, systemSuffix = "" } = this.#options;
    await this.#begin();
    this.#work.signal.throwIfAborted();
    await session.tools.settled();
    const said = await this.#agreeOnContract();
    this.#round = this.#state.turn.record.rounds.at(-1)?.number ?? 0;
    this.#state.openBudgets(said, this.#request.budgets ?? {});
    const { turn, budgets } = this.#state;
    const first = `${turnMessage(context, turn, turn.record.contract)}\n\n${budgets.line}`;
    const talk = new RoundTalk(systemPrompt(this.#client.listTools(), systemSuffix), first);
    let exit: TurnExit | null = null;
    while (exit === null) {
      const gate = budgets.gate(this.#state.openSlots);
      exit = gate === "closed" ? this.#usedUp() : await this.#takeRound(talk, gate);
    }
    return await this.#wrapUp(talk, exit);
  }

  async #begin(): Promise<void> {
    const { context, model, session } = this.#options;
    const request = this.#request;
    const isReopened = "turnId" in request;
    if (isReopened) await context.reopenTurn(request.turnId);
    else await context.beginTurn(request);
    this.#state.begun();
    const { id: turnId, prompt, rounds } = this.#state.turn.record;
    const { name, kind } = model;
    this.#reporter.report({
      type: "turn-started",
      ...this.#reporter.root,
      turnId,
      prompt,
      model: { name, kind },
      isReopened,
    });
    const last = rounds.at(-1);
    const settled = last === undefined ? null : await settleBegunCall(context, last, session.journal);
    for (const artifact of settled?.artifacts ?? []) {
      const part = `artifact/${artifact.id}@${String(artifact.version)}`;
      this.#reporter.report({ type: "artifact-made", ...this.#reporter.part(part), artifact });
    }
  }

  /** Asks the model where nobody said what the turn promises. @returns what it says about budgets. */
  async #agreeOnContract(): Promise<SlotHints> {
    const { context } = this.#options;
    let budgets: SlotHints = {};
    const from = context.contract === null ? "model" : "caller";
    if (context.contract === null) {
      const conversation = new Conversation(CONTRACT_PROMPT);
      conversation.say(turnMessage(context, this.#state.turn, "to be said now"));
      const reply = await this.#ask(new StepInProgress(this.#work.log, 0), conversation);
      const said = readModelContract(reply);
      await context.setContract(said.slots);
      budgets = said.budgets;
    }
    this.#reporter.report({
      type: "contract",
      ...this.#reporter.part("contract"),
      contract: this.#state.contract,
      from,
    });
    return budgets;
  }

  #usedUp(): TurnExit {
    const { kind, limit } = this.#state.budgets.usedUp;
    const message = `The turn's ${kind === "steps" ? "rounds" : "calls"} are used up: ${String(limit)}. Take it up again with higher \`budgets\`.`;
    this.#reporter.limit({ kind, limit, message });
    return exitWith("max_iterations");
  }

  /** Null when the turn goes on. A round that has begun ends, whatever becomes of it. */
  async #takeRound(talk: RoundTalk, gate: Gate): Promise<TurnExit | null> {
    const step = this.#openRound(gate === "overdraft");
    let message = "";
    let exit: TurnExit | null;
    try {
      ({ message, exit } = await this.#decide(talk, gate, step));
    } finally {
      this.#endRound(step, message);
    }
    if (exit !== null) return exit;
    this.#work.signal.throwIfAborted();
    const { reached } = this.#work.meter;
    if (reached !== null) throw reached;
    return null;
  }

  async #decide(talk: RoundTalk, gate: Gate, step: StepInProgress): Promise<RoundEnd> {
    const snapshot = this.#options.context.snapshot();
    const reply = await this.#ask(step, talk.conversation);
    talk.forgetShown();
    const read = readDecision(reply);
    if (read.kind === "fault") return this.#withoutDecision(talk, read, { step, reply });
    const { decision } = read;
    this.#nextModel = decision.nextDecisionModel;
    this.#state.budgets.spendRound();
    this.#reporter.report({ type: "decision", ...step.part("decision"), decision });
    const mappings = await this.#decisions.map(decision, { step, snapshot });
    const outcome = await this.#carryOut({ step, decision, gate, mappings });
    if ("reason" in outcome) {
      talk.left(reply);
      this.#untold = mappings;
      await this.#state.note({ number: step.number, decision, violations: [], mappings, made: null });
      return { message: "", exit: outcome };
    }
    await this.#state.note({ ...outcome, number: step.number, decision, mappings });
    const message = this.#answer(talk, { ...outcome, reply, mappings });
    return { message, exit: this.#repeated.count(decision, outcome.violations) };
  }

  /** A round that the budget ends is kept all the same. */
  async #carryOut(round: Round): Promise<RoundOutcome | TurnExit> {
    try {
      return await this.#decisions.carryOut(round);
    } catch (error) {
      if (error instanceof BudgetReachedError) {
        const { step, decision, mappings } = round;
        await this.#state.note({ number: step.number, decision, violations: [], mappings, made: null });
      }
      throw error;
    }
  }

  /** Where the reply ends the turn with what it came to, that is its end; else it is asked for again, twice in a turn. */
  async #withoutDecision(
    talk: RoundTalk,
    { code, message, completionSummary }: Extract<ReadDecision, { readonly kind: "fault" }>,
    { step, reply }: { readonly step: StepInProgress; readonly reply: string },
  ): Promise<RoundEnd> {
    const violations: Violation[] = [{ code, isRed: true, message }];
    this.#reporter.violations(violations, step);
    let exit: TurnExit | null = null;
    if (completionSummary.trim() !== "") {
      await this.#options.context.answer(completionSummary);
      exit = exitWith(this.#state.openSlots.length === 0 ? "complete" : "incomplete_contract");
    } else if (!this.#state.budgets.spendRerun()) exit = exitWith("decision_reruns_exhausted");
    const about = { violations, mappings: [], made: null };
    await this.#state.note({ ...about, number: step.number, decision: null });
    if (exit !== null) return { message: "", exit };
    const headline = "That was no decision; it does not count as a round.";
    return { message: this.#answer(talk, { ...about, reply, headline, shown: null }), exit };
  }

  /** One more round, for mapping alone, where that could fill what is open. */
  async #wrapUp(talk: RoundTalk, exit: TurnExit): Promise<TurnExit> {
    const { unmapped: usable, openSlots: open } = this.#state;
    if (!WITH_WRAP_UP.includes(exit.reason) || open.length === 0 || usable.length === 0) return exit;
    this.#reporter.report({ type: "wrap-up", ...this.#reporter.part("wrap-up"), openSlots: open });
    talk.sayLast(wrapUpMessage(open, usable, this.#untold));
    const step = this.#openRound(false);
    try {
      return await this.#mapLast(talk, step, exit);
    } finally {
      this.#endRound(step, "");
    }
  }

  async #mapLast(talk: RoundTalk, step: StepInProgress, exit: TurnExit): Promise<TurnExit> {
    const { context } = this.#options;
    let reply: string;
    try {
      reply = await this.#ask(step, talk.conversation);
    } catch (error) {
      this.#work.signal.throwIfAborted();
      // Without it the turn is left as it would have been.
      this.#failed(error);
      return exit;
    }
    const read = readDecision(reply);
    const about = { number: step.number, mappings: [], made: null };
    if (read.kind === "fault") {
      const violations: Violation[] = [{ code: read.code, isRed: true, message: read.message }];
      await this.#state.note({ ...about, decision: null, violations });
      return { ...exit, reason: "wrapup_no_decision_rerun" };
    }
    const decision: TurnDecision = { ...read.decision, action: "exit" };
    this.#reporter.report({ type: "decision", ...step.part("decision"), decision });
    const mappings = await this.#decisions.map(decision, { step, snapshot: context.snapshot() });
    const { completion } = this.#state.turn.record;
    if (completion === null && decision.completionSummary !== "") await context.answer(decision.completionSummary);
    await this.#state.note({ ...about, decision, violations: [], mappings });
    const isWhole = this.#state.openSlots.length === 0;
    return exit.reason === "incomplete_contract" && isWhole ? { ...exit, reason: "complete" } : exit;
  }

  async #ask(step: StepInProgress, conversation: Conversation): Promise<string> {
    const { model, regularModel = model, retries = 2, maxTokens = 4_000 } = this.#options;
    const asked = this.#nextModel === "regular" ? regularModel : model;
    const caller = new ModelCaller({
      model: asked,
      retries,
      meter: this.#work.meter,
      pruning: keepLastSteps(5),
      signal: this.#work.signal,
    });
    const { text } = await caller.ask(step, conversation, { temperature: 0, maxTokens });
    return text;
  }

  #openRound(isOverdraft: boolean): StepInProgress {
    this.#round += 1;
    const step = new StepInProgress(this.#work.log, this.#round);
    const budgetState = this.#state.budgets.line;
    this.#reporter.report({ type: "round-started", ...step.ids, budgetState, isOverdraft });
    return step;
  }

  #endRound(step: StepInProgress, message: string): void {
    this.#reporter.report({ type: "round-ended", ...step.ids, told: message, usage: this.#work.meter.usage });
  }

  /** Tells the model what came of its decision. */
  #answer(talk: RoundTalk, { reply, headline, violations, made, mappings, shown }: Answered): string {
    const message = roundMessage({
      headline,
      violations,
      mappings,
      artifacts: made?.artifacts ?? [],
      openSlots: this.#state.openSlots,
      budgetState: this.#state.budgets.line,
    });
    talk.answer(reply, { message, shown });
    return message;
  }

  #failed(thrown: unknown): TurnExit {
    const error = this.#reporter.failure(thrown);
    return error === null ? exitWith("cancelled") : exitFor(error);
  }

  /** What cannot be stored any more is told of, and takes no result away. */
  async #conclude({ reason: exit, failure, questions }: TurnExit): Promise<TurnResult> {
    const { context } = this.#options;
    const result = turnResult({
      turn: this.#state.turn,
      contract: this.#state.contract,
      contractRecord: this.#state.contractRecord,
      sources: context.sources,
      exit,
      failure,
      clarificationQuestions: questions,
      usage: this.#work.meter.usage,
      elapsed: performance.now() - this.#startedAt,
    });
    if (!this.#state.hasBegun) return result;
    try {
      await context.endTurn({ exit, status: result.status, time: Date.now(), result: result.envelope });
    } catch (error) {
      this.#reporter.error(error);
    }
    return result;
  }
}
