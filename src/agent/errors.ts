import { VitrineError } from "../protocol/index.js";
import type { RunError } from "../session/index.js";

/** An agent was asked for something it cannot do. Nothing was started. */
export class AgentOptionsError extends VitrineError {
  override readonly name = "AgentOptionsError";
  readonly code = "AGENT_OPTIONS";

  constructor(
    readonly field: "task" | "maxSteps",
    problem: string,
  ) {
    super(`The agent cannot start: ${field} ${problem}.`);
  }
}

/** The task used up its steps without calling `final_answer`. */
export class StepLimitReachedError extends VitrineError {
  override readonly name = "StepLimitReached";
  readonly code = "STEP_LIMIT_REACHED";

  constructor(readonly stepsTaken: number) {
    super(
      `Exceeded max steps without an answer (${String(stepsTaken)} taken). ` +
        "Allow more steps, or split the task into smaller ones.",
    );
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
