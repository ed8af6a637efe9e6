import { checkAgentOptions, type AgentOptions } from "../agent-options.js";
import type { AgentRun } from "../agent-run.js";
import type { AgentCheck, AgentSession, OwnedSession } from "../agent-session.js";
import { BudgetMeter } from "../budget.js";
import { keepLastSteps } from "../conversation.js";
import { EventLog } from "../event-log.js";
import { LazyKind } from "../lazy-kind.js";
import { startTask, type TaskOptions } from "../start-task.js";
import { givenSession, ownedSession } from "../task-session.js";
import { MAX_OBSERVATION_SIZE } from "../truncate-text.js";
import type { OnQuestion } from "./code-kind.js";

/** Bounds of a step's code; see also the session's `limits`. */
export interface ExecutionLimits {
  /** Milliseconds that a step's code may run; 0 or less for no limit. Default: the session's. */
  readonly timeout?: number;
  /** Bytes that a step's code may add to Python's heap. Default: what the session's limit leaves. */
  readonly heapGrowth?: number;
  /** Bytes of an observation's text, and of the answer's, that are shown. Default 10,000. */
  readonly outputBytes?: number;
}

export interface CodeAgentOptions extends AgentOptions {
  /** Where the code runs: a session, whose variables stay from task to task, or what opens one for each task. */
  readonly session: AgentSession | (() => Promise<OwnedSession>);
  readonly limits?: ExecutionLimits;
  /**
   * Whether code is checked before it runs. Where it would certainly fail, none of it is run and the model is told what
   * to write instead; what may fail it is told beside the outcome. `{ types: pyrightTypeChecker(…) }` has types checked
   * as well. Default: true.
   */
  readonly check?: AgentCheck;
  /** Modules that the code may import. Default: the session's. */
  readonly imports?: readonly string[];
  /** Answers what the code asks by `input()`. Default: the session's `onInput`. */
  readonly onQuestion?: OnQuestion;
}

/**
 * Solves tasks by letting a model write Python and running it, step by step: TinyCodeAgent, in the browser.
 */
export class CodeAgent {
  readonly #options: CodeAgentOptions;

  /** @throws {AgentOptionsError} when `maxSteps` is not a whole number from 0 on, or the budget cannot be kept. */
  constructor(options: CodeAgentOptions) {
    checkAgentOptions(options);
    this.#options = options;
  }

  /**
   * Starts a task at once. Tasks on one session may overlap; their runs take turns.
   *
   * @throws {AgentOptionsError} when the task is empty.
   */
  run(task: string, options: TaskOptions = {}): AgentRun {
    const { session, model, maxSteps = 10, budget = {}, prices, limits = {}, retries = 2 } = this.#options;
    const { pruning = keepLastSteps(5), prunesEachStep = false, check = true, imports, answer } = this.#options;
    const { timeout, heapGrowth, outputBytes = MAX_OBSERVATION_SIZE } = limits;
    const meter = new BudgetMeter(budget, prices);
    const log = new EventLog();
    const owned = typeof session === "function" ? ownedSession(session) : givenSession(session);
    const kind = new LazyKind("code", async () => {
      const { CodeKind } = await import("./code-kind.js");
      return new CodeKind({
        taskId: log.taskId,
        ...owned,
        meter,
        check,
        imports,
        systemSuffix: this.#options.systemSuffix ?? "",
        promptFile: this.#options.promptFile,
        timeout: timeout === undefined || timeout > 0 ? timeout : null,
        heapGrowth,
        outputBytes,
        answer,
        onQuestion: this.#options.onQuestion,
        sees: model.sees ?? false,
      });
    });
    return startTask(task, log, { kind, model, maxSteps, budget, meter, retries, pruning, prunesEachStep, ...options });
  }
}
