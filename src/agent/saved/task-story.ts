import type { JournalEntry } from "../../dispatch/index.js";
import type { TaskUsage } from "../budget/budget.js";
import type { ConversationItem } from "../conversation/conversation.js";
import { tellsModel } from "../conversation/remembered-reply.js";
import type { AgentEvent, AgentStep, TaskStarted } from "../events/events.js";
import type { ProgramNews } from "../events/program-news.js";
import { TaskFold, type OpenStep } from "../events/task-fold.js";

const NOTHING: TaskUsage = {
  modelCalls: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  isEstimated: false,
  time: 0,
  money: null,
};

/** What a task is saved as, by its events from the first one on: also what the model knows of it, and what it has used. */
export class TaskStory extends TaskFold {
  readonly conversation: ConversationItem[];
  model: TaskStarted["model"];
  override usage: TaskUsage = NOTHING;
  readonly #taskId: string;
  /** What the person said and the model has not been told. */
  readonly #unheard: string[] = [];
  /** Between a step's beginning and its end. */
  #isInStep = false;
  readonly #counted = new Set<string>();
  /** Questions and calls for which a person is waited for. */
  readonly #asked = new Set<string>();
  #lastTime: number;

  constructor({ taskId, task, model, before, time }: TaskStarted) {
    super();
    this.#taskId = taskId;
    this.#lastTime = time;
    this.model = model;
    this.conversation = [...before, turn(task)];
  }

  /** Whether it has its answer. The best that was had at the step limit does not end a task for good. */
  get isAnswered(): boolean {
    return this.answer?.source === "normal";
  }

  add(event: AgentEvent): void {
    const isOwn = event.taskId === this.#taskId;
    this.#passTime(event);
    this.#noteAsked(event);
    // Tasks of other agents in its course are told among its events. What they use is used by this one too.
    this.#countRequest(event);
    if (event.type === "program") this.#countProgram(event.news);
    if (event.type === "call" && (this.#isInStep || !isOwn)) this.#countCall(event.entry);
    if (!isOwn) return;
    this.fold(event);
    this.#converse(event);
  }

  protected override begin(number: number): OpenStep {
    return {
      number,
      reply: "",
      reasoning: "",
      toolCalls: [],
      code: null,
      run: null,
      observation: null,
      usage: null,
    };
  }

  #converse(event: AgentEvent): void {
    switch (event.type) {
      case "task-resumed":
        this.model = event.model;
        if (event.told !== null) this.conversation.push(turn(event.told));
        break;
      case "step-started":
        this.#isInStep = true;
        break;
      case "user-message":
        this.#unheard.push(event.text);
        break;
      case "step-ended":
        this.#isInStep = false;
        if (event.remembered !== null) this.conversation.push(event.remembered);
        break;
      default:
        break;
    }
    if (tellsModel(event)) this.conversation.push(...this.#unheard.splice(0).map(turn));
  }

  #countCall({ id, namespace, name }: JournalEntry): void {
    if (this.#counted.has(id) || namespace !== "tools" || name === "register") return;
    this.#counted.add(id);
    this.usage = { ...this.usage, toolCalls: this.usage.toolCalls + 1 };
  }

  #countProgram(news: ProgramNews): void {
    if (news.kind !== "written") return;
    const { usage } = news;
    // Where no server told, nobody knows now what was estimated then.
    const tokens = usage ?? { inputTokens: 0, outputTokens: 0 };
    this.#countCalls(1);
    this.#countTokens({ ...tokens, isEstimated: usage === null });
  }

  /** A step asks its model once, and again after what is told of; what is asked beside the steps is told with its reply. */
  #countRequest(event: AgentEvent): void {
    const isAsked = event.type === "step-started" || event.type === "model-retry" || event.type === "pruned";
    if (isAsked || (event.type === "model-ended" && event.step === null)) this.#countCalls(1);
    if (event.type === "model-ended") this.#countTokens(event.usage);
  }

  #countCalls(calls: number): void {
    this.usage = { ...this.usage, modelCalls: this.usage.modelCalls + calls };
  }

  /** Until the step ends, which says what it used. */
  #countTokens({ inputTokens, outputTokens, isEstimated }: NonNullable<AgentStep["usage"]>): void {
    const { usage } = this;
    this.usage = {
      ...usage,
      inputTokens: usage.inputTokens + inputTokens,
      outputTokens: usage.outputTokens + outputTokens,
      isEstimated: usage.isEstimated || isEstimated,
    };
  }

  /** Of a person who is asked below this task the clock of this one waits as well. */
  #noteAsked(event: AgentEvent): void {
    const isOwn = event.taskId === this.#taskId;
    // Whom a page that went away had asked, nobody asks any more.
    if (isOwn && (event.type === "task-resumed" || event.type === "step-started")) this.#asked.clear();
    const isAsked =
      event.type === "question"
        ? event.answer === null
        : event.type === "call" && event.entry.approval === "asked" && event.entry.outcome.kind === "pending";
    if (isAsked) this.#asked.add(event.id);
    else if (event.type === "question" || event.type === "call") this.#asked.delete(event.id);
  }

  #passTime({ type, time, taskId }: AgentEvent): void {
    const passed = Math.max(0, time - this.#lastTime);
    this.#lastTime = time;
    if (this.#asked.size > 0) return;
    // Between an interruption and the taking up nothing was used.
    const isReported = type === "task-resumed" || type === "step-ended" || type === "task-ended";
    if (isReported && taskId === this.#taskId) return;
    this.usage = { ...this.usage, time: this.usage.time + passed };
  }
}

function turn(text: string): ConversationItem {
  return { kind: "turn", message: { role: "user", content: text } };
}
