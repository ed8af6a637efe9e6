import type { Value } from "../../protocol/index.js";
import { functionTool, type JsonSchema, type ToolAdapter, type ValueSchema } from "../../tools/index.js";
import { BudgetMeter } from "../budget/budget.js";
import { WorkCaller, type AgentCount } from "../work/work.js";
import {
  checkAgentTool,
  DEFAULT_BUDGET,
  DEFAULT_SPREAD,
  type AgentToolInput,
  type AgentToolOptions,
} from "./agent-tool-options.js";

/** Milliseconds, as many as a timer can take: the task has a clock of its own, which stands still while a person is asked. */
const UNBOUNDED = 2 ** 31 - 1;

const TASK: JsonSchema = {
  type: "object",
  properties: {
    task: {
      type: "string",
      minLength: 1,
      description: "What is to be done, with all that has to be known for it: nothing else is told.",
    },
  },
  required: ["task"],
  additionalProperties: false,
};

/**
 * An agent as a tool of others. A call is a task: the agent solves it in a session inside the caller's, and its answer is
 * the value of the call. What it uses is counted in the budget of the task that called it, its events are among that
 * task's, and it is stopped with it. Without an answer the call fails with `AGENT_TASK`.
 *
 * @throws {AgentOptionsError} for an invalid budget.
 */
export function agentTool<Input extends ValueSchema>(options: AgentToolOptions & AgentToolInput<Input>): ToolAdapter;
/** The same, of a text: `tools.name(task="…")`. */
export function agentTool(options: AgentToolOptions): ToolAdapter;
export function agentTool(options: AgentToolOptions & Partial<AgentToolInput<ValueSchema>>): ToolAdapter {
  checkAgentTool(options);
  const { name, description, input = TASK, task = taskOf, tags = [], hints = {} } = options;
  const budget = { ...DEFAULT_BUDGET, ...options.budget };
  new BudgetMeter(budget);
  const spread = { ...DEFAULT_SPREAD, ...options.spread };
  const alone: AgentCount = { open: 0 };
  return functionTool({
    name,
    description,
    input,
    tags,
    hints,
    timeout: UNBOUNDED,
    ownTime: true,
    run: async (given, context): Promise<Value> => {
      const caller = context.task instanceof WorkCaller ? context.task : null;
      const meter = new BudgetMeter(budget, undefined, BudgetMeter.of(context.task));
      // A page whose agents call no agents does not load how.
      const { solveAsTool } = await import("./agent-task.js");
      return solveAsTool(task(given), { options, spread, alone, context, caller, meter });
    },
  });
}

/** The schema has made sure of it. */
function taskOf(input: unknown): string {
  return typeof input === "object" && input !== null && "task" in input ? String(input.task) : "";
}
