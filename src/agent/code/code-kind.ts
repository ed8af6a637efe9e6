import type { ContentPart, ModelRequest } from "../../model/index.js";
import { shortenBytes, type OutputChunk, type SourceFile } from "../../protocol/index.js";
import { newRunId, type ObserveTool, type RunResult } from "../../session/index.js";
import type { ValueSchema } from "../../tools/index.js";
import type { AgentKind, ModelReply, Notify, StepOutcome, TrialAccess } from "../work/agent-kind.js";
import { trialAccess } from "../work/trial-access.js";
import type { AgentCheck, AgentRunOptions, AgentSession, CallJournal } from "../agent-session.js";
import { AnswerForm } from "../work/answer-form.js";
import { TaskSessionError } from "../errors.js";
import type { AgentStep } from "../events/events.js";
import { endOfPrompt, rulesOf } from "../work/prompt-file.js";
import { PICTURE_TYPES, ShownPictures } from "../work/pictures.js";
import { stepCalls } from "../work/call-reporter.js";
import type { StepInProgress } from "../work/step.js";
import { NOTHING_LOST, type TakenUp } from "../work/taken-up.js";
import type { Work } from "../work/work.js";
import type { TaskSession } from "../task-session.js";
import { budgetPolicy } from "../budget/budget-policy.js";
import { extractCode, type ExtractedCode } from "../conversation/extract-code.js";
import { CUT_REPLY_TEXT, failureOf, observe, RETRY_TEXT, WITHHELD_REPLY_TEXT } from "./observation.js";
import { codeSystemPrompt } from "./prompts.js";
import { toolHints } from "./tool-hints.js";
import { WorkingMemory } from "./working-memory.js";

/** Where a question comes from, and how long it is wanted. */
export interface QuestionContext {
  /** That of the question's event. */
  readonly id: string;
  /** Aborted once nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Asks the person something that the code wants to know. */
export type OnQuestion = (question: string, context: QuestionContext) => Promise<string>;

export interface CodeKindOptions extends TaskSession<AgentSession> {
  readonly work: Work;
  readonly check: AgentCheck;
  readonly systemSuffix: string;
  /** Rules in the place of those of the built-in prompt. */
  readonly promptFile: SourceFile | undefined;
  readonly imports: readonly string[] | undefined;
  /** Milliseconds; null for no limit, undefined for the session's. */
  readonly timeout: number | null | undefined;
  readonly heapGrowth: number | undefined;
  readonly outputBytes: number;
  readonly answer: ValueSchema | undefined;
  readonly onQuestion: OnQuestion | undefined;
  /** Whether the model is shown the pictures that its code drew. */
  readonly sees: boolean;
}

/** An agent that thinks in Python: each reply holds a block of code, which is run in the session. */
export class CodeKind implements AgentKind {
  readonly name = "code";
  readonly #options: CodeKindOptions;
  readonly #memory = new WorkingMemory();
  readonly #answerForm: AnswerForm | null;
  #session: AgentSession | undefined;
  #onTool: ObserveTool | undefined;
  /** Of the next step's run. */
  #runId = newRunId();

  constructor(options: CodeKindOptions) {
    this.#options = options;
    this.#answerForm = options.answer === undefined ? null : new AnswerForm(options.answer);
  }

  async systemPrompt(notify: Notify): Promise<string> {
    const { openSession, systemSuffix, promptFile } = this.#options;
    const session = await openSession();
    const { imports = session.imports } = this.#options;
    this.#session = session;
    await session.tools.settled?.();
    const [tools, { skills }, files] = await Promise.all([
      session.tools.list(),
      session.skills.list(),
      session.workspace.list(),
    ]);
    return codeSystemPrompt({
      tools,
      skills,
      files,
      suffix: endOfPrompt(session, systemSuffix),
      rules: rulesOf(promptFile, notify),
      ...(imports === undefined ? {} : { imports }),
    });
  }

