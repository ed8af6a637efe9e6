import { messageOf, VitrineError, type Value } from "../protocol/index.js";
import type { RunError } from "../session/index.js";

/** An agent was asked for something it cannot do. Nothing was started. */
export class AgentOptionsError extends VitrineError {
  override readonly name = "AgentOptionsError";
  readonly code = "AGENT_OPTIONS";

  constructor(
    readonly field:
      | "task"
      | "maxSteps"
      | "budget"
      | "limits"
      | "onQuestion"
      | "session"
      | "pruning"
      | "answer"
      | "temperature"
      | "toolCallingMode"
      | "observationLength",
    problem: string,
  ) {
    super(`The agent cannot start: ${field} ${problem}.`);
  }
}

/** A part of Vitrine that is loaded with the first task did not load. Nothing was asked. */
export class AgentLoadError extends VitrineError {
  override readonly name = "AgentLoadError";
  readonly code = "AGENT_LOAD";

  constructor(agent: "code" | "react", options: ErrorOptions) {
    const { cause } = options;
    const reason = messageOf(cause);
    super(
      `The part of this site that is the ${agent === "code" ? "code agent" : "JSON agent"} could not be loaded (${reason}). Reload the page and try again.`,
      options,
    );
  }
}

/** The task used up its steps without an answer. */
export class StepLimitReachedError extends VitrineError {
  override readonly name = "StepLimitReached";
  readonly code = "STEP_LIMIT_REACHED";

  constructor(
    readonly stepsTaken: number,
    /** Whether the model was asked once more for its best answer. */
    readonly finalAttemptMade = false,
  ) {
    super(
      `Exceeded max ReAct steps without an answer. Steps taken: ${String(stepsTaken)}. ` +
        "Allow more steps, or split the task into smaller ones.",
    );
  }
}

/** Which limit of a budget was reached. */
export type BudgetKind = "modelCalls" | "tokens" | "toolCalls" | "time" | "money";

const BUDGETS: Readonly<Record<BudgetKind, { readonly name: string; readonly unit: string }>> = {
  modelCalls: { name: "model calls", unit: "" },
  tokens: { name: "tokens", unit: "" },
  toolCalls: { name: "tool calls", unit: "" },
  time: { name: "time", unit: " ms" },
  money: { name: "money", unit: "" },
};

/** The task used up its budget. What was done until then is kept. */
export class BudgetReachedError extends VitrineError {
  override readonly name = "BudgetReachedError";
  readonly code = "BUDGET_REACHED";
  readonly limit: number;
  readonly used: number;

  constructor(
    readonly kind: BudgetKind,
    { limit, used }: { readonly limit: number; readonly used: number },
  ) {
    const { name, unit } = BUDGETS[kind];
    super(
      `The task's budget of ${name} is used up (${rounded(used)} of ${rounded(limit)}${unit}). ` +
        "What it did until then is kept; allow it more, or split the task into smaller ones.",
    );
    this.limit = limit;
    this.used = used;
  }
}

/** The session under the task is gone. */
export class TaskSessionError extends VitrineError {
  override readonly name = "TaskSessionError";
  readonly code = "TASK_SESSION";

  constructor(readonly runError: RunError) {
    super(`The task cannot go on, because its session cannot run code any more: ${runError.message}`);
  }
}

/** Something was said to a task that has ended. It was not heard. */
export class TaskEndedError extends VitrineError {
  override readonly name = "TaskEndedError";
  readonly code = "TASK_ENDED";

  constructor(readonly taskId: string) {
    super(`The task ${taskId} has ended and hears nothing any more. Start another one with \`after\`.`);
  }
}

/** A task was given a second answer. The first one is kept. */
export class MultipleFinalAnswersError extends VitrineError {
  override readonly name = "MultipleFinalAnswers";
  readonly code = "MULTIPLE_FINAL_ANSWERS";

  constructor(
    readonly firstAnswer: Value,
    readonly attemptedAnswer: Value,
  ) {
    super("Final answer already set. Each execution can only have one final answer.");
  }
}

/** The answer does not have the form that was asked for, and neither had the one before it. */
export class InvalidFinalAnswerError extends VitrineError {
  override readonly name = "InvalidFinalAnswer";
  readonly code = "INVALID_FINAL_ANSWER";

  constructor(
    /** The answer as text. */
    readonly rawContent: string,
    readonly validationError: string,
  ) {
    super(
      `The model's answer does not have the form that was asked for: ${validationError}. ` +
        "Ask again, say in the task what the answer should look like, or loosen the schema.",
    );
  }
}

/** A prompt file cannot be used. Nothing was started. */
export class PromptFileError extends VitrineError {
  override readonly name = "PromptFileError";
  readonly code = "PROMPT_FILE";

  constructor(
    readonly file: string,
    problem: string,
  ) {
    super(`The prompt file ${file} cannot be used: ${problem}.`);
  }
}

function rounded(amount: number): string {
  return (amount >= 100 ? Math.round(amount) : Number(amount.toPrecision(3))).toLocaleString("en-US");
}
