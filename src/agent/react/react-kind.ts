import type { Model, ModelError, ModelRequest } from "../../model/index.js";
import type { SourceFile } from "../../protocol/index.js";
import type { ToolScope, ValueSchema } from "../../tools/index.js";
import type { AgentKind, ModelReply, Notify, StepOutcome } from "../agent-kind.js";
import type { ToolSession } from "../agent-session.js";
import type { BudgetMeter } from "../budget.js";
import { AgentLoadError } from "../errors.js";
import type { StepInProgress } from "../step.js";
import type { TaskSession } from "../task-session.js";
import type { ReactTask } from "./react-task.js";
import type { ToolCallingMode } from "./tool-calling-mode.js";

export interface ReactKindOptions extends TaskSession<ToolSession> {
  readonly model: Pick<Model, "name">;
  readonly meter: BudgetMeter;
  readonly mode: ToolCallingMode;
  readonly temperature: number;
  readonly maxTokens: number | undefined;
  /** Characters of an observation. */
  readonly observationLength: number;
  readonly scope: ToolScope | undefined;
  readonly answer: ValueSchema | undefined;
  readonly systemSuffix: string;
  readonly promptFile: SourceFile | undefined;
}

/** An agent that asks for tools in JSON, or by the server's tool calls: each is called on the page. */
export class ReactKind implements AgentKind {
  readonly name = "react";
  readonly #options: ReactKindOptions;
  #task: ReactTask | undefined;

  constructor(options: ReactKindOptions) {
    this.#options = options;
  }

  async systemPrompt(notify: Notify): Promise<string> {
    // A page that has no such agent does not load it.
    const [session, Task] = await Promise.all([this.#options.openSession(), loadTask()]);
    this.#task = await Task.begin(session, this.#options, notify);
    return this.#task.prompt;
  }

  request(): Omit<ModelRequest, "messages"> {
    return this.#begun.request();
  }

  act(reply: ModelReply, step: StepInProgress, signal: AbortSignal): Promise<StepOutcome> {
    return this.#begun.act(reply, step, signal);
  }

  adapt(refusal: ModelError, notify: Notify): string | null {
    return this.#begun.adapt(refusal, notify);
  }

  get lastAttempt(): NonNullable<AgentKind["lastAttempt"]> {
    return this.#begun.lastAttempt;
  }

  async close(): Promise<void> {
    this.#task?.close();
    await this.#options.closeSession();
  }

  get #begun(): ReactTask {
    if (this.#task === undefined) throw new TypeError("A step is taken before the task has asked for its prompt.");
    return this.#task;
  }
}

async function loadTask(): Promise<typeof ReactTask> {
  try {
    return (await import("./react-task.js")).ReactTask;
  } catch (cause) {
    throw new AgentLoadError("JSON agent", { cause });
  }
}