  async takeUp(steps: readonly AgentStep[], signal: AbortSignal): Promise<TakenUp> {
    this.#answerForm?.takeUp(steps);
    for (const { number, run } of steps) {
      if (run === null) continue;
      if (run.lost) this.#memory.loseValues();
      this.#memory.update(run.memory);
      // What a person stopped is no approach that failed.
      const failure = run.error?.code === "RUN_INTERRUPTED" ? null : failureOf(run);
      if (failure !== null) this.#memory.fail(number, failure);
    }
    const known = this.#memory.variables;
    if (known.length === 0) return NOTHING_LOST;
    const { memory } = await this.#look(signal);
    if (memory === null) return { gone: [], unknown: known };
    const there = new Set(memory.variables);
    // A memory that the interpreter knows is as it was; else it has been told what was found out.
    this.#memory.update(memory);
    return { gone: known.filter((name) => !there.has(name)), unknown: [] };
  }

  observeTools(observe: ObserveTool): void {
    this.#onTool = observe;
  }

  get learning(): TrialAccess | null {
    const { imports } = this.#options;
    const session = this.#opened;
    const calls = session.client?.({ caller: "agent" });
    return trialAccess(session, { calls, imports, tools: async () => session.tools.list() });
  }

  async finish(): Promise<readonly string[]> {
    return (await this.#session?.finish?.()) ?? [];
  }

  async close(): Promise<void> {
    await this.#options.closeSession();
  }

  /** Runs nothing, and so learns what the interpreter has. */
  #look(signal: AbortSignal): Promise<RunResult> {
    return this.#opened.run("", {
      runId: newRunId(),
      helpers: this.#helpers,
      check: false,
      name: "look",
      signal,
      task: this.#options.work.at(this.#options.work.log.taskId),
      policy: budgetPolicy(this.#options.work.meter),
      onPause: () => this.#options.work.meter.pause(),
      onOutput: () => undefined,
      onCall: () => undefined,
    });
  }

