import { optionCheck } from "../../options/index.js";
import { TOOL_SCOPE, type ToolScope } from "../../tools/index.js";
import { AGENT_OPTIONS, checkAgentOptions, loopOptions, type AgentOptions } from "../agent-options.js";
import type { AgentRun } from "../work/agent-run.js";
import type { OwnedToolSession, ToolSession } from "../agent-session.js";
import { AgentOptionsError } from "../errors.js";
import { LazyKind } from "../loop/lazy-kind.js";
import { taskWork, type Work } from "../work/work.js";
import type { SavedTask } from "../saved/saved-task.js";
import type { TaskSetup } from "../loop/open-loop.js";
import { checkTakeUp, checkTask, startTask, takeUpTask, type TaskOptions } from "../loop/start-task.js";
import { givenSession, ownedSession, type SessionOpener } from "../task-session.js";
import type { ToolCallingMode } from "./tool-calling-mode.js";

/**
 * What an agent that calls tools in JSON is made of. A session that is opened by a function is closed when its task
 * has ended.
 */
export interface ReactAgentOptions extends AgentOptions {
  /** Whose tools are called: a session, or what opens one for each task. No code is run in it. */
  readonly session: ToolSession | SessionOpener<OwnedToolSession>;
  /**
   * How the model says which tool it wants. Default: `auto`, which goes by the model's name: JSON as text for one that is not
   * known. `native` asks for the server's own tool calls.
   */
  readonly toolCallingMode?: ToolCallingMode;
  /**
   * The temperature that a task begins with, from 0 to 2. A reply that is no JSON or only a note adds 0.2, up to 2.
   * Default 0.7.
   */
  readonly temperature?: number;
  /** Tokens of a reply at most. Default: what the server allows. */
  readonly maxTokens?: number;
  /** Characters that the model is shown of what a tool returned. Default 500. */
  readonly observationLength?: number;
  /** The tools that are offered, of those that the session's code sees. All of them stand in the prompt. Default: all. */
  readonly scope?: ToolScope;
}

const MODES: Readonly<Record<ToolCallingMode, true>> = {
  auto: true,
  native: true,
  structured: true,
  validated: true,
  parsed: true,
};

const checkOptions = optionCheck<ReactAgentOptions>("new ReactAgent", {
  ...AGENT_OPTIONS,
  session: "object|function",
  toolCallingMode: "string?",
  temperature: "number?",
  maxTokens: "number?",
  observationLength: "number?",
  scope: TOOL_SCOPE,
});

/**
 * Solves tasks by letting a model call tools, one reply after the other: TinyAgent's ReactAgent, in the browser. The model
 * says which in JSON or by the server's tool calls: see {@link ReactAgentOptions.toolCallingMode}. The
 * tools, the approvals, the journal and the events are those of the code agent.
 */
export class ReactAgent {
  readonly #options: ReactAgentOptions;

  /** @throws {OptionError} @throws {AgentOptionsError} for options that cannot be kept. */
  constructor(options: ReactAgentOptions) {
    checkOptions(options);
    const { temperature = 0.7, observationLength = 500, toolCallingMode = "auto" } = options;
    checkAgentOptions(options);
    if (!(temperature >= 0 && temperature <= 2)) throw new AgentOptionsError("temperature", "is not from 0 to 2");
    if (!Object.hasOwn(MODES, toolCallingMode)) {
      throw new AgentOptionsError(
        "toolCallingMode",
        `is "${toolCallingMode}", and not ${Object.keys(MODES).join(", ")}`,
      );
    }
    if (!Number.isInteger(observationLength) || observationLength < 1) {
      throw new AgentOptionsError("observationLength", "must be a whole number from 1 on");
    }
    this.#options = options;
  }

  /**
   * Starts a task at once. Tasks on one session may overlap.
   *
   * @throws {AgentOptionsError} when the task is empty, or `maxSteps` is not a whole number from 0 on.
   */
  run(task: string, given: TaskOptions = {}): AgentRun {
    checkTask(task, given);
    const { inside, signal, ...options } = given;
    const { budget = {}, prices } = this.#options;
    const work = taskWork({ agent: "react", budget, prices, inside, signal });
    return startTask(task, { ...this.#setUp(work), ...options });
  }

  /**
   * Lets a saved task go on, as {@link CodeAgent.takeUp} does: calls are not made again, and the model is told which
   * finished and which may have taken effect.
   *
   * @throws {TaskNotResumableError} for one that has its answer, and for one of another kind of agent.
   * @throws {AgentOptionsError} when `maxSteps` is not a whole number from 0 on.
   */
  takeUp(saved: SavedTask, given: Omit<TaskOptions, "after" | "inside"> = {}): AgentRun {
    checkTakeUp(saved, given);
    const { signal, ...options } = given;
    const { budget = {}, prices } = this.#options;
    const work = taskWork({ agent: "react", budget, prices, inside: undefined, signal, earlier: saved });
    return takeUpTask(saved, { ...this.#setUp(work), ...options });
  }

  #setUp(work: Work): TaskSetup {
    const { session, model } = this.#options;
    const owned =
      typeof session === "function" ? ownedSession(session, { taskId: work.log.taskId }) : givenSession(session);
    const kind = new LazyKind("react", {
      taskId: work.log.taskId,
      load: async () => {
        const { ReactKind } = await import("./react-kind.js");
        return new ReactKind({
          ...owned,
          model,
          work,
          mode: this.#options.toolCallingMode ?? "auto",
          temperature: this.#options.temperature ?? 0.7,
          maxTokens: this.#options.maxTokens,
          observationLength: this.#options.observationLength ?? 500,
          scope: this.#options.scope,
          answer: this.#options.answer,
          systemSuffix: this.#options.systemSuffix ?? "",
          promptFile: this.#options.promptFile,
        });
      },
    });
    return { work, kind, ...loopOptions(this.#options) };
  }
}
