import { optionCheck } from "../../options/index.js";
import type { Value } from "../../protocol/index.js";
import { SESSION_LIMITS, type ChildOptions, type ChildSession } from "../../session/index.js";
import type { StorageBackend } from "../../storage/index.js";
import {
  functionTool,
  TOOL_HINTS,
  TOOL_SCOPE,
  type JsonSchema,
  type SchemaOutput,
  type ToolAdapter,
  type ToolHints,
  type ValueSchema,
} from "../../tools/index.js";
import type { AgentRun } from "../work/agent-run.js";
import { BudgetMeter, type TaskBudget } from "../budget/budget.js";
import { AgentTree, ToldTask } from "../work/running-task.js";
import type { TaskOptions } from "../loop/start-task.js";

/** How far agents may spread that work as tools. */
export interface SpreadLimits {
  /** How many agents may be inside one another below the task that a person gave. */
  readonly depth: number;
  /** How many may work at once below that task, at whatever depth. */
  readonly open: number;
  /** How many may work in the course of one task, or of one turn, one after the other counted too. */
  readonly perTask: number;
}

/** What an agent tool needs of an agent: every agent here has it. */
export interface TaskSolver {
  run(task: string, options: Pick<TaskOptions, "signal" | "inside">): AgentRun;
}

/** What an agent tool needs of a session. */
export interface AgentToolSession {
  openChild(options: ChildOptions): Promise<ChildSession>;
}

/** Beside what is said here the agent's session is opened as `session.openChild` does, and is never weaker than its caller's. */
export interface AgentToolOptions extends Omit<ChildOptions, "parentCall" | "storage" | "onTool"> {
  readonly name: string;
  /** What the agent is good for, and what it answers with: the calling model decides by it. */
  readonly description: string;
  /** The session in which the tool is registered. */
  readonly session: AgentToolSession;
  /** Makes the agent for one call, on a session of its own, which is closed after its task. */
  readonly agent: (session: ChildSession) => TaskSolver;
  /**
   * Where the agent keeps files, artifacts, skills and packages: `parent` for where its caller does, which both then see,
   * or a place of its own, the same for every call or a new one for each. Journal and tools are its caller's in either case.
   */
  readonly storage: "parent" | StorageBackend | (() => StorageBackend);
  /**
   * What one call may use at most, beside the agent's own budget and whatever its caller has left. Its `time`, without
   * that in which a person was asked something, is ten minutes where nothing else is said; `Infinity` for none.
   */
  readonly budget?: Omit<TaskBudget, "money">;
  /** Default: agents 3 deep, 4 at work at once, 20 in the course of one task. */
  readonly spread?: Partial<SpreadLimits>;
  readonly tags?: readonly string[];
  readonly hints?: ToolHints;
  /** Is handed every task as it starts: its events, and later its result. */
  readonly onRun?: (run: AgentRun) => void;
}

/** For tools that take more than a task. */
export interface AgentToolInput<Input extends ValueSchema> {
  /** As of a function tool. */
  readonly input: Input;
  /** The task, as the agent is told it. */
  readonly task: (input: SchemaOutput<Input>) => string;
}

const checkOptions = optionCheck<AgentToolOptions & Partial<AgentToolInput<ValueSchema>>>("agentTool", {
  name: "string",
  description: "string",
  session: "object",
  agent: "function",
  storage: "string|object|function",
  budget: { modelCalls: "number?", tokens: "number?", toolCalls: "number?", time: "number?" },
  spread: { depth: "number?", open: "number?", perTask: "number?" },
  tags: "array?",
  hints: TOOL_HINTS,
  onRun: "function?",
  trust: "string?",
  scope: TOOL_SCOPE,
  timeout: "number|null?",
  limits: SESSION_LIMITS,
  imports: "array?",
  input: "any?",
  task: "function?",
});

const DEFAULT_BUDGET: TaskBudget = { time: 600_000 };
const DEFAULT_SPREAD: SpreadLimits = { depth: 3, open: 4, perTask: 20 };

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
 * @throws {AgentOptionsError} for a budget that is none.
 */
export function agentTool<Input extends ValueSchema>(options: AgentToolOptions & AgentToolInput<Input>): ToolAdapter;
/** The same, of a text: `tools.name(task="…")`. */
export function agentTool(options: AgentToolOptions): ToolAdapter;
export function agentTool(options: AgentToolOptions & Partial<AgentToolInput<ValueSchema>>): ToolAdapter {
  checkOptions(options);
  const { name, description, input = TASK, task = taskOf, tags = [], hints = {} } = options;
  const budget = { ...DEFAULT_BUDGET, ...options.budget };
  new BudgetMeter(budget);
  const spread = { ...DEFAULT_SPREAD, ...options.spread };
  const alone = new AgentTree();
  return functionTool({
    name,
    description,
    input,
    tags,
    hints,
    timeout: UNBOUNDED,
    ownTime: true,
    run: async (given, context): Promise<Value> => {
      const caller = context.task instanceof ToldTask ? context.task : null;
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