  get #helpers(): AgentRunOptions["helpers"] {
    const { failures, observations, failedApproaches } = this.#memory;
    const { taskId } = this.#options.work.log;
    return { kind: "agent", taskId, failures, observations, failedApproaches };
  }

  get callsRunId(): string {
    return this.#runId;
  }

  get journal(): CallJournal | null {
    return this.#opened.journal ?? null;
  }

  get #opened(): AgentSession {
    if (this.#session === undefined) throw new TypeError("A step is taken before the task has asked for its prompt.");
    return this.#session;
  }

  request(): Omit<ModelRequest, "messages"> {
    return { temperature: 0 };
  }

  async act({ text, finishReason }: ModelReply, step: StepInProgress, signal: AbortSignal): Promise<StepOutcome> {
    const extracted = extractCode(text);
    if (extracted === null || extracted.unclosed || extracted.endsInString) {
      if (finishReason === "length") return observed(CUT_REPLY_TEXT);
      if (finishReason === "filter") return observed(WITHHELD_REPLY_TEXT);
    }
    if (extracted === null) return observed(RETRY_TEXT);
    const run = await this.#run(extracted, step, signal);
    const { finalAnswer } = run;
    const hasAnswer = finalAnswer !== null && run.error === null;
    if (!hasAnswer) signal.throwIfAborted();
    if (run.error !== null && run.sessionFailed === true) throw new TaskSessionError(run.error);
    if (run.lost) this.#memory.loseValues();
    this.#memory.update(run.memory);
    if (hasAnswer) return this.#take(finalAnswer, run, extracted);
    const outcome = await this.#tell(run, extracted);
    // From the next step on: about this one the model has just been told.
    const failure = failureOf(run);
    if (failure !== null) this.#memory.fail(step.number, failure);
    return outcome;
  }

  async #run({ code, ignoredBlocks }: ExtractedCode, step: StepInProgress, signal: AbortSignal): Promise<RunResult> {
    const session = this.#opened;
    const { work, check, imports, timeout, heapGrowth, onQuestion } = this.#options;
    const about = step.part("code");
    const runId = this.#runId;
    this.#runId = newRunId();
    const calls = stepCalls(step, work);
    step.record.code = code;
    step.add({ type: "code", ...about, code, runId, ignoredBlocks });
    const run = await session.run(code, {
      runId,
      helpers: this.#helpers,
      check,
      name: `step ${String(step.number)}`,
      signal,
      policy: budgetPolicy(work.meter),
      task: work.at(about.id),
      onPause: () => work.meter.pause(),
      ...(imports === undefined ? {} : { imports }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(heapGrowth === undefined ? {} : { heapGrowth }),
      ...(onQuestion === undefined ? {} : { onInput: this.#asker(onQuestion, step, signal) }),
      onOutput: (chunk) => {
        this.#hear(chunk, step);
      },
      onCall: (entry) => {
        calls.report(entry, about.id);
      },
      ...(this.#onTool === undefined ? {} : { onTool: this.#onTool }),
    });
    step.record.run = run;
    return run;
  }

  #hear(chunk: OutputChunk, step: StepInProgress): void {
    const ids = step.below(`${step.part("code").id}/output`, step.part("code").id);
    step.add({ type: "output", ...ids, chunk });
    if (chunk.kind !== "signal") return;
    const { type, message } = chunk;
    const signal = { step: step.number, type, message };
    step.add({ type: "signal", ...step.below(step.next("code/signal").id, step.part("code").id), signal });
  }

  #asker(onQuestion: OnQuestion, step: StepInProgress, stopped: AbortSignal): NonNullable<AgentRunOptions["onInput"]> {
    let asked = 0;
    return async (question, wanted) => {
      const signal = AbortSignal.any([stopped, wanted.signal]);
      asked += 1;
      const ids = step.part(`question-${String(asked)}`);
      step.add({ type: "question", ...ids, question, answer: null });
      const answer = await onQuestion(question, { id: ids.id, signal });
      step.add({ type: "question", ...ids, question, answer });
      return answer;
    };
  }

  async #take(
    result: NonNullable<RunResult["finalAnswer"]>,
    run: RunResult,
    extracted: ExtractedCode,
  ): Promise<StepOutcome> {
    const { outputBytes } = this.#options;
    const text = shortenBytes(result.text, outputBytes);
    const remedy = "Send a block that calls final_answer() with a value of that form.";
    const refusal = (await this.#answerForm?.refusal(result.value, { text, remedy })) ?? null;
    if (refusal !== null) return this.#tell(run, extracted, refusal);
    return { kind: "answered", answer: { ...result, text, source: "normal" } };
  }

  /** @param refusal - why the answer that the run gave is not taken. */
  async #tell(run: RunResult, { ignoredBlocks }: ExtractedCode, refusal?: string): Promise<StepOutcome> {
    const session = this.#opened;
    const { outputBytes } = this.#options;
    // Who was too slow did not misread the documentation.
    const failed = run.error !== null && run.error.code !== "RUN_TIMEOUT" && run.namedTools.length > 0;
    const hints = failed ? toolHints(run.namedTools, await session.tools.list()) : [];
    const memory = this.#memory.text(outputBytes);
    const seen = observe(run, { ignoredBlocks, hints, limit: outputBytes, memory });
    const observation = refusal === undefined ? seen : `${refusal}\n\n${seen}`;
    const pictures = this.#options.sees ? picturesOf(run) : [];
    if (pictures.length === 0) return observed(observation);
    const content: ContentPart[] = [{ type: "text", text: observation }, ...pictures];
    return { kind: "observed", observation, messages: [{ role: "user", content }] };
  }
}

function observed(observation: string): StepOutcome {
  return { kind: "observed", observation, messages: [{ role: "user", content: observation }] };
}

function picturesOf({ outputs }: RunResult): readonly ContentPart[] {
  const pictures = new ShownPictures();
  for (const { data } of outputs) {
    const mime = PICTURE_TYPES.find((type) => type in data);
    const content = mime === undefined ? undefined : data[mime];
    if (mime !== undefined && content instanceof Uint8Array) pictures.add(mime, content);
  }
  return pictures.take();
}
