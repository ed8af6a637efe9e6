import { z } from "zod";

import type { CodeAgentOptions, TaskBudget, TaskUsage } from "../../../agent/index.js";
import { formatCount, formatElapsed } from "../text/format.js";

const Amount = z.number().positive().nullable().default(null);
const Count = z.number().int().positive().nullable().default(null);

/** What a task may use. Null: as much as it needs. */
export const TaskLimits = z.object({
  maxSteps: z.number().int().min(1).max(1000).default(10),
  modelCalls: Count,
  tokens: Count,
  toolCalls: Count,
  minutes: Amount,
  /** Counted by the prices. */
  money: Amount,
  /** For a million tokens read. */
  inputPrice: z.number().nonnegative().nullable().default(null),
  /** For a million tokens written. */
  outputPrice: z.number().nonnegative().nullable().default(null),
});
export type TaskLimits = z.infer<typeof TaskLimits>;
export type LimitName = keyof TaskLimits;

export const DEFAULT_LIMITS: TaskLimits = TaskLimits.parse({});

export const LIMIT_LABELS: Readonly<Record<LimitName, string>> = {
  maxSteps: "Steps",
  modelCalls: "Model calls",
  tokens: "Tokens",
  toolCalls: "Tool calls",
  minutes: "Minutes",
  money: "Money",
  inputPrice: "Price of a million tokens read",
  outputPrice: "Price of a million tokens written",
};

export const LIMIT_NAMES = TaskLimits.keyof().options;

/** Something that was filled in is no limit. */
export class LimitError extends Error {
  override readonly name = "LimitError";

  constructor(
    readonly field: LimitName,
    problem: string,
  ) {
    super(`${LIMIT_LABELS[field]}: ${problem}`);
  }
}

/** The limits as a form has them: a text for each, empty for none. */
export function limitTexts(limits: TaskLimits): Readonly<Record<LimitName, string>> {
  const texts = LIMIT_NAMES.map((name) => [name, limits[name] === null ? "" : String(limits[name])]);
  return z.record(z.enum(LIMIT_NAMES), z.string()).parse(Object.fromEntries(texts));
}

/** @throws {LimitError} for the first that cannot be kept. */
export function readLimits(texts: Readonly<Record<LimitName, string>>): TaskLimits {
  const filled = LIMIT_NAMES.filter((name) => texts[name].trim() !== "").map((name) => [name, Number(texts[name])]);
  const result = TaskLimits.safeParse(Object.fromEntries(filled));
  if (!result.success) {
    const field = LIMIT_NAMES.find((name) => name === result.error.issues[0]?.path[0]) ?? "maxSteps";
    const whole = !["minutes", "money", "inputPrice", "outputPrice"].includes(field);
    if (field === "maxSteps") throw new LimitError(field, "a whole number from 1 to 1000.");
    throw new LimitError(field, `${whole ? "a whole number" : "a number"} above 0, or nothing for no limit.`);
  }
  const { money, inputPrice, outputPrice } = result.data;
  if ((inputPrice === null) !== (outputPrice === null)) {
    throw new LimitError(inputPrice === null ? "inputPrice" : "outputPrice", "fill in both prices, or neither.");
  }
  if (money !== null && inputPrice === null) throw new LimitError("inputPrice", "money is counted by both prices.");
  return result.data;
}

/** What an agent is told of the limits. */
export function limitOptions(limits: TaskLimits): Pick<CodeAgentOptions, "maxSteps" | "budget" | "prices"> {
  const { maxSteps, modelCalls, tokens, toolCalls, minutes, money, inputPrice, outputPrice } = limits;
  return {
    maxSteps,
    budget: {
      ...(modelCalls === null ? {} : { modelCalls }),
      ...(tokens === null ? {} : { tokens }),
      ...(toolCalls === null ? {} : { toolCalls }),
      ...(minutes === null ? {} : { time: minutes * 60_000 }),
      ...(money === null ? {} : { money }),
    },
    ...(inputPrice === null || outputPrice === null ? {} : { prices: { input: inputPrice, output: outputPrice } }),
  };
}

/** Whether a task that has used so much may go on by these limits. */
export function leavesRoom(
  limits: TaskLimits,
  { steps, usage }: { readonly steps: number; readonly usage: TaskUsage | null },
): boolean {
  const { maxSteps, budget } = limitOptions(limits);
  if (maxSteps !== undefined && steps >= maxSteps) return false;
  if (usage === null || budget === undefined) return true;
  const { modelCalls, time, money, inputTokens, outputTokens } = usage;
  const used = { modelCalls, time, money: money ?? 0, tokens: inputTokens + outputTokens };
  return BUDGETS.every((kind) => used[kind] < (budget[kind] ?? Infinity));
}

/** What the next reply would be too much for. Whether it calls another tool is not known before. */
const BUDGETS = ["modelCalls", "time", "money", "tokens"] as const;

/**
 * What a task has used: `2 of 10 steps · 3 of 6 model calls · 3,140 tokens (estimated) · 4 tool calls · 1.2 s`. Nothing of
 * which none was used, unless it is limited: a recorded model uses no tokens, and calls of skills are no tool calls.
 */
export function usageText(
  usage: TaskUsage,
  { steps, maxSteps, budget = {} }: { steps: number; maxSteps: number; budget?: TaskBudget },
): string {
  const { inputTokens, outputTokens, isEstimated, modelCalls, toolCalls, time, money } = usage;
  const tokens = counted(inputTokens + outputTokens, budget.tokens, "token");
  return [
    `${String(steps)} of ${formatCount(maxSteps, "step")}`,
    counted(modelCalls, budget.modelCalls, "model call"),
    `${tokens}${tokens !== "" && isEstimated ? " (estimated)" : ""}`,
    counted(toolCalls, budget.toolCalls, "tool call"),
    `${formatElapsed(time)}${isBounded(budget.time) ? ` of ${formatElapsed(budget.time)}` : ""}`,
    money === null ? "" : `money ${money < 0.01 ? money.toPrecision(2) : money.toFixed(2)}`,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function counted(count: number, limit: number | undefined, noun: string): string {
  if (count === 0 && !isBounded(limit)) return "";
  return isBounded(limit)
    ? `${count.toLocaleString("en-US")} of ${formatCount(limit, noun)}`
    : formatCount(count, noun);
}

function isBounded(limit: number | undefined): limit is number {
  return limit !== undefined && Number.isFinite(limit);
}
