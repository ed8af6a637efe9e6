import { ModelError, type Model, type ModelMessage } from "../../model/index.js";
import { messageOf, unlessAborted } from "../../protocol/index.js";
import type { AgentKind, ModelReply, Notify } from "../work/agent-kind.js";
import type { TaskBudget } from "../budget/budget.js";
import { Conversation, type ConversationItem, type PruningStrategy } from "../conversation/conversation.js";
import { BudgetReachedError, StepLimitReachedError, TaskEndedError } from "../errors.js";
import type { EventLog } from "../work/event-log.js";
import type { AgentAnswer, AgentResult, TaskSignal } from "../events/events.js";
import type { LearnedSkill } from "../events/learned-skill.js";
import type { SkillLearning } from "../learning/skill-learning.js";
import { ModelCaller } from "../work/model-caller.js";
import { rememberedReply } from "../conversation/remembered-reply.js";
import type { TaskRecorder } from "../saved/task-recorder.js";
import { StepInProgress } from "../work/step.js";
import { NOTHING_LOST } from "../work/taken-up.js";
import { watchTime } from "../work/watch-time.js";
import type { Work } from "../work/work.js";
import { WorkReporter } from "../work/work-reporter.js";
import { cutStep, type ResumedTask } from "./take-up.js";

export interface TaskLoopOptions {
  readonly work: Work;
  readonly kind: AgentKind;
  readonly model: Model;
  readonly maxSteps: number;
  readonly budget: TaskBudget;
  readonly retries: number;
  readonly pruning: PruningStrategy;
  /** Whether every step is pruned, and not only a conversation that is too long. */
  readonly prunesEachStep: boolean;
  /** What was said before this task, and by which task. */
  readonly after: { readonly taskId: string; readonly items: readonly ConversationItem[] } | null;
  /** What the task was before it goes on now; null for one that begins. */
  readonly resumed: ResumedTask | null;
  /** Learns a skill of the task; null where the agent learns none. */
  readonly learning: SkillLearning | null;
  /** Keeps the task; null where nobody does. */
  readonly recorder: TaskRecorder | null;
}

/** Why a task does not go on. */
type Ending =
  | { readonly state: "completed"; readonly answer: AgentAnswer }
  | { readonly state: "step_limit_reached"; readonly answer: AgentAnswer | null; readonly error: Error | null }
  | { readonly state: "budget_reached" | "error"; readonly error: Error }
  | { readonly state: "cancelled" };

/** One `agent.run`, from the task to its end: what agents of every kind share. */
export class TaskLoop {
  readonly #task: string;
  readonly #log: EventLog;
  readonly #reporter: WorkReporter<EventLog>;
  readonly #options: TaskLoopOptions;
  readonly #caller: ModelCaller;
  readonly #steps: StepInProgress[];
  readonly #unheard: string[] = [];
  readonly #startedAt = performance.now();
  readonly #signal: AbortSignal;
  #conversation: Conversation | undefined;
  #learned: LearnedSkill | null = null;

  constructor(task: string, options: TaskLoopOptions) {
    const { log, meter, signal } = options.work;
    this.#task = task;
    this.#log = log;
    this.#reporter = new WorkReporter(options.work);
    this.#options = options;
    this.#signal = signal;
    log.listen((event) => {
      options.recorder?.add(event);
    });
    this.#unheard.push(...(options.resumed?.unheard ?? []));
    this.#steps = (options.resumed?.steps ?? []).map((step) => new StepInProgress(log, step.number, step));
    const { model, retries, pruning } = options;
    this.#caller = new ModelCaller({ model, retries, meter, pruning, signal });
  }

  /** What was said in this task and in those that it continues; empty before it began. */
  get conversation(): readonly ConversationItem[] {
    return this.#conversation?.items ?? [];
  }

