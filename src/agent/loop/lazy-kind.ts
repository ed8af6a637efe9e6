import type { ModelError, ModelRequest } from "../../model/index.js";
import type { ObserveTool } from "../../session/index.js";
import type { CallJournal } from "../agent-session.js";
import type { AgentKind, ModelReply, Notify, StepOutcome, TrialAccess } from "../work/agent-kind.js";
import { AgentLoadError, TaskEndedError } from "../errors.js";
import type { AgentName, AgentStep } from "../events/events.js";
import type { StepInProgress } from "../work/step.js";
import { NOTHING_LOST, type TakenUp } from "../work/taken-up.js";

/** A kind of agent that is loaded when its first task begins: a page that has no such agent does not carry it. */
export class LazyKind implements AgentKind {
  readonly name: AgentName;
  readonly #taskId: string;
  readonly #load: () => Promise<AgentKind>;
  #kind: AgentKind | undefined;
  #isClosed = false;
  #observe: ObserveTool | undefined;

  constructor(name: AgentName, { taskId, load }: { readonly taskId: string; readonly load: () => Promise<AgentKind> }) {
    this.name = name;
    this.#taskId = taskId;
    this.#load = load;
  }

  async systemPrompt(notify: Notify): Promise<string> {
    const kind = await this.#load().catch((cause: unknown) => {
      throw new AgentLoadError(this.name, { cause });
    });
    // Stopped meanwhile: what is opened now nobody would close.
    if (this.#isClosed) throw new TaskEndedError(this.#taskId);
    this.#kind = kind;
    if (this.#observe !== undefined) kind.observeTools?.(this.#observe);
    return kind.systemPrompt(notify);
  }

  observeTools(observe: ObserveTool): void {
    this.#observe = observe;
  }

  async finish(): Promise<readonly string[]> {
    return (await this.#kind?.finish?.()) ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#kind?.close?.();
  }

  request(): Omit<ModelRequest, "messages"> {
    return this.#loaded.request();
  }

  act(reply: ModelReply, step: StepInProgress, signal: AbortSignal): Promise<StepOutcome> {
    return this.#loaded.act(reply, step, signal);
  }

  adapt(refusal: ModelError, notify: Notify): string | null {
    return this.#loaded.adapt?.(refusal, notify) ?? null;
  }

  async takeUp(steps: readonly AgentStep[], signal: AbortSignal): Promise<TakenUp> {
    return (await this.#loaded.takeUp?.(steps, signal)) ?? NOTHING_LOST;
  }

  get callsRunId(): string | null {
    return this.#loaded.callsRunId ?? null;
  }

  get journal(): CallJournal | null {
    return this.#loaded.journal ?? null;
  }

  get learning(): TrialAccess | null {
    return this.#loaded.learning ?? null;
  }

  get lastAttempt(): AgentKind["lastAttempt"] {
    return this.#loaded.lastAttempt;
  }

  get #loaded(): AgentKind {
    if (this.#kind === undefined) throw new TypeError("A step is taken before the task has asked for its prompt.");
    return this.#kind;
  }
}
