import { describe, expect, test } from "vitest";

import { bodyTokens, replyTokens } from "../../../eval/count-bodies.js";
import type { Json } from "../../../eval/checks.js";
import { functionCalls, idealExchanges, idealRuns, type IdealParts } from "../../../eval/ideal-agent.js";
import type { MadeCall } from "../../../eval/made-calls.js";
import { rounds } from "../../../eval/rounds.js";

type DescribedCall = Partial<MadeCall> & Pick<MadeCall, "name">;

/** Calls one after the other, unless `began` and `ended` say otherwise. */
function journal(...calls: readonly DescribedCall[]): MadeCall[] {
  return calls.map((call, index) => ({
    id: `c${String(index)}`,
    run: "r1",
    namespace: "tools",
    arguments: {},
    outcome: { kind: "ok", value: null },
    began: 2 * index,
    ended: 2 * index + 1,
    parent: null,
    reached: true,
    isReadOnly: false,
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

const read = { name: "weather", isReadOnly: true };

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

  test("a value that only results hold makes its call wait for the one of them that is had first", () => {
    const calls = journal(
      { name: "weather", arguments: { city: "Oslo" }, outcome: returns({ station: "st-77" }) },
      { name: "weather", arguments: { city: "Bergen" }, outcome: returns({ neighbour: "st-77" }) },
      { name: "station", arguments: { id: "st-77" }, outcome: returns({ chief: "Ann", port: "p-5" }) },
      { name: "weather", arguments: { city: "Bergen", day: 12 }, outcome: returns({ port: "p-5" }) },
      { name: "mail", arguments: { to: { name: "Ann" } } },
      { name: "port", arguments: { id: "p-5" } },
    );
    expect(names(calls)).toEqual([["c0", "c1", "c3"], ["c2", "c5"], ["c4"]]);
  });

  test("a computed value waits for all that was read and had come back, and not for what was still under way", () => {
    const calls = journal(
      { ...read, arguments: { city: "Oslo" }, outcome: returns(3), began: 0, ended: 1 },
      { ...read, arguments: { city: "Bergen" }, outcome: returns("st-5"), began: 2, ended: 5 },
      { name: "note", arguments: { text: "6 degrees" }, began: 3, ended: 4 },
      { ...read, arguments: { city: "st-5" }, outcome: returns(5), began: 6, ended: 7 },
      { name: "note", arguments: { text: "16 degrees" }, began: 8, ended: 9 },
    );
    expect(names(calls)).toEqual([["c0", "c1"], ["c2", "c3"], ["c4"]]);
  });

  test("calls that change something wait for no other such call but one that has said what they say", () => {
    const save = { name: "save", namespace: "artifacts" as const, outcome: returns({ name: "a.csv", size: 812 }) };
    const calls = journal(
      { ...read, arguments: { city: "Oslo" }, outcome: returns(3) },
      { name: "order", arguments: { text: "6 degrees" }, outcome: returns({ state: "sent", number: "SUP-117" }) },
      { name: "order", arguments: { text: "5 degrees" }, outcome: returns("sent") },
      { ...save, arguments: { name: "Oslo", data: "812 in all" } },
      { ...save, arguments: { name: "Bergen", data: "1,200 in all, all of it sent as SUP-117" } },
      { name: "order", arguments: { text: "812 degrees" }, outcome: { kind: "error", message: "812 is too much" } },
      { name: "order", arguments: { text: "4 degrees" }, outcome: returns("sent") },
    );
    expect(names(calls)).toEqual([["c0"], ["c1", "c2", "c3", "c5"], ["c4", "c6"]]);
  });

  test("reading and writing in turn takes two rounds, however long the loop is", () => {
    const cities = ["Oslo", "Bergen", "Narvik", "Hamar", "Moss"];
    const calls = cities.flatMap((city, n): DescribedCall[] => [
      { ...read, arguments: { city }, outcome: returns({ celsius: n + 0.5 }) },
      { name: "note", arguments: { text: `${String(n + 273.65)} K` }, outcome: returns("sent") },
    ]);
    const found = names(journal(...calls), { task: `The weather in ${cities.join(", ")}?` });
    expect(found.map((round) => round.length)).toEqual([5, 5]);
  });

  test("code that reads by computed values in turn knows them all as early as the first; a later run may not", () => {
    const calls = journal(
      { ...read, arguments: { city: "Oslo" }, outcome: returns({ last: 2300 }) },
      { ...read, name: "page", arguments: { number: 2301 }, outcome: returns("x-1") },
      { ...read, name: "rate", arguments: { day: "2 May" }, outcome: returns(7.5) },
      { ...read, name: "page", arguments: { number: 2302 }, outcome: returns("x-2") },
      { ...read, name: "rate", arguments: { day: "3 May" }, outcome: returns(7.25) },
      { ...read, name: "page", arguments: { number: 9000 }, run: "r2" },
    );
    expect(names(calls)).toEqual([["c0"], ["c1", "c3"], ["c2", "c4"], ["c5"]]);
  });

  test("a value within a longer word or number is not there", () => {
    const calls = journal(
      { ...read, arguments: { city: "Oslo" }, outcome: returns("2012 and 1.55, st-77b") },
      { ...read, name: "station", arguments: { id: "st-77" } },
      { ...read, name: "page", arguments: { number: 1.5 } },
    );
    // Neither stands anywhere as a word of its own, so each was computed from all before it.
    expect(names(calls)).toEqual([["c0"], ["c1"], ["c2"]]);
  });

  test("small whole numbers are counted, unless a result names them", () => {
    const page = { ...read, name: "page" };
    const calls = journal(
      { ...page, arguments: { number: 1 }, outcome: returns({ pages: 3 }) },
      { ...page, arguments: { number: 2 } },
      { ...page, arguments: { number: 3 } },
      { ...page, arguments: { number: 300 } },
    );
    expect(names(calls)).toEqual([["c0", "c1"], ["c2"], ["c3"]]);
  });

  test("in calls that change something they are computed, whatever else has that number", () => {
    const calls = journal(
      { ...read, arguments: { city: "Oslo" }, outcome: returns({ station: "st-77", missing: 7 }) },
      { ...read, name: "offer", arguments: { id: "st-77" }, outcome: returns({ pack: 2 }) },
      { name: "order", arguments: { city: "Oslo", packs: 7 }, outcome: returns({ id: 41 }) },
      { name: "cancel", arguments: { id: 41 } },
    );
    expect(names(calls)).toEqual([["c0"], ["c1"], ["c2"], ["c3"]]);
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

describe("an ideal agent never errs, so it does not make", () => {
  const known = { ...read, arguments: { city: "Oslo" }, outcome: returns(3) };
  const made = (...calls: readonly DescribedCall[]): string[] => functionCalls(journal(...calls)).map(({ id }) => id);

  test("calls that were refused before they came to their tool", () => {
    const outcome: MadeCall["outcome"] = { kind: "error", message: "ToolArgumentError: city is missing" };
    expect(made({ name: "weather", reached: false, outcome }, known)).toEqual(["c1"]);
  });

  test("a call again that only reads, has succeeded, and says nothing else", () => {
    const failed: MadeCall["outcome"] = { kind: "error", message: "BUSY" };
    const elsewhere = { ...known, arguments: { city: "Bergen" } };

    expect(made(known, known, elsewhere, known)).toEqual(["c0", "c2"]);
    expect(made(known, { ...known, outcome: failed })).toEqual(["c0"]);
    expect(made(known, { ...known, began: 0, ended: 3 })).toEqual(["c0"]);
    // Whether it succeeds is up to the tool, and so is what it says.
    expect(made({ ...known, outcome: failed }, known, known)).toEqual(["c0", "c1"]);
    expect(made(known, { ...known, outcome: returns(4) }, known)).toEqual(["c0", "c1", "c2"]);
  });

  test("but it reads again after a change, or while one is under way, whoever makes it", () => {
    const change = { name: "order" };

    expect(made(known, change, known, known)).toEqual(["c0", "c1", "c2"]);
    expect(made({ ...change, began: 0, ended: 9 }, { ...known, began: 1, ended: 2 }, known)).toEqual([
      "c0",
      "c1",
      "c2",
    ]);
    expect(made(known, { ...change, parent: "s" }, known)).toEqual(["c0", "c2"]);
    expect(made(known, { ...change, reached: false }, known)).toEqual(["c0"]);
    expect(made({ name: "run", namespace: "runs", began: -1, ended: 99 }, known, known)).toEqual(["c1"]);
    expect(made(change, change)).toEqual(["c0", "c1"]);
  });
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

  test("offer the functions of artifacts that are called", () => {
    const artifacts = journal(
      { name: "list", namespace: "artifacts" },
      { name: "load", namespace: "artifacts", arguments: { name: "a.csv" } },
    );
    const offered = (made: MadeCall[]): unknown => [...idealExchanges([made], parts(made))][0]?.body;
    const function_ = (name: string): unknown => ({ function: { name } });

    expect(offered(artifacts)).toMatchObject({
      tools: ["weather", "load_artifact", "list_artifacts"].map(function_),
    });
    expect(offered(calls)).toMatchObject({ tools: [function_("weather")] });
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