  /** @throws {TaskEndedError} */
  say(text: string): void {
    if (this.#log.hasEnded) throw new TaskEndedError(this.#log.taskId);
    this.#unheard.push(text);
    this.#log.add({ type: "user-message", ...this.#reporter.next("user-message"), text });
  }

  /** Never rejects: a failure is an ending. */
  async run(): Promise<AgentResult> {
    const { work, resumed } = this.#options;
    if (resumed === null) this.#begin();
    const stopWatching = watchTime(work);
    const ending = await this.#takeSteps();
    await this.#close(ending);
    stopWatching();
    const answer = "answer" in ending ? ending.answer : null;
    const result: AgentResult = {
      taskId: this.#log.taskId,
      task: this.#task,
      state: ending.state,
      output: answer?.text ?? "",
      answer,
      error: "error" in ending ? ending.error : null,
      steps: this.#steps.map(({ record }) => record),
      signals: this.#steps.flatMap(signalsOf),
      usage: work.meter.usage,
      elapsed: performance.now() - this.#startedAt,
      ...(this.#learned === null ? {} : { learned: this.#learned }),
    };
    await this.#save();
    // A task that goes on from here knows it, also what was said while this one was saved.
    if (this.#conversation !== undefined) this.#tellModel(this.#conversation);
    this.#log.add({ type: "task-ended", ...this.#reporter.root, result });
    this.#log.end();
    // What the storage refuses at the very end, its store has been told.
    await this.#options.recorder?.finish().catch(() => undefined);
    return result;
  }

  /** What cannot be saved is told of, and takes no answer away. */
  async #save(): Promise<void> {
    try {
      await this.#options.recorder?.flush();
    } catch (error) {
      const message = `The task is not saved whole: ${messageOf(error)}`;
      this.#reporter.notice({ code: "TASK_NOT_SAVED", message });
    }
  }

  #begin(): void {
    const { model, maxSteps, kind, budget, after } = this.#options;
    this.#log.add({
      type: "task-started",
      ...this.#reporter.root,
      task: this.#task,
      agent: kind.name,
      model: { name: model.name, kind: model.kind },
      maxSteps,
      budget,
      after: after?.taskId ?? null,
      before: after?.items ?? [],
    });
  }

  /** Tells the model and whoever follows the task what is there still, and closes the step that did not end. */
  async #takeUp(conversation: Conversation, resumed: ResumedTask): Promise<void> {
    const { model, maxSteps, kind, budget } = this.#options;
    const names = (await kind.takeUp?.(resumed.steps, this.#signal)) ?? NOTHING_LOST;
    const interrupted = await resumed.interrupted(kind.journal ?? null);
    const observation = resumed.observe(interrupted, names);
    this.#log.add({
      type: "task-resumed",
      ...this.#reporter.root,
      model: { name: model.name, kind: model.kind },
      maxSteps,
      budget,
      interrupted,
      ...names,
      told: resumed.reply === null ? observation : null,
    });
    if (observation !== null && resumed.reply === null) conversation.say(observation);
    const step = this.#steps.find(({ number }) => number === resumed.openStep);
    if (step === undefined) return;
    step.record.observation = observation;
    if (resumed.reply !== null && observation !== null) {
      step.remembered = { kind: "step", reply: resumed.reply, told: [{ role: "user", content: observation }] };
      conversation.addStep(step.remembered);
    }
    this.#closeStep(step);
  }

  /** What cannot be freed is told of, and changes nothing about how the task ended. */
  async #close(ending: Ending): Promise<void> {
    try {
      // Those who were stopped with this task take a moment to stop, and what they say of it belongs to it.
      await this.#options.work.settled();
      if (ending.state === "completed") await this.#learn();
      await this.#finish();
      await this.#options.kind.close?.();
    } catch (error) {
      const message = `The task's session could not be closed: ${messageOf(error)}`;
      this.#reporter.notice({ code: "SESSION_NOT_CLOSED", message });
    }
  }

  /** A failure to save is a notice, and the task keeps its answer. */
  async #finish(): Promise<void> {
    try {
      for (const name of (await this.#options.kind.finish?.()) ?? []) {
        this.#log.add({ type: "artifact", ...this.#reporter.next("artifact"), name });
      }
    } catch (error) {
      this.#reporter.notice({
        code: "ARTIFACT_NOT_SAVED",
        message: `What belongs to the task was not saved: ${messageOf(error)}`,
      });
    }
  }

  /** Whatever comes of it, the task keeps its answer. */
  async #learn(): Promise<void> {
    const { learning } = this.#options;
    const conversation = this.#conversation;
    if (learning === null || conversation === undefined) return;
    const steps = this.#steps.map(({ record }) => record);
    this.#learned = await learning.learn({ steps, conversation, caller: this.#caller, signal: this.#signal });
  }

  async #takeSteps(): Promise<Ending> {
    const { maxSteps, kind, after, resumed, recorder } = this.#options;
    let conversation: Conversation;
    try {
      this.#signal.throwIfAborted();
      const refusal = resumed === null ? null : ((await recorder?.lock()) ?? null);
      if (refusal !== null) throw refusal;
      const prompt = await unlessAborted(
        kind.systemPrompt((notice) => {
          this.#reporter.notice(notice);
        }),
        this.#signal,
      );
      conversation = new Conversation(prompt, resumed?.items ?? after?.items);
      this.#conversation = conversation;
      if (resumed === null) conversation.say(this.#task);
      else await this.#takeUp(conversation, resumed);
    } catch (error) {
      return this.#fail(error, null);
    }
    while (this.#steps.length < maxSteps) {
      const ending = await this.#takeStep(conversation);
      if (ending !== null) return ending;
    }
    return this.#endAtStepLimit(conversation);
  }

  /** Null when the task goes on. */
  async #takeStep(conversation: Conversation): Promise<Ending | null> {
    const { kind, pruning, prunesEachStep } = this.#options;
    const step = this.#openStep();
    let hasReply = false;
    try {
      this.#tellModel(conversation);
      const reply = await this.#ask(step, conversation);
      hasReply = true;
      const outcome = await kind.act(reply, step, this.#signal);
      // Said before it is looked whether the task may go on: what the model was told is part of the story.
      if (outcome.kind === "observed") {
        step.record.observation = outcome.observation;
        this.#remember(conversation, step, { reply, told: outcome.messages });
        if (prunesEachStep) conversation.prune(pruning);
      }
      // An answer that is there is worth more than the stop that came too late for it.
      if (outcome.kind === "answered") {
        this.#remember(conversation, step, { reply, told: [] });
        return this.#answer(step, outcome.answer);
      }
      this.#signal.throwIfAborted();
      const { reached } = this.#options.work.meter;
      return reached === null ? null : this.#fail(reached, step);
    } catch (error) {
      // Of what the model said without anything being done nobody goes on.
      if (hasReply) this.#keepCut(step, conversation);
      return this.#fail(error, step);
    } finally {
      this.#closeStep(step);
    }
  }

  /** Asks in the way that the kind finds, as long as the model refuses what it was asked in. */
  async #ask(step: StepInProgress, conversation: Conversation): Promise<ModelReply> {
    const { kind } = this.#options;
    for (;;) {
      try {
        const reply = await this.#caller.ask(step, conversation, kind.request());
        // Kept before anything comes of it, so that this can be told apart later; what is not kept the end tells of.
        await this.#options.recorder?.flush().catch(() => undefined);
        this.#signal.throwIfAborted();
        return reply;
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        const notify: Notify = (notice) => {
          step.add({ type: "notice", ...step.next("notice"), notice });
        };
        const prompt = kind.adapt?.(error, notify) ?? null;
        if (prompt === null) throw error;
        conversation.instruct(prompt);
      }
    }
  }

  async #endAtStepLimit(conversation: Conversation): Promise<Ending> {
    const { maxSteps, kind } = this.#options;
    const attempted = kind.lastAttempt !== undefined && maxSteps > 0;
    const error = new StepLimitReachedError(this.#steps.length, attempted);
    this.#reporter.limit({ kind: "steps", limit: maxSteps, message: error.message });
    if (!attempted) return { state: "step_limit_reached", answer: null, error };
    const { message, request, read } = kind.lastAttempt;
    const step = this.#openStep();
    try {
      this.#tellModel(conversation);
      conversation.say(message);
      const reply = await this.#caller.ask(step, conversation, request);
      const answer = await read(reply);
      this.#remember(conversation, step, { reply, told: [] });
      if (answer !== null) this.#answer(step, answer);
      return { state: "step_limit_reached", answer, error: answer === null ? error : null };
    } catch (failure) {
      return this.#fail(failure, step);
    } finally {
      this.#closeStep(step);
    }
  }

  #remember(
    conversation: Conversation,
    step: StepInProgress,
    { reply, told }: { readonly reply: ModelReply; readonly told: readonly ModelMessage[] },
  ): void {
    step.remembered = { kind: "step", reply: rememberedReply(reply, told), told };
    conversation.addStep(step.remembered);
  }

  /** What the step has done stays, so who goes on from here is told of it. */
  #keepCut(step: StepInProgress, conversation: Conversation): void {
    const cut = step.remembered === null ? cutStep(this.#log) : null;
    if (cut === null) return;
    step.interrupted = cut.interrupted;
    step.record.observation = cut.observation;
    step.remembered = cut.remembered;
    conversation.addStep(cut.remembered);
  }

  /** What the person has said since the model was asked last. */
  #tellModel(conversation: Conversation): void {
    for (const text of this.#unheard.splice(0)) conversation.say(text);
  }

  #answer(step: StepInProgress, answer: AgentAnswer): Ending {
    step.add({ type: "answer", ...step.part("answer"), answer });
    return { state: "completed", answer };
  }

  #fail(thrown: unknown, step: StepInProgress | null): Ending {
    const error = this.#reporter.failure(thrown, step?.part("error"));
    if (error === null) return { state: "cancelled" };
    return { state: error instanceof BudgetReachedError ? "budget_reached" : "error", error };
  }

  #openStep(): StepInProgress {
    const step = new StepInProgress(this.#log, this.#steps.length + 1);
    this.#steps.push(step);
    step.add({ type: "step-started", ...step.ids, callsRunId: this.#options.kind.callsRunId ?? null });
    return step;
  }

  #closeStep(step: StepInProgress): void {
    const { remembered, interrupted } = step;
    const { run, observation } = step.record;
    step.add({
      type: "step-ended",
      ...step.ids,
      run,
      observation,
      remembered,
      ...(interrupted === null ? {} : { interrupted }),
      usage: this.#options.work.meter.usage,
    });
  }
}

function signalsOf({ number, record }: StepInProgress): TaskSignal[] {
  return (record.run?.signals ?? []).map(({ type, message }) => ({ step: number, type, message }));
}
