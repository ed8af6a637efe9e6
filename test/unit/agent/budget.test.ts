import { describe, expect, test } from "vitest";

import { BudgetMeter } from "../../../src/agent/index.js";
import { AN_HOUR, leapingClock } from "../../leaping-clock.js";

const counted = (inputTokens: number, outputTokens = 0) => ({ inputTokens, outputTokens, isEstimated: false });
describe("meters below each other", () => {
  test("what is used below is counted up to the first one, and once", () => {
    const root = new BudgetMeter();
    const middle = new BudgetMeter({}, undefined, root);
    const leaf = new BudgetMeter({}, undefined, middle);

    middle.countModelCall();
    leaf.countModelCall();
    leaf.countTokens({ ...counted(10, 5), isEstimated: true });
    leaf.admitToolCall("a");
    leaf.admitToolCall("a");

    // A run's policy asks the meter of the run above as well.
    root.admitToolCall("a");

    const tokens = { inputTokens: 10, outputTokens: 5, isEstimated: true };
    expect(leaf.usage).toMatchObject({ modelCalls: 1, toolCalls: 1, ...tokens });
    expect(middle.usage).toMatchObject({ modelCalls: 2, toolCalls: 1, ...tokens });
    expect(root.usage).toMatchObject({ modelCalls: 2, toolCalls: 1, ...tokens });
  });

  test("a limit above is reached below, and a narrower one below ends nothing above", () => {
    const root = new BudgetMeter({ modelCalls: 2 });
    const leaf = new BudgetMeter({ modelCalls: 1 }, undefined, root);

    leaf.countModelCall();
    expect(leaf.reached).toMatchObject({ kind: "modelCalls", limit: 1 });
    expect(root.reached).toBeNull();

    const other = new BudgetMeter({}, undefined, root);
    other.countModelCall();
    expect(other.reached).toMatchObject({ kind: "modelCalls", limit: 2, used: 2 });
    expect(root.reached).toMatchObject({ kind: "modelCalls", limit: 2 });
  });

  test("a call that one of them has no room for is counted by none, and ends the task whose limit it was", () => {
    const root = new BudgetMeter({ toolCalls: 2 });
    const leaf = new BudgetMeter({ toolCalls: 1 }, undefined, root);

    expect([leaf.admitToolCall("a"), leaf.admitToolCall("b")]).toEqual([true, false]);
    expect(root.usage.toolCalls).toBe(1);
    expect(leaf.reached).toMatchObject({ limit: 1, used: 2 });
    expect(root.reached).toBeNull();

    const other = new BudgetMeter({}, undefined, root);
    expect([other.admitToolCall("c"), other.admitToolCall("d")]).toEqual([true, false]);
    expect(other.usage.toolCalls).toBe(1);
    expect(other.reached).toMatchObject({ limit: 2, used: 3 });
    expect(root.reached).toMatchObject({ limit: 2, used: 3 });
  });

  test("money is counted at the prices of the model that was asked, and at those above where it has none", () => {
    const root = new BudgetMeter({ money: 10 }, { input: 1_000_000, output: 0 });
    const dear = new BudgetMeter({}, { input: 3_000_000, output: 0 }, root);
    const unpriced = new BudgetMeter({ money: 4 }, undefined, root);

    root.countTokens(counted(1));
    dear.countTokens(counted(2));
    unpriced.countTokens(counted(3));

    expect([root.usage.money, dear.usage.money, unpriced.usage.money]).toEqual([1 + 6 + 3, 6, 3]);
    expect(root.reached).toMatchObject({ kind: "money", limit: 10, used: 10 });
    const alone = new BudgetMeter();
    new BudgetMeter({}, { input: 1, output: 1 }, alone).countTokens(counted(5));
    expect(alone.usage.money).toBeNull();
  });

  test("a person who is asked below stops the clocks above, and the shortest time that is left counts", () => {
    const leap = leapingClock();
    const root = new BudgetMeter({ time: 10_000 });
    const leaf = new BudgetMeter({ time: 60_000 }, undefined, root);
    expect(leaf.timeLeft).toBeLessThanOrEqual(10_000);

    const resume = leaf.pause();
    const before = root.usage.time;
    leap(AN_HOUR);
    expect(root.usage.time).toBeLessThan(before + AN_HOUR / 2);
    resume();
    resume();
    leap(5000);
    expect(root.usage.time).toBeGreaterThan(before + 4999);

    const late = new BudgetMeter({ time: 1 });
    const inLate = new BudgetMeter({ time: 60_000 }, undefined, late);
    leap(10);
    expect(inLate.timeLeft).toBe(0);
    expect(inLate.timeReached).toMatchObject({ kind: "time", limit: 1 });
  });
});
