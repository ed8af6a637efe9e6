import type { Model } from "../model/index.js";
import type { OptionKinds } from "../options/index.js";
import type { SourceFile } from "../protocol/index.js";
import type { ValueSchema } from "../tools/index.js";
import { BudgetMeter, MODEL_PRICES, TASK_BUDGET, type ModelPrices, type TaskBudget } from "./budget/budget.js";
import { keepLastSteps, type PruningStrategy } from "./conversation/conversation.js";
import { AgentOptionsError } from "./errors.js";
import type { TaskStore } from "./saved/task-store.js";

/** What agents of every kind are told. */
export interface AgentOptions {
  readonly model: Model;
  /** Steps that a task may take. Default 10. */
  readonly maxSteps?: number;
  /** What else a task may use. Default: as much as it needs. */
  readonly budget?: TaskBudget;
  /** What the model costs, where money is to be counted. */
  readonly prices?: ModelPrices;
  /** How often a model that failed for a while is asked again, step by step. Default 2. */
  readonly retries?: number;
  /**
   * How a conversation is made shorter that has become too long for the model. Default: `keepLastSteps(5)`.
   * TinyCodeAgent prunes after every step: `prunesEachStep`. That has its price, for providers keep what begins alike.
   */
  readonly pruning?: PruningStrategy;
  /** Default: false. */
  readonly prunesEachStep?: boolean;
  /**
   * The form of the answer: zod, another Standard Schema, or JSON Schema. An answer of another form is sent back once;
   * a second one ends the task.
   */
  readonly answer?: ValueSchema;
  /** Where tasks are kept as they go on, to be looked at and taken up later. Default: nowhere. */
  readonly tasks?: TaskStore;
  /**
   * Whether the model is asked, after a task that it completed, if what it did is worth a skill. What it proposes is tried
   * in a sealed interpreter, with the answers that the task's tools gave, and saved by `skills.create`: a person is asked,
   * unless the session's rules say otherwise. It costs one request more, or two. Default: false.
   */
  readonly learnsSkills?: boolean;
  /** Added to the end of the system prompt. */
  readonly systemSuffix?: string;
  /**
   * Rules in the place of those that come with the agent, from a `.txt`, `.md`, `.prompt` or `.xml` file. `{helpers}` in
   * it becomes the names of the tools. A file that cannot be used is told of by an event, and the built-in rules stay.
   */
  readonly promptFile?: SourceFile;
}

export const AGENT_OPTIONS: OptionKinds<AgentOptions> = {
  model: "object",
  maxSteps: "number?",
  budget: TASK_BUDGET,
  prices: MODEL_PRICES,
  retries: "number?",
  pruning: "function?",
  prunesEachStep: "boolean?",
  answer: "any?",
  tasks: "object?",
  learnsSkills: "boolean?",
  systemSuffix: "string?",
  promptFile: "object?",
};

/** What agents of every kind hand to the loop, with the defaults. */
export function loopOptions({
  model,
  maxSteps = 10,
  budget = {},
  retries = 2,
  pruning = keepLastSteps(5),
  prunesEachStep = false,
  learnsSkills: learns = false,
  tasks,
}: AgentOptions) {
  return { model, maxSteps, budget, retries, pruning, prunesEachStep, learns, tasks };
}

/** @throws {AgentOptionsError} when `maxSteps` is not a whole number from 0 on, or the budget cannot be kept. */
export function checkAgentOptions({ maxSteps = 10, budget, prices }: AgentOptions): void {
  checkMaxSteps(maxSteps);
  new BudgetMeter(budget, prices);
}

/** @throws {AgentOptionsError} when it is not a whole number from 0 on. */
export function checkMaxSteps(maxSteps: number): void {
  if (Number.isInteger(maxSteps) && maxSteps >= 0) return;
  throw new AgentOptionsError("maxSteps", "must be a whole number from 0 on");
}
