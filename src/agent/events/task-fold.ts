import type { TaskBudget, TaskUsage } from "../budget/budget.js";
import type { AgentAnswer, AgentEvent, AgentResult, AgentStep, StepStarted, TaskSignal } from "./events.js";

/** A step as it is filled in, so that what it got done is there whatever happens next. */
export type OpenStep = { -readonly [Field in keyof AgentStep]: AgentStep[Field] };

/**
 * What the events of one task come to, for all its readers: saved tasks add what the model knows of it, a page what it
 * draws. What both read is read here alone.
 */
export abstract class TaskFold<Step extends OpenStep = OpenStep> {
  readonly steps: Step[] = [];
  /** What the code said of its work. */
  readonly signals: TaskSignal[] = [];
  maxSteps = 0;
  /** What it may use; nothing where it is bounded by its steps, and by what called it, alone. */
  budget: TaskBudget = {};
  answer: AgentAnswer | null = null;
  error: Error | null = null;
  /** What it has used so far; null before anything is known of it. */
  usage: TaskUsage | null = null;
  /** Null until the end. */
  result: AgentResult | null = null;

  protected abstract begin(number: number, event: StepStarted): Step;

  /**
   * Takes the next event of the task.
   *
   * @returns the step that the event is about.
   */
  protected fold(event: AgentEvent): Step | undefined {
    const step = this.#stepOf(event);
    switch (event.type) {
      case "task-started":
      case "task-resumed":
        ({ maxSteps: this.maxSteps, budget: this.budget } = event);
        this.error = this.result = null;
        break;
      case "model-text":
        if (step !== undefined) step.reply += event.text;
        break;
      case "model-reasoning":
        if (step !== undefined) step.reasoning += event.text;
        break;
      case "model-retry":
      case "pruned":
        // What was streamed before is not part of the reply that follows.
        if (step !== undefined) step.reply = step.reasoning = "";
        break;
      case "model-ended":
        if (step !== undefined) ({ reply: step.reply, toolCalls: step.toolCalls, usage: step.usage } = event);
        break;
      case "code":
        if (step !== undefined) step.code = event.code;
        break;
      case "signal":
        this.signals.push(event.signal);
        break;
      case "answer":
        this.answer = event.answer;
        break;
      case "error":
        this.error = event.error;
        break;
      case "step-ended":
        if (step !== undefined) ({ run: step.run, observation: step.observation } = event);
        this.usage = event.usage;
        break;
      case "task-ended":
        // Its end is saved without what it repeats.
        this.result = { ...event.result, steps: this.steps, signals: this.signals };
        this.error = event.result.error;
        this.usage = event.result.usage;
        break;
      default:
        break;
    }
    return step;
  }

  #stepOf(event: AgentEvent): Step | undefined {
    const { step: number, type } = event;
    if (type === "step-started") {
      const step = this.begin(number ?? this.steps.length + 1, event);
      this.steps.push(step);
      return step;
    }
    if (number === null) return undefined;
    const last = this.steps.at(-1);
    return last?.number === number ? last : this.steps.find((step) => step.number === number);
  }
}
