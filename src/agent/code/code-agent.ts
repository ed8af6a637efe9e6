import type { Model } from "../../model/index.js";
import type { SourceFile } from "../../protocol/index.js";
import type { ValueSchema } from "../../tools/index.js";
import type { AgentCheck, AgentSession, OwnedSession } from "../agent-session.js";
import { BudgetMeter, type ModelPrices, type TaskBudget } from "../budget.js";
import { keepLastSteps, type PruningStrategy } from "../conversation.js";
import { AgentOptionsError } from "../errors.js";
import type { AgentRun } from "../agent-run.js";
import { RunningTask } from "../running-task.js";
import type { SavedTask } from "../saved/saved-task.js";
import type { TaskStore } from "../saved/task-store.js";
import { startTask, takeUpTask, type TaskOptions, type TaskSetup } from "../start-task.js";
import { AnswerForm } from "./answer-form.js";
import { CodeKind, type CodeKindOptions, type OnQuestion } from "./code-kind.js";
import { MAX_OBSERVATION_SIZE } from "./observation.js";

/** Bounds of a step's code; see also the session's `limits`. */
export interface ExecutionLimits {
  /** Milliseconds that a step's code may run; 0 or less for no limit. Default: the session's. */
  readonly timeout?: number;
  /** Bytes that a step's code may add to Python's heap. Default: what the session's limit leaves. */
  readonly heapGrowth?: number;
  /** Bytes of an observation's text, and of the answer's, that are shown. Default 10,000. */
  readonly outputBytes?: number;
}

export interface CodeAgentOptions {
  /** Where the code runs: a session, whose variables stay from task to task, or what opens one for each task. */
  readonly session: AgentSession | (() => Promise<OwnedSession>);
  readonly model: Model;
  /** Steps that a task may take. Default 10. */
  readonly maxSteps?: number;
  /** What else a task may use. Default: as much as it needs. */
  readonly budget?: TaskBudget;
  /** What the model costs, where money is to be counted. */
  readonly prices?: ModelPrices;
  readonly limits?: ExecutionLimits;
  /** How often a model that failed for a while is asked again, step by step. Default 2. */
  readonly retries?: number;
  /**
   * How a conversation is made shorter that has become too long for the model. Default: `keepLastSteps(5)`.
   * TinyCodeAgent prunes after every step: `prunesEachStep`. That has its price, for providers keep what begins alike.
   */
  readonly pruning?: PruningStrategy;
  /** Default: false. */
  readonly prunesEachStep?: boolean;
  /**
   * Whether code is checked before it runs. Where it would certainly fail, none of it is run and the model is told what
   * to write instead; what may fail it is told beside the outcome. `{ types: pyrightTypeChecker(…) }` has types checked
   * as well. Default: true.
   */
  readonly check?: AgentCheck;
  /** Modules that the code may import. Default: the session's. */
  readonly imports?: readonly string[];
  /**
   * The form of the answer: zod, another Standard Schema, or JSON Schema. An answer of another form is sent back once;
   * a second one ends the task.
   */
  readonly answer?: ValueSchema;
  /** Answers what the code asks by `input()`. Default: the session's `onInput`. */
  readonly onQuestion?: OnQuestion;
  /** Where tasks are kept as they go on, to be looked at and taken up later. Default: nowhere. */
  readonly tasks?: TaskStore;
  /** Added to the end of the system prompt. */
  readonly systemSuffix?: string;
  /**
   * Rules in the place of those that come with the agent, from a `.txt`, `.md`, `.prompt` or `.xml` file. `{helpers}` in
   * it becomes the names of the tools. A file that cannot be used is told of by an event, and the built-in rules stay.
   */
  readonly promptFile?: SourceFile;
}

/**
 * Solves tasks by letting a model write Python and running it, step by step: TinyCodeAgent, in the browser.
 */
export class CodeAgent {
  readonly #options: CodeAgentOptions;

  /** @throws {AgentOptionsError} when `maxSteps` is not a whole number from 0 on, or the budget cannot be kept. */
  constructor(options: CodeAgentOptions) {
    const { maxSteps = 10, budget, prices } = options;
    if (!Number.isInteger(maxSteps) || maxSteps < 0) {
      throw new AgentOptionsError("maxSteps", "must be a whole number from 0 on");
    }
    new BudgetMeter(budget, prices);
    this.#options = options;
  }

  /**
   * Starts a task at once. Tasks on one session may overlap; their runs take turns.
   *
   * @throws {AgentOptionsError} when the task is empty.
   */
  run(task: string, { inside, ...options }: TaskOptions = {}): AgentRun {
    const { budget = {}, prices } = this.#options;
    const running = new RunningTask({ agent: "code", budget, prices, inside });
    return startTask(task, running.log, { ...this.#setUp(running), ...options });
  }

  /**
   * Lets a saved task go on that was stopped, reached a limit, or lost its page. What its steps did is not done again:
   * the model is told which calls of a step that was interrupted finished, which may have taken effect, and which
   * names of the interpreter are gone. Steps and budget count from the task's beginning, so that one that reached a
   * limit needs a higher one. A task that runs elsewhere ends here with `TASK_NOT_RESUMABLE`, and there it goes on.
   *
   * @throws {TaskNotResumableError} for one that has its answer, and for one of another kind of agent.
   */
  takeUp(saved: SavedTask, options: Omit<TaskOptions, "after" | "inside"> = {}): AgentRun {
    const { budget = {}, prices } = this.#options;
    const running = new RunningTask({ agent: "code", budget, prices, inside: undefined, earlier: saved });
    return takeUpTask(saved, running.log, { ...this.#setUp(running), ...options });
  }

  #setUp(running: RunningTask): TaskSetup {
    const { session, model, maxSteps = 10, budget = {}, limits = {}, retries = 2, tasks } = this.#options;
    const { pruning = keepLastSteps(5), prunesEachStep = false, check = true, imports, answer } = this.#options;
    const { timeout, heapGrowth, outputBytes = MAX_OBSERVATION_SIZE } = limits;
    const kind = new CodeKind({
      running,
      ...sessionOf(session),
      check,
      imports,
      systemSuffix: this.#options.systemSuffix ?? "",
      promptFile: this.#options.promptFile,
      timeout: timeout === undefined || timeout > 0 ? timeout : null,
      heapGrowth,
      outputBytes,
      answerForm: answer === undefined ? null : new AnswerForm(answer),
      onQuestion: this.#options.onQuestion,
      sees: model.sees ?? false,
    });
    const { meter } = running;
    const settled = (): Promise<void> => running.settled();
    return { kind, model, maxSteps, budget, meter, settled, retries, pruning, prunesEachStep, tasks };
  }
}

/** A session that was opened for the task is closed with it; one that was handed in stays as it is. */
function sessionOf(session: CodeAgentOptions["session"]): Pick<CodeKindOptions, "openSession" | "closeSession"> {
  if (typeof session !== "function") {
    return { openSession: () => Promise.resolve(session), closeSession: () => Promise.resolve() };
  }
  let opening: Promise<OwnedSession> | undefined;
  let opened: OwnedSession | undefined;
  return {
    openSession: async () => {
      opening = session();
      opened = await opening;
      return opened;
    },
    closeSession: async () => {
      if (opened !== undefined) await opened.close();
      // Stopped before it was open: it is closed as soon as it is, and nobody waits for that.
      else void opening?.then((late) => late.close()).catch(() => undefined);
    },
  };
}
