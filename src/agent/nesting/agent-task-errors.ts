import { VitrineError, type Value } from "../../protocol/index.js";
import type { AgentResult } from "../events/events.js";

/** One more agent would be too deep inside others. It was not started. */
export class AgentDepthError extends VitrineError {
  // As Python is to see it.
  override readonly name = "ToolCallError";
  readonly code = "AGENT_DEPTH";

  constructor(
    /** How many agents are inside one another already, below the task that a person gave. */
    readonly depth: number,
  ) {
    super(
      `No agent was started: ${String(depth)} agents are inside one another here, and no more may be. ` +
        "Do this part yourself.",
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { depth: this.depth };
  }
}

/** One more agent would be too many. It was not started. */
export class AgentFanOutError extends VitrineError {
  override readonly name = "ToolCallError";
  readonly code = "AGENT_FAN_OUT";

  constructor(
    /** Whether too many work at once, or this task has had too many. */
    readonly kind: "open" | "per-task",
    readonly limit: number,
  ) {
    super(
      kind === "open"
        ? `No agent was started: ${String(limit)} work at once, and no more may. Wait until one has ended.`
        : `No agent was started: this task has had ${String(limit)} of them, and no more are allowed. Do the rest yourself.`,
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { limit: this.limit };
  }
}

/** An agent that works as a tool ended without an answer. What it did until then may have taken effect. */
export class AgentTaskError extends VitrineError {
  override readonly name = "ToolCallError";
  readonly code = "AGENT_TASK";

  constructor(
    /** The name of its tool. */
    readonly agent: string,
    readonly result: AgentResult,
  ) {
    const { state, error, steps } = result;
    super(
      `The agent ${agent} ended without an answer after ${String(steps.length)} steps (${state}). ${error?.message ?? ""}`.trim(),
      error === null ? undefined : { cause: error },
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { state: this.result.state };
  }
}
