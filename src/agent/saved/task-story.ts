import type { JournalEntry } from "../../dispatch/index.js";
import type { ModelMessage } from "../../model/index.js";
import type { TaskUsage } from "../budget.js";
import type { ConversationItem } from "../conversation.js";
import type {
  AgentEvent,
  AgentResult,
  AgentStep,
  ModelEnded,
  StepEnded,
  StepStarted,
  TaskSignal,
  TaskStarted,
} from "../events.js";
import type { OpenStep } from "../step.js";

/** A step that began and whose end is not told. */
export interface BegunStep {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The model's reply, once it was whole. */
  reply: ModelMessage | null;
  /** The run that its code became, or to which its calls belong. */
  runId: string | null;
  /** What is known of its calls, by id, in the order in which they began. */
  readonly calls: Map<string, JournalEntry>;
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
  /** What the person said and the model has not been told. */
  readonly unheard: string[] = [];
  readonly #taskId: string;
  readonly #counted = new Set<string>();
  readonly #signals: TaskSignal[] = [];
  #lastTime: number;

  constructor({ taskId, task, model, before, time }: TaskStarted) {
    this.#taskId = taskId;
    this.#lastTime = time;
    this.model = model;
    this.conversation = [...before, turn(task)];
  }

  add(event: AgentEvent): void {
    // Tasks of other agents in its course are told among its events. What they use is used by this one too.
    if (event.taskId !== this.#taskId) {
      if (event.type === "model-ended") this.#count(event.usage);
      if (event.type === "call") this.#countCall(event.entry);
      return;
    }
    const step = this.steps.at(-1);
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
        if (this.begun !== null) this.begun.reply = { role: "assistant", content: saidOf(event) };
        this.#count(event.usage);
        break;
      case "code":
        if (step !== undefined) step.code = event.code;
        if (this.begun !== null) this.begun.runId = event.runId;
        break;
      case "call":
        this.#noteCall(event.entry);
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
    this.#passTime(event);
  }

  #beginStep({ step: known, time, callsRunId }: StepStarted): void {
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
    this.begun = { number, startedAt: time, reply: null, runId: callsRunId, calls: new Map(), printed: "" };
  }

  #endStep({ step: number, run, observation, remembered, usage }: StepEnded): void {
    const step = this.steps.find((one) => one.number === number);
    if (step !== undefined) Object.assign(step, { run, observation });
    if (remembered !== null) this.conversation.push(remembered);
    this.usage = usage;
    this.begun = null;
  }

  #noteCall(entry: JournalEntry): void {
    const { begun } = this;
    if (begun === null) return;
    this.#countCall(entry);
    begun.calls.set(entry.id, entry);
  }

  #countCall({ id, namespace, name }: JournalEntry): void {
    if (this.#counted.has(id) || namespace !== "tools" || name === "register") return;
    this.#counted.add(id);
    this.usage = { ...this.usage, toolCalls: this.usage.toolCalls + 1 };
  }

  /** Until the step ends, which says what it used. */
  #count({ inputTokens, outputTokens, isEstimated }: NonNullable<AgentStep["usage"]>): void {
    const { usage } = this;
    this.usage = {
      ...usage,
      modelCalls: usage.modelCalls + 1,
      inputTokens: usage.inputTokens + inputTokens,
      outputTokens: usage.outputTokens + outputTokens,
      isEstimated: usage.isEstimated || isEstimated,
    };
  }

  #passTime({ type, time }: AgentEvent): void {
    const passed = Math.max(0, time - this.#lastTime);
    this.#lastTime = time;
    // Between an interruption and the taking up nothing was used.
    if (type === "task-resumed" || type === "step-ended" || type === "task-ended") return;
    this.usage = { ...this.usage, time: this.usage.time + passed };
  }

  #hear(): void {
    for (const text of this.unheard.splice(0)) this.conversation.push(turn(text));
  }
}

/** What the model said: calls that are not answered cannot be told to a server as calls. */
function saidOf({ reply, toolCalls }: ModelEnded): string {
  const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${given})`);
  return [reply, ...calls].filter((text) => text !== "").join("\n") || "(no reply)";
}

function turn(text: string): ConversationItem {
  return { kind: "turn", message: { role: "user", content: text } };
}
