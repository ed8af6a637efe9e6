import type { ModelError, ModelRequest } from "../../model/index.js";
import type { ObserveTool } from "../../session/index.js";
import type { AgentKind, ModelReply, Notify, StepOutcome, TrialAccess } from "../work/agent-kind.js";
import type { CallJournal, ToolSession } from "../agent-session.js";
import type { AgentStep } from "../events/events.js";
import type { StepInProgress } from "../work/step.js";
import { withUnknownCalls } from "../loop/take-up.js";
import { NOTHING_LOST, type TakenUp } from "../work/taken-up.js";
import type { TaskSession } from "../task-session.js";
import { ReactTask, type ReactTaskOptions } from "./react-task.js";

export type ReactKindOptions = Omit<ReactTaskOptions, "onTool"> & TaskSession<ToolSession>;

/** An agent that asks for tools in JSON, or by the server's tool calls: each is called on the page. */
export class ReactKind implements AgentKind {
  readonly name = "react";
  readonly #options: ReactKindOptions;
  #task: ReactTask | undefined;
  #session: ToolSession | undefined;
  #isClosed = false;
  #onTool: ObserveTool | undefined;

  constructor(options: ReactKindOptions) {
    this.#options = options;
  }

  async systemPrompt(notify: Notify): Promise<string> {
    const task = await ReactTask.begin(await this.#open(), { ...this.#options, onTool: this.#onTool }, notify);
    // Stopped meanwhile: nobody else would close it.
    if (this.#isClosed) task.close();
    this.#task = task;
    return task.prompt;
  }

  /** It runs no code, so no names are lost. */
  takeUp(steps: readonly AgentStep[]): Promise<TakenUp> {
    this.#begun.takeUp(steps);
    return Promise.resolve(NOTHING_LOST);
  }

  observeTools(observe: ObserveTool): void {
    this.#onTool = observe;
  }

  get learning(): TrialAccess | null {
    return this.#begun.learning;
  }

  request(): Omit<ModelRequest, "messages"> {
    return this.#begun.request();
  }

  async act(reply: ModelReply, step: StepInProgress, signal: AbortSignal): Promise<StepOutcome> {
    const outcome = await this.#begun.act(reply, step, signal);
    return signal.aborted ? withUnknownCalls(outcome, step, this.#options.work.log) : outcome;
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

  async #open(): Promise<ToolSession> {
    this.#session = await this.#options.openSession();
    return this.#session;
  }

  async finish(): Promise<readonly string[]> {
    return (await this.#session?.finish?.()) ?? [];
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
