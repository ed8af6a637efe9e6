import type { JournalEntry } from "../../dispatch/index.js";
import type { ModelMessage } from "../../model/index.js";
import type { TaskUsage } from "../budget/budget.js";
import type { ConversationItem } from "../conversation/conversation.js";
import type {
  AgentEvent,
  AgentResult,
  AgentStep,
  InterruptedStep,
  StepEnded,
  StepStarted,
  TaskSignal,
  TaskStarted,
} from "../events/events.js";
import type { ProgramNews } from "../events/program-news.js";
import { interruptedReply } from "../conversation/remembered-reply.js";
import type { OpenStep } from "../work/step.js";

/** A step that began and whose end is not told. */
export interface BegunStep {
  readonly number: number;
  /** Ids of the calls that earlier steps made. */
  readonly earlierCalls: ReadonlySet<string>;
  /** The model's reply, once it was whole. */
  reply: ModelMessage | null;
  /** The run that its code became, or to which its calls belong. */
  runId: string | null;
  /** What is known of its calls, by id, in the order in which they began. */
  readonly calls: Map<string, JournalEntry>;
  /** Ids of those to which a person has agreed. */
  readonly agreed: Set<string>;
  printed: string;
}

const NOTHING: TaskUsage = {
  modelCalls: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  isEstimated: false,
  time: 0,
  money: null,
};

/** What the events of a task come to, told from the first one on. */
export class TaskStory {
  readonly steps: OpenStep[] = [];
  readonly conversation: ConversationItem[];
  model: TaskStarted["model"];
  usage: TaskUsage = NOTHING;
  result: AgentResult | null = null;
  isAnswered = false;
  /** Set between a step's beginning and its end. */
  begun: BegunStep | null = null;
  /** What is known of the last step, where it was cut short. */
  cut: InterruptedStep | null = null;
  /** What the person said and the model has not been told. */
  readonly unheard: string[] = [];
  readonly #taskId: string;
  /** Calls of all steps so far. */
  readonly #noted = new Set<string>();
  readonly #counted = new Set<string>();
  readonly #signals: TaskSignal[] = [];
  /** Questions and calls for which a person is waited for. */
  readonly #asked = new Set<string>();
  #lastTime: number;

  constructor({ taskId, task, model, before, time }: TaskStarted) {
    this.#taskId = taskId;
    this.#lastTime = time;
    this.model = model;
    this.conversation = [...before, turn(task)];
  }

  add(event: AgentEvent): void {
    this.#passTime(event);
    this.#noteAsked(event);
    // Tasks of other agents in its course are told among its events. What they use is used by this one too.
    this.#countRequest(event);
    if (event.taskId !== this.#taskId) {
      if (event.type === "program") this.#countProgram(event.news);
      if (event.type === "call") this.#countCall(event.entry);
      return;
    }
    // What the model says of no step is about a skill, once the task has its answer.
    const step = event.step === null ? undefined : this.steps.at(-1);
    switch (event.type) {
      case "task-resumed":
        this.model = event.model;
        this.result = null;
        if (event.told !== null) this.conversation.push(turn(event.told));
        break;
      case "step-started":
        this.#beginStep(event);
        break;
      case "model-text":
        if (step !== undefined) step.reply += event.text;
        break;
      case "model-reasoning":
        if (step !== undefined) step.reasoning += event.text;
        break;
      case "model-retry":
      case "pruned":
        if (step !== undefined) step.reply = step.reasoning = "";
        break;
      case "model-ended":
        if (step === undefined) break;
        step.reply = event.reply;
        step.toolCalls = event.toolCalls;
        step.usage = event.usage;
        if (this.begun !== null) this.begun.reply = interruptedReply({ ...event, text: event.reply });
        break;
      case "code":
        if (step !== undefined) step.code = event.code;
        if (this.begun !== null) this.begun.runId = event.runId;
        break;
      case "call":
        this.#noteCall(event.entry);
        break;
      case "program":
        this.#countProgram(event.news);
        break;
      case "output":
        if (this.begun !== null && event.chunk.kind === "stdout") this.begun.printed += event.chunk.text;
        break;
      case "signal":
        this.#signals.push(event.signal);
        break;
      case "user-message":
        this.unheard.push(event.text);
        break;
      case "answer":
        // The best that was had at the step limit does not end a task for good.
        this.isAnswered = event.answer.source === "normal";
        break;
      case "step-ended":
        this.#endStep(event);
        break;
      case "task-ended":
        this.#hear();
        this.usage = event.result.usage;
        this.result = { ...event.result, steps: this.steps, signals: this.#signals };
        break;
      default:
        break;
    }
  }

  #beginStep({ step: known, callsRunId }: StepStarted): void {
    const number = known ?? this.steps.length + 1;
    this.#hear();
    const empty: AgentStep = {
      number,
      reply: "",
      reasoning: "",
      toolCalls: [],
      code: null,
      run: null,
      observation: null,
      usage: null,
    };
    this.steps.push(empty);
    this.cut = null;
    this.begun = {
      number,
      earlierCalls: new Set(this.#noted),
      reply: null,
      runId: callsRunId,
      calls: new Map(),
      agreed: new Set(),
      printed: "",
    };
  }

  #endStep({ step: number, run, observation, remembered, interrupted, usage }: StepEnded): void {
    const step = this.steps.find((one) => one.number === number);
    if (step !== undefined) Object.assign(step, { run, observation });
    if (remembered !== null) this.conversation.push(remembered);
    this.usage = usage;
    this.begun = null;
    this.cut = interrupted ?? null;
  }

  #noteCall(entry: JournalEntry): void {
    const { begun } = this;
    if (begun === null) return;
    this.#countCall(entry);
    this.#noted.add(entry.id);
    begun.calls.set(entry.id, entry);
    if (entry.approval === "allowed") begun.agreed.add(entry.id);
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
    const isTold = type === "task-resumed" || type === "step-ended" || type === "task-ended";
    if (isTold && taskId === this.#taskId) return;
    this.usage = { ...this.usage, time: this.usage.time + passed };
  }

  #hear(): void {
    for (const text of this.unheard.splice(0)) this.conversation.push(turn(text));
  }
}

function turn(text: string): ConversationItem {
  return { kind: "turn", message: { role: "user", content: text } };
}
