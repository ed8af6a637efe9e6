import { describe, expect, test } from "vitest";

import { bodyTokens, replyTokens } from "../../../eval/count-bodies.js";
import { functionCalls, idealExchanges, idealRuns, rounds, type IdealParts } from "../../../eval/ideal-agent.js";
import type { MadeCall } from "../../../eval/made-calls.js";
import type { Json } from "../../../eval/checks.js";

/** Calls one after the other, unless `began` and `ended` say otherwise. */
function journal(...calls: readonly (Partial<MadeCall> & Pick<MadeCall, "name">)[]): MadeCall[] {
  return calls.map((call, index) => ({
    id: `c${String(index)}`,
    namespace: "tools",
    arguments: {},
    outcome: { kind: "ok", value: null },
    began: 2 * index,
    ended: 2 * index + 1,
    parent: null,
    ...call,
  }));
}

const returns = (value: Json): MadeCall["outcome"] => ({ kind: "ok", value });

const parts = (calls: readonly MadeCall[], more: Partial<IdealParts> = {}): IdealParts => ({
  model: "m",
  task: "What is the weather in Oslo and in Bergen on day 12?",
  functions: [{ name: "weather", description: "Weather of a city", parameters: { type: "object" } }],
  files: [],
  answer: "rain",
  calls,
  ...more,
});

const names = (calls: readonly MadeCall[], more: Partial<IdealParts> = {}): string[][] =>
  rounds(functionCalls(calls), parts(calls, more)).map((round) => round.map(({ id }) => id));

describe("what a call needs", () => {
  test("calls whose arguments stand in the task are independent, though they were made one after the other", () => {
    const calls = journal(
      { name: "weather", arguments: { city: "Oslo", day: 12 }, outcome: returns(3) },
      { name: "weather", arguments: { city: "Bergen", day: 12 }, outcome: returns(5) },
    );
    expect(names(calls)).toEqual([["c0", "c1"]]);
  });

  test("a value that only a result holds makes its call wait for the first that holds it", () => {
    const calls = journal(
      { name: "weather", arguments: { city: "Oslo" }, outcome: returns({ station: "st-77" }) },
      { name: "weather", arguments: { city: "Bergen" }, outcome: returns({ neighbour: "st-77" }) },
      { name: "station", arguments: { id: "st-77" }, outcome: returns({ chief: "Ann" }) },
      { name: "mail", arguments: { to: { name: "Ann" } } },
    );
    expect(names(calls)).toEqual([["c0", "c1"], ["c2"], ["c3"]]);
  });

  test("a computed value waits for all that had come back, and not for what was still under way", () => {
    const calls = journal(
      { name: "weather", arguments: { city: "Oslo" }, outcome: returns(3), began: 0, ended: 1 },
      { name: "weather", arguments: { city: "Bergen" }, outcome: returns(5), began: 2, ended: 5 },
      { name: "note", arguments: { text: "6 degrees" }, began: 3, ended: 4 },
      { name: "note", arguments: { text: "16 degrees" }, began: 6, ended: 7 },
    );
    expect(names(calls)).toEqual([["c0", "c1"], ["c2"], ["c3"]]);
  });

  test("a value within a longer word or number is not there", () => {
    const calls = journal(
      { name: "weather", arguments: { city: "Oslo" }, outcome: returns("2012 and 1.55, st-77b") },
      { name: "station", arguments: { id: "st-77" } },
      { name: "page", arguments: { number: 1.5 } },
    );
    // Neither stands anywhere as a word of its own, so each was computed from all before it.
    expect(names(calls)).toEqual([["c0"], ["c1"], ["c2"]]);
  });

  test("small whole numbers are counted, unless a result names them", () => {
    const calls = journal(
      { name: "page", arguments: { number: 1 }, outcome: returns({ pages: 3 }) },
      { name: "page", arguments: { number: 2 } },
      { name: "page", arguments: { number: 3 } },
      { name: "page", arguments: { number: 300 } },
    );
    expect(names(calls)).toEqual([["c0", "c1"], ["c2"], ["c3"]]);
  });

  test("files and what the functions say of themselves are known from the start; so are blanks, truth and nothing", () => {
    const calls = journal(
      { name: "weather", arguments: { city: "Oslo" }, outcome: returns("st-9") },
      { name: "station", arguments: { id: "st-9" } },
      { name: "unit", arguments: { unit: "kelvin", exact: true, note: "", more: null } },
    );
    const functions = [{ name: "unit", description: "celsius or kelvin", parameters: {} }];
    expect(names(calls, { files: ["station\nst-9\n"], functions })).toEqual([["c0", "c1", "c2"]]);
  });

  test("a call made again after it failed waits for the failure", () => {
    const again = { name: "weather", arguments: { city: "Oslo" } };
    const failed: MadeCall["outcome"] = { kind: "error", message: "BUSY" };
    const calls = journal(
      { ...again, outcome: failed },
      { ...again, outcome: failed },
      { ...again, outcome: returns(3) },
    );
    expect(names(calls)).toEqual([["c0"], ["c1"], ["c2"]]);
  });
});

test("an ideal agent makes the calls of tools, skills and artifacts, and none that belongs to another call", () => {
  const calls = journal(
    { name: "weather", id: "tool" },
    { name: "register", id: "definition" },
    { name: "forecast", namespace: "skills", id: "skill" },
    { name: "weather", parent: "skill", id: "within" },
    { name: "create", namespace: "skills", id: "learned" },
    { name: "save", namespace: "artifacts", id: "saved" },
  );
  expect(functionCalls(calls).map(({ id }) => id)).toEqual(["tool", "skill", "saved"]);
});

describe("the bodies of an ideal agent", () => {
  const calls = journal(
    { name: "city.weather", arguments: { city: "Oslo" }, outcome: returns({ celsius: 3 }) },
    {
      name: "city.weather",
      arguments: { city: "Bergen" },
      outcome: { kind: "error", message: "ToolCallError: storm" },
    },
  );

  test("grow by each reply and its results, as chat completions take them", () => {
    const [first, second, ...others] = idealExchanges([calls], parts(calls));

    expect(others).toEqual([]);
    expect(first?.body).toMatchObject({
      model: "m",
      temperature: 0,
      messages: [{ role: "system" }, { role: "user", content: parts(calls).task }],
      tools: [{ type: "function", function: { name: "weather" } }],
    });
    expect(second?.body).toMatchObject({
      messages: [
        { role: "system" },
        { role: "user" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", function: { name: "city_weather", arguments: '{"city":"Oslo"}' } },
            { id: "call_2", function: { name: "city_weather", arguments: '{"city":"Bergen"}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: '{"celsius":3}' },
        { role: "tool", tool_call_id: "call_2", content: "ToolCallError: storm" },
      ],
    });
    expect(second?.reply).toEqual({ text: "rain", toolCalls: [] });
  });

  test("take a step more than they have rounds, and fewer tokens with parallel calls", async () => {
    const { single, parallel } = await idealRuns(parts(calls));

    expect([single.steps, parallel.steps]).toEqual([3, 2]);
    expect(parallel.inputTokens).toBeLessThan(single.inputTokens);
    let counted = 0;
    for (const { body, reply } of idealExchanges([calls], parts(calls)))
      counted += (await bodyTokens(body)) + (await replyTokens(reply));
    expect(parallel.inputTokens + parallel.outputTokens).toBe(counted);
  });
});
