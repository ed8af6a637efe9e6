import { checkArgument, optionCheck, type OptionKinds } from "../../options/index.js";
import { checkMaxSteps } from "../agent-options.js";
import type { AgentRun } from "../work/agent-run.js";
import type { ConversationItem } from "../conversation/conversation.js";
import { AgentLoadError, AgentOptionsError, TaskEndedError } from "../errors.js";
import type { AgentResult } from "../events/events.js";
import { TaskNotResumableError } from "../saved/errors.js";
import type { SavedTask } from "../saved/saved-task.js";
import type { ParentCall } from "../work/work.js";
import type { EventLog } from "../work/event-log.js";
import type { LoopSetup, TaskSetup } from "./open-loop.js";
import type { TaskLoop } from "./task-loop.js";

/** What is said of one task, beside what its agent was made with. */
export interface TaskOptions {
  /** Stops the task: the reply that is being streamed, or the run. What was done until then is kept. */
  readonly signal?: AbortSignal;
  /** Steps that the task may take, with those that it took before it was taken up. Default: the agent's. */
  readonly maxSteps?: number;
  /**
   * The task that this one continues, a saved one perhaps: the model knows what was said and done in it, and with its
   * `events` the answer that its code computed.
   */
  readonly after?: Pick<AgentRun, "taskId" | "conversation"> & Partial<Pick<AgentRun, "events">>;
  /** The call that the task is solved for, where the agent works as a tool of another one: `agentTool` says it. */
  readonly inside?: ParentCall | undefined;
}

const TASK: OptionKinds<Omit<TaskOptions, "after" | "inside">> = { signal: "object?", maxSteps: "number?" };
const checkRunOptions = optionCheck<TaskOptions>("agent.run", { ...TASK, after: "object?", inside: "object?" });
const checkTakeUpOptions = optionCheck<Omit<TaskOptions, "after" | "inside">>("agent.takeUp", TASK);

/** @throws {OptionError} */
export function checkTask(task: string, options: TaskOptions): void {
  checkArgument("agent.run", "task", task, "string");
  checkRunOptions(options);
}

/** @throws {OptionError} */
export function checkTakeUp(saved: SavedTask, options: Omit<TaskOptions, "after" | "inside">): void {
  checkArgument("agent.takeUp", "saved", saved, "object");
  checkTakeUpOptions(options);
}

/**
 * Starts a task at once.
 *
 * @throws {AgentOptionsError} when the task is empty, or `maxSteps` is not a whole number from 0 on.
 */
export function startTask(task: string, { after, ...setup }: TaskSetup & Pick<TaskOptions, "after">): AgentRun {
  if (task.trim() === "") throw new AgentOptionsError("task", "is empty");
  checkMaxSteps(setup.maxSteps);
  const before = after === undefined ? null : { taskId: after.taskId, items: saidIn(after) };
  return new StartedTask(task, { ...setup, after: before, saved: null });
}

/** What was said in a task. Of an answer that code computed the model has seen the code alone, so it is told. */
function saidIn({ taskId, conversation, events = [] }: NonNullable<TaskOptions["after"]>): readonly ConversationItem[] {
  const started = events.filter((event) => event.type === "task-started").find((event) => event.taskId === taskId);
  const answered = events.filter((event) => event.type === "answer").findLast((event) => event.taskId === taskId);
  if (started?.agent !== "code" || answered === undefined) return conversation;
  const content = `The answer that your code handed in:\n${answered.answer.text}`;
  return [...conversation, { kind: "turn", message: { role: "user", content } }];
}

/**
 * Lets a saved task go on, at once.
 *
 * @throws {TaskNotResumableError} for one that has its answer, and for one of another kind of agent.
 * @throws {AgentOptionsError} when `maxSteps` is not a whole number from 0 on.
 */
export function takeUpTask(saved: SavedTask, setup: TaskSetup): AgentRun {
  const { taskId, task, state, agent, after, before: items } = saved;
  if (state === "completed") {
    throw new TaskNotResumableError(taskId, "it has its answer. Start another task with `after` to go on from there.");
  }
  if (agent !== setup.kind.name) {
    throw new TaskNotResumableError(
      taskId,
      `it is one of the ${agent} agent, and this is the ${setup.kind.name} agent.`,
    );
  }
  checkMaxSteps(setup.maxSteps);
  setup.work.meter.resume(saved.usage);
  const before = after === null ? null : { taskId: after, items };
  return new StartedTask(task, { ...setup, after: before, saved });
}

/** A task whose loop is loaded with the first one: a page without agents does not carry it. */
class StartedTask implements AgentRun {
  readonly result: Promise<AgentResult>;
  readonly #task: string;
  readonly #setup: LoopSetup;
  readonly #early: string[] = [];
  #loop: TaskLoop | undefined;

  constructor(task: string, setup: LoopSetup) {
    this.#task = task;
    this.#setup = setup;
    this.result = this.#run();
  }

  get #log(): EventLog {
    return this.#setup.work.log;
  }

  get taskId(): string {
    return this.#log.taskId;
  }

  get events(): AgentRun["events"] {
    return this.#log.events;
  }

  get conversation(): AgentRun["conversation"] {
    return this.#loop?.conversation ?? [];
  }

  say(text: string): void {
    if (this.#log.hasEnded) throw new TaskEndedError(this.taskId);
    if (this.#loop === undefined) this.#early.push(text);
    else this.#loop.say(text);
  }

  [Symbol.asyncIterator](): ReturnType<AgentRun[typeof Symbol.asyncIterator]> {
    return this.#log.read();
  }

  async #run(): Promise<AgentResult> {
    let loop: TaskLoop;
    try {
      const { openLoop } = await import("./open-loop.js");
      loop = await openLoop(this.#task, this.#setup);
    } catch (cause) {
      return this.#neverBegan(new AgentLoadError(this.#setup.kind.name, { cause }));
    }
    this.#loop = loop;
    const result = loop.run();
    for (const text of this.#early.splice(0)) loop.say(text);
    return result;
  }

  #neverBegan(error: AgentLoadError): AgentResult {
    const { taskId, parentId } = this.#log;
    const { name, code, message } = error;
    const ids = { id: `${taskId}/error`, parentId: taskId, step: null };
    // What reports this elsewhere is loaded with the loop.
    this.#log.add({ type: "error", ...ids, name, code, message, error });
    const result: AgentResult = {
      taskId,
      task: this.#task,
      state: "error",
      output: "",
      answer: null,
      error,
      steps: this.#setup.saved?.steps ?? [],
      signals: [],
      usage: this.#setup.work.meter.usage,
      elapsed: 0,
    };
    this.#log.add({ type: "task-ended", id: taskId, parentId, step: null, result });
    this.#log.end();
    return result;
  }
}
