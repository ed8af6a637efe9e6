import type { SlotBudget } from "./slot-budgets.js";

/** What is said of budgets, by slot. */
export type SlotHints = Readonly<Record<string, SlotBudget>>;

/** What is said later counts more, number by number. */
export function mergeHints(...said: readonly SlotHints[]): Record<string, SlotBudget> {
  const merged = new Map<string, SlotBudget>();
  for (const hints of said) {
    for (const [slot, budget] of Object.entries(hints)) merged.set(slot, { ...merged.get(slot), ...defined(budget) });
  }
  return Object.fromEntries(merged);
}

function defined(budget: SlotBudget): SlotBudget {
  return Object.fromEntries(Object.entries(budget).filter(([, rounds]) => Number.isFinite(rounds)));
}
