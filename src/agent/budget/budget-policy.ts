import type { Policy } from "../../dispatch/index.js";
import type { BudgetMeter } from "./budget.js";

/** Refuses a tool call that would be one too many. */
export function budgetPolicy(meter: BudgetMeter): Policy {
  return ({ namespace, name, id }) => {
    // That code defines a tool is no call of one.
    const isCall = namespace === "tools" && name !== "register";
    if (!isCall || meter.admitToolCall(id)) return { kind: "allow" };
    return { kind: "deny", reason: `The task's budget of tool calls is used up, so ${name} is not called.` };
  };
}
