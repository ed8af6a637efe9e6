import type { FinishReason, Model, ModelMessage } from "../model/index.js";
import { VitrineError } from "../protocol/index.js";
import type { RunResult } from "../session/index.js";
import type { EventLog } from "./agent-run.js";
import type { AgentCheck, AgentSession } from "./agent-session.js";
import { StepLimitReachedError, TaskSessionError } from "./errors.js";
import type { AgentAnswer, AgentResult, AgentStep } from "./events.js";
import { extractCode, type ExtractedCode } from "./extract-code.js";
import { CUT_REPLY_TEXT, observe, RETRY_TEXT } from "./observation.js";
import { codeSystemPrompt } from "./prompts.js";

export interface CodeTaskOptions {
  readonly session: AgentSession;
  readonly model: Model;
  readonly maxSteps: number;
  readonly check: AgentCheck;
  readonly systemSuffix: string;
  readonly signal: AbortSignal;
}

/** Codes of runs that never came to run. No reply of the model can mend that. */
const SESSION_FAILURES = new Set([
  "SESSION_CLOSED",
  "CSP_BLOCKED",
  "WORKER_START",
  "ASSET_LOAD",
  "PROTOCOL_VIOLATION",
  "UNEXPECTED",
]);

/** Why a task does not go on. */
type Ending =
  | { readonly state: "completed"; readonly answer: AgentAnswer }
  | { readonly state: "step_limit_reached" | "error"; readonly error: Error }
  | { readonly state: "cancelled" };

/** A step as it is filled in, so that what it got done is there whatever happens next. */
type OpenStep = { -readonly [Field in keyof AgentStep]: AgentStep[Field] };

/** One `agent.run`, from the task to its end. */
export class CodeTask {
  readonly #task: string;
  readonly #log: EventLog;
  readonly #options: CodeTaskOptions;
  readonly #messages: ModelMessage[] = [];
  readonly #steps: OpenStep[] = [];
  readonly #startedAt = performance.now();

  constructor(task: string, log: EventLog, options: CodeTaskOptions) {
    this.#task = task;
    this.#log = log;
    this.#options = options;
  }

  /** Never rejects: a failure is an ending. */
  async run(): Promise<AgentResult> {
    const { model, maxSteps } = this.#options;
    const { name, kind } = model;
    this.#log.add({ type: "task-started", ...this.#root, task: this.#task, model: { name, kind }, maxSteps });
    const ending = await this.#takeSteps();
    const result: AgentResult = {
      taskId: this.#log.taskId,
      task: this.#task,
      state: ending.state,
      answer: ending.state === "completed" ? ending.answer : null,
      error: "error" in ending ? ending.error : null,
      steps: this.#steps,
      elapsed: performance.now() - this.#startedAt,
    };
    this.#log.add({ type: "task-ended", ...this.#root, result });
    this.#log.end();
    return result;
  }

  async #takeSteps(): Promise<Ending> {
    const { maxSteps, signal } = this.#options;
    try {
      signal.throwIfAborted();
      const prompt = await this.#systemPrompt();
      this.#messages.push({ role: "system", content: prompt }, { role: "user", content: this.#task });
    } catch (error) {
      return this.#fail(error, null);
    }
    while (this.#steps.length < maxSteps) {
      const step = this.#openStep();
      const ending = await this.#takeStep(step);
      if (ending !== null) return ending;
    }
    const error = new StepLimitReachedError(this.#steps.length);
    this.#log.add({ type: "limit", ...this.#root, kind: "steps", limit: maxSteps, message: error.message });
    return { state: "step_limit_reached", error };
  }

