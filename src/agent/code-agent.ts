import type { Model } from "../model/index.js";
import { EventLog, type AgentRun } from "./agent-run.js";
import type { AgentCheck, AgentSession } from "./agent-session.js";
import { CodeTask } from "./code-task.js";
import { AgentOptionsError } from "./errors.js";

export interface CodeAgentOptions {
  /** Where the code runs. Its variables stay from task to task. */
  readonly session: AgentSession;
  readonly model: Model;
  /** Model calls that a task may take. Default 10. */
  readonly maxSteps?: number;
  /**
   * Whether code is checked before it runs. Where it would certainly fail, none of it is run and the model is told what
   * to write instead; what may fail it is told beside the outcome. `{ types: pyrightTypeChecker(…) }` has types checked
   * as well. Default: true.
   */
  readonly check?: AgentCheck;
  /** Added to the end of the system prompt. */
  readonly systemSuffix?: string;
}

export interface TaskOptions {
  /** Stops the task: the reply that is being streamed, or the run. What was done until then is kept. */
  readonly signal?: AbortSignal;
}

/** Solves tasks by letting a model write Python and running it, step by step. */
export class CodeAgent {
  readonly #options: Required<CodeAgentOptions>;

  /** @throws {AgentOptionsError} when `maxSteps` is not a whole number from 0 on. */
  constructor({ session, model, maxSteps = 10, check = true, systemSuffix = "" }: CodeAgentOptions) {
    if (!Number.isInteger(maxSteps) || maxSteps < 0) {
      throw new AgentOptionsError("maxSteps", "must be a whole number from 0 on");
    }
    this.#options = { session, model, maxSteps, check, systemSuffix };
  }

  /**
   * Starts a task at once. Tasks on one session may overlap; their runs take turns.
   *
   * @throws {AgentOptionsError} when the task is empty.
   */
  run(task: string, { signal = new AbortController().signal }: TaskOptions = {}): AgentRun {
    if (task.trim() === "") throw new AgentOptionsError("task", "is empty");
    const log = new EventLog();
    const result = new CodeTask(task, log, { ...this.#options, signal }).run();
    return { taskId: log.taskId, events: log.events, result, [Symbol.asyncIterator]: () => log.read() };
  }
}
