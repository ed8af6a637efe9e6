import { describe, expect, test } from "vitest";

import { readModelContract } from "../../../src/turn-loop/ask-contract.js";
import { readDecision } from "../../../src/turn-loop/decision.js";

const F = "```";
const minimal = { action: "call_tool", strategy: "explore", notes: "To look." };

describe("a decision", () => {
  test("is read bare, from a fence and from between words; an empty tool_call is none", () => {
    const json = JSON.stringify({ ...minimal, tool_call: {} });

    for (const reply of [json, `${F}json\n${json}\n${F}`, `I decide:\n${json}\nThat is all.`]) {
      expect(readDecision(reply)).toMatchObject({
        kind: "decision",
        decision: { action: "call_tool", toolCall: null },
      });
    }
  });

  test("takes its notes where the call says no reason, and keeps params as they were written", () => {
    const reply = JSON.stringify({ ...minimal, tool_call: { tool_id: "search", reasoning: "", params: ["a"] } });

    expect(readDecision(reply)).toMatchObject({
      decision: { toolCall: { toolId: "search", reasoning: "To look.", params: ["a"], outArtifacts: [] } },
    });
  });

  test.each([
    ["no decision at all", "decision_invalid_json", ""],
    ["[1, 2]", "decision_invalid_json", ""],
    [JSON.stringify({ ...minimal, strategy: "guess" }), "decision_invalid_strategy", ""],
    [JSON.stringify({ action: "complete", completion_summary: "Done." }), "decision_invalid_strategy", "Done."],
    [
      JSON.stringify({ ...minimal, strategy: "guess", completion_summary: "Looking." }),
      "decision_invalid_strategy",
      "",
    ],
    [JSON.stringify({ action: "exit", completion_summary: "Done.", map_slots: 1 }), "decision_invalid_strategy", ""],
    [JSON.stringify({ ...minimal, action: "dance", completion_summary: "Done." }), "decision_invalid", ""],
    [JSON.stringify({ ...minimal, map_slots: "all" }), "decision_invalid", ""],
  ])("%s is a fault: %s", (reply, code, completionSummary) => {
    expect(readDecision(reply)).toMatchObject({ kind: "fault", code, completionSummary });
  });
});

describe("a contract of the model", () => {
  test("is read with its budgets, slots alone too, and budgets are bounded", () => {
    const slots = { a: { type: "inline", format: "text" } };

    expect(
      readModelContract(JSON.stringify({ slots, budgets: { a: { explore: 1, exploit: 99, render: "x" } } })),
    ).toEqual({
      slots,
      budgets: { a: { explore: 1, exploit: 10 } },
    });
    expect(readModelContract(JSON.stringify(slots))).toEqual({ slots, budgets: {} });
    expect(() => readModelContract("I would rather not.")).toThrow(
      expect.objectContaining({ code: "invalid_output_contract" }),
    );
  });
});

test("what a decision does not say is empty, its call's parameters too", () => {
  expect(readDecision(JSON.stringify({ action: "exit", strategy: "exit" }))).toEqual({
    kind: "decision",
    decision: {
      action: "exit",
      strategy: "exit",
      focusSlot: "",
      notes: "",
      nextDecisionModel: "strong",
      toolCall: null,
      fetchContext: [],
      mapSlots: [],
      showArtifacts: [],
      showSkills: [],
      completionSummary: "",
      clarificationQuestions: [],
    },
  });
  expect(readDecision(JSON.stringify({ ...minimal, tool_call: { tool_id: "now" } }))).toMatchObject({
    decision: { toolCall: { toolId: "now", params: {} } },
  });
});