  async #systemPrompt(): Promise<string> {
    const { session, systemSuffix } = this.#options;
    await session.tools.settled?.();
    const [tools, { skills }, files] = await Promise.all([
      session.tools.list(),
      session.skills.list(),
      session.workspace.list(),
    ]);
    return codeSystemPrompt({ tools, skills, files, suffix: systemSuffix });
  }

  /** Null when the task goes on. */
  async #takeStep(step: OpenStep): Promise<Ending | null> {
    const { id, parentId } = this.#ids(step);
    this.#log.add({ type: "step-started", id, parentId, step: step.number });
    try {
      const finishReason = await this.#askModel(step);
      const extracted = extractCode(step.reply);
      if (extracted === null) return this.#tell(step, RETRY_TEXT);
      if (extracted.unclosed && finishReason === "length") return this.#tell(step, CUT_REPLY_TEXT);
      const run = await this.#runCode(step, extracted);
      if (run.finalAnswer !== null && run.error === null) return this.#answer(step, run.finalAnswer);
      return this.#tell(step, observe(run, extracted));
    } catch (error) {
      return this.#fail(error, step);
    } finally {
      const { run, observation } = step;
      this.#log.add({ type: "step-ended", id, parentId, step: step.number, run, observation });
    }
  }

  async #askModel(step: OpenStep): Promise<FinishReason> {
    const { model, signal } = this.#options;
    const about = this.#ids(step, "reply");
    let finishReason: FinishReason = "other";
    for await (const chunk of model.complete({ messages: this.#messages, temperature: 0 }, { signal })) {
      if (chunk.type === "text") {
        step.reply += chunk.text;
        this.#log.add({ type: "model-text", ...about, text: chunk.text });
      } else if (chunk.type === "notice") {
        this.#log.add({ type: "notice", ...this.#ids(step, "notice"), notice: chunk.notice });
      } else if (chunk.type === "done") {
        finishReason = chunk.finishReason;
        step.usage = chunk.usage;
      }
    }
    this.#log.add({ type: "model-ended", ...about, reply: step.reply, finishReason, usage: step.usage });
    return finishReason;
  }

  async #runCode(step: OpenStep, { code, ignoredBlocks }: ExtractedCode): Promise<RunResult> {
    const { session, check, signal } = this.#options;
    const about = this.#ids(step, "code");
    step.code = code;
    this.#log.add({ type: "code", ...about, code, ignoredBlocks });
    const below = (id: string, parent: string | null) => ({ id, parentId: parent ?? about.id, step: step.number });
    const run = await session.run(code, {
      helpers: { kind: "agent", taskId: this.#log.taskId, failures: [] },
      check,
      name: `step ${String(step.number)}`,
      signal,
      onOutput: (chunk) => {
        this.#log.add({ type: "output", ...below(`${about.id}/output`, null), chunk });
      },
      onCall: (entry) => {
        this.#log.add({ type: "call", ...below(entry.id, entry.parent), entry });
        const { namespace, name, outcome } = entry;
        const saved = namespace === "artifacts" && name === "save" && outcome.kind === "ok";
        if (saved && typeof entry.arguments.name === "string") {
          this.#log.add({ type: "artifact", ...below(`${entry.id}/artifact`, entry.id), name: entry.arguments.name });
        }
      },
    });
    step.run = run;
    signal.throwIfAborted();
    if (run.error !== null && SESSION_FAILURES.has(run.error.code)) throw new TaskSessionError(run.error);
    return run;
  }

  #answer(step: OpenStep, answer: AgentAnswer): Ending {
    this.#log.add({ type: "answer", ...this.#ids(step, "answer"), answer });
    return { state: "completed", answer };
  }

  #tell(step: OpenStep, observation: string): null {
    step.observation = observation;
    // Some servers refuse a message without text.
    const reply = step.reply.trim() === "" ? "(no reply)" : step.reply;
    this.#messages.push({ role: "assistant", content: reply }, { role: "user", content: observation });
    return null;
  }

  #fail(thrown: unknown, step: OpenStep | null): Ending {
    if (this.#options.signal.aborted) return { state: "cancelled" };
    const error = thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
    const { taskId } = this.#log;
    const about = step === null ? { id: `${taskId}/error`, parentId: taskId, step } : this.#ids(step, "error");
    const code = error instanceof VitrineError ? error.code : "INTERNAL";
    this.#log.add({ type: "error", ...about, name: error.name, code, message: error.message, error });
    return { state: "error", error };
  }

  #openStep(): OpenStep {
    const number = this.#steps.length + 1;
    const step: OpenStep = { number, reply: "", code: null, run: null, observation: null, usage: null };
    this.#steps.push(step);
    return step;
  }

  get #root(): { id: string; parentId: null; step: null } {
    return { id: this.#log.taskId, parentId: null, step: null };
  }

  /** The ids of a step, or of a part of it. */
  #ids({ number }: OpenStep, part?: string): { id: string; parentId: string; step: number } {
    const stepId = `${this.#log.taskId}/${String(number)}`;
    if (part === undefined) return { id: stepId, parentId: this.#log.taskId, step: number };
    return { id: `${stepId}/${part}`, parentId: stepId, step: number };
  }
}
