import { optionCheck } from "../../options/index.js";
import { LONGEST_TIMEOUT } from "../../session/index.js";
import { AGENT_OPTIONS, checkAgentOptions, loopOptions, type AgentOptions } from "../agent-options.js";
import type { AgentRun } from "../work/agent-run.js";
import type { AgentCheck, AgentSession, OwnedSession } from "../agent-session.js";
import { MAX_OBSERVATION_SIZE } from "../conversation/conversation.js";
import { AgentOptionsError } from "../errors.js";
import { LazyKind } from "../loop/lazy-kind.js";
import { taskWork, type Work } from "../work/work.js";
import type { SavedTask } from "../saved/saved-task.js";
import type { TaskSetup } from "../loop/open-loop.js";
import { checkTakeUp, checkTask, startTask, takeUpTask, type TaskOptions } from "../loop/start-task.js";
import { givenSession, ownedSession, type SessionOpener } from "../task-session.js";
import type { OnQuestion } from "./code-kind.js";

/** Bounds of a step's code; see also the session's `limits`. */
export interface ExecutionLimits {
  /** Milliseconds that a step's code may run; 0 or less for no limit. Default: the session's. */
  readonly timeout?: number;
  /** Bytes that a step's code may add to Python's heap. Default: what the session's limit leaves. */
  readonly heapGrowth?: number;
  /** Bytes of an observation's text, of the memory's, and of the answer's, that are shown. Default 10,000. */
  readonly outputBytes?: number;
}

/**
 * What an agent that writes Python is made of. A session that is opened by a function is closed when its task has
 * ended.
 */
export interface CodeAgentOptions extends AgentOptions {
  /** Where the code runs: a session, whose variables stay from task to task, or what opens one for each task. */
  readonly session: AgentSession | SessionOpener<OwnedSession>;
  readonly limits?: ExecutionLimits;
  /**
   * Whether code is checked before it runs. Where it would certainly fail, none of it is run and the model is told what
   * to write instead; what may fail it is told beside the outcome. `{ types: pyrightTypeChecker(…) }` has types checked
   * as well. Default: true.
   */
  readonly check?: AgentCheck;
  /** Modules that the code may import. Default: the session's. */
  readonly imports?: readonly string[];
  /**
   * Answers what the code asks by `input()`, which code with a list of imports does without. Default: the session's
   * `onInput`.
   */
  readonly onQuestion?: OnQuestion;
}

const checkOptions = optionCheck<CodeAgentOptions>("new CodeAgent", {
  ...AGENT_OPTIONS,
  session: "object|function",
  limits: { timeout: "any?", heapGrowth: "any?", outputBytes: "any?" },
  check: "boolean|object?",
  imports: "array?",
  onQuestion: "function?",
});

/**
 * Solves tasks by letting a model write Python and running it, step by step: TinyCodeAgent, in the browser.
 */
export class CodeAgent {
  readonly #options: CodeAgentOptions;

  /**
   * @throws {OptionError}
   * @throws {AgentOptionsError} when `maxSteps` is not a whole number from 0 on, budget or limits cannot be kept, or code
   * that has no `input()` is to ask by it.
   */
  constructor(options: CodeAgentOptions) {
    checkOptions(options);
    checkAgentOptions(options);
    checkLimits(options.limits);
    if (options.onQuestion !== undefined && options.imports !== undefined) {
      throw new AgentOptionsError("onQuestion", "answers input(), which code with a list of `imports` does without");
    }
    this.#options = options;
  }

  /**
   * Starts a task at once. Tasks on one session may overlap; their runs take turns.
   *
   * @throws {AgentOptionsError} when the task is empty, or `maxSteps` is not a whole number from 0 on.
   */
  run(task: string, given: TaskOptions = {}): AgentRun {
    checkTask(task, given);
    const { inside, signal, ...options } = given;
    const { budget = {}, prices } = this.#options;
    const work = taskWork({ agent: "code", budget, prices, inside, signal });
    return startTask(task, { ...this.#setUp(work), ...options });
  }

  /**
   * Lets a saved task go on that was stopped, reached a limit, or lost its page. What its steps did is not done again:
   * the model is told which calls of a step that was interrupted finished, which may have taken effect, and which
   * names of the interpreter are gone. Steps and budget count from the task's beginning, so that one that reached a
   * limit needs a higher one, of the agent or in `options`. A task that runs elsewhere ends here with
   * `TASK_NOT_RESUMABLE`, and there it goes on.
   *
   * @throws {TaskNotResumableError} for one that has its answer, and for one of another kind of agent.
   * @throws {AgentOptionsError} when `maxSteps` is not a whole number from 0 on.
   */
  takeUp(saved: SavedTask, given: Omit<TaskOptions, "after" | "inside"> = {}): AgentRun {
    checkTakeUp(saved, given);
    const { signal, ...options } = given;
    const { budget = {}, prices } = this.#options;
    const work = taskWork({ agent: "code", budget, prices, inside: undefined, signal, earlier: saved });
    return takeUpTask(saved, { ...this.#setUp(work), ...options });
  }

  #setUp(work: Work): TaskSetup {
    const { session, model, limits = {}, check = true, imports, answer } = this.#options;
    const { timeout, heapGrowth, outputBytes = MAX_OBSERVATION_SIZE } = limits;
    const owned =
      typeof session === "function" ? ownedSession(session, { taskId: work.log.taskId }) : givenSession(session);
    const kind = new LazyKind("code", {
      taskId: work.log.taskId,
      load: async () => {
        const { CodeKind } = await import("./code-kind.js");
        return new CodeKind({
          work,
          ...owned,
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
      },
    });
    return { work, kind, ...loopOptions(this.#options) };
  }
}

/** @throws {AgentOptionsError} for a limit that could not be kept. */
function checkLimits({ timeout = 0, heapGrowth = 0, outputBytes = 0 }: ExecutionLimits = {}): void {
  if (!(timeout <= LONGEST_TIMEOUT)) {
    throw new AgentOptionsError("limits", `.timeout must be a number of milliseconds up to ${String(LONGEST_TIMEOUT)}`);
  }
  for (const [name, bytes] of Object.entries({ heapGrowth, outputBytes })) {
    if (!Number.isSafeInteger(bytes) || bytes < 0) {
      throw new AgentOptionsError("limits", `.${name} must be a whole number of bytes from 0 on`);
    }
  }
}
