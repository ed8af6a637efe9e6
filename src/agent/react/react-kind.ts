import type { ModelError, ModelRequest } from "../../model/index.js";
import type { AgentKind, ModelReply, Notify, StepOutcome } from "../agent-kind.js";
import type { ToolSession } from "../agent-session.js";
import type { StepInProgress } from "../step.js";
import type { CallJournal } from "../take-up.js";
import type { TaskSession } from "../task-session.js";
import { ReactTask, type ReactTaskOptions } from "./react-task.js";

export type ReactKindOptions = ReactTaskOptions & TaskSession<ToolSession>;

/** An agent that asks for tools in JSON, or by the server's tool calls: each is called on the page. */
export class ReactKind implements AgentKind {
  readonly name = "react";
  readonly #options: ReactKindOptions;
  #task: ReactTask | undefined;
  #isClosed = false;

  constructor(options: ReactKindOptions) {
    this.#options = options;
  }

  async systemPrompt(notify: Notify): Promise<string> {
    const task = await ReactTask.begin(await this.#options.openSession(), this.#options, notify);
    // Stopped meanwhile: nobody else would close it.
    if (this.#isClosed) task.close();
    this.#task = task;
    return task.prompt;
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

  get callsRunId(): string {
    return this.#begun.callsRunId;
  }

  get journal(): CallJournal | null {
    return this.#begun.journal;
  }

  get lastAttempt(): NonNullable<AgentKind["lastAttempt"]> {
    return this.#begun.lastAttempt;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#task?.close();
    await this.#options.closeSession();
  }

  get #begun(): ReactTask {
    if (this.#task === undefined) throw new TypeError("A step is taken before the task has asked for its prompt.");
    return this.#task;
  }
}
