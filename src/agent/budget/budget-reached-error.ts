import { VitrineError } from "../../protocol/index.js";

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

function rounded(amount: number): string {
  return (amount >= 100 ? Math.round(amount) : Number(amount.toPrecision(3))).toLocaleString("en-US");
}
