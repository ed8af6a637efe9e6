import { optionCheck } from "../../options/index.js";
import { SESSION_LIMITS, type ChildOptions, type ChildSession } from "../../session/index.js";
import type { StorageBackend } from "../../storage/index.js";
import { TOOL_HINTS, TOOL_SCOPE, type SchemaOutput, type ToolHints, type ValueSchema } from "../../tools/index.js";
import { WRITE_CODE_OPTIONS } from "../../write-code/index.js";
import type { TaskBudget } from "../budget/budget.js";
import type { TaskOptions } from "../loop/start-task.js";
import type { AgentRun } from "../work/agent-run.js";

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
export interface AgentToolOptions extends Omit<
  ChildOptions,
  "parentCall" | "storage" | "onTool" | "tools" | "recordsChanges"
> {
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

export const checkAgentTool = optionCheck<AgentToolOptions & Partial<AgentToolInput<ValueSchema>>>("agentTool", {
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
  fileTools: "boolean?",
  writeCode: WRITE_CODE_OPTIONS,
  timeout: "number|null?",
  limits: SESSION_LIMITS,
  imports: "array?",
  input: "any?",
  task: "function?",
});

export const DEFAULT_BUDGET: TaskBudget = { time: 600_000 };
export const DEFAULT_SPREAD: SpreadLimits = { depth: 3, open: 4, perTask: 20 };
