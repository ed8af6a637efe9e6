import { describe, expect, test } from "vitest";

import { SlotBudgets } from "../../../src/turn-loop/slot-budgets.js";

describe("the budgets of a turn", () => {
  test("are the sums of its slots, and said in one line", () => {
    const budgets = new SlotBudgets(["report"]);
    budgets.spendRound();
    budgets.spendCall();
    budgets.spendStage("report", "explore");

    expect(budgets.line).toBe(
      "BUDGET_STATE: global(decisions left 4/5, tools left 4/5, reruns left 2/2, context reads left 3/3) stage[report](explore left 1/2, exploit left 3/3)",
    );
  });

  test("without slots there are 12 rounds and 20 calls; hints override the numbers", () => {
    expect(new SlotBudgets([]).line).toContain("decisions left 12/12, tools left 20/20");
    const hinted = new SlotBudgets(["a", "b"], { a: { explore: 0, exploit: 1, render: 1, contextReads: 4 } });
    expect(hinted.line).toContain(
      "global(decisions left 7/7, tools left 7/7, reruns left 2/2, context reads left 4/4)",
    );
    expect(hinted.line).toContain("stage[a](exploit left 1/1, render left 1/1)");
  });

  test("used up, they leave an overdraft as long as an open slot has exploit left", () => {
    const budgets = new SlotBudgets(["a"], { a: { explore: 1, exploit: 1 } });
    budgets.spendRound();
    expect(budgets.gate(["a"])).toBe("open");
    budgets.spendRound();

    expect(budgets.gate(["a"])).toBe("overdraft");
    expect(budgets.gate([])).toBe("closed");
    budgets.spendOverdraft("nowhere", ["a"]);
    expect(budgets.gate(["a"])).toBe("closed");
  });

  test("of reruns there are two, of readings at least three", () => {
    const budgets = new SlotBudgets(["a"]);

    expect([1, 2, 3].map(() => budgets.spendRerun())).toEqual([true, true, false]);
    expect([1, 2, 3, 4].map(() => budgets.spendContextRead())).toEqual([true, true, true, false]);
  });
});
