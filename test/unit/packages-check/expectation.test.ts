import { expect, test } from "vitest";

import { differences, type Observation } from "../../packages-check/expectation.js";
import { checkedPackages } from "../../packages-check/snippets/index.js";

const nothing: Observation = { error: null, value: null, stdout: "", displays: [], taken: [], version: "1.0" };

test("an error is all there is to say", () => {
  expect(differences({ value: 1, displays: ["image/png"] }, { ...nothing, error: "ValueError: no" })).toEqual([
    "ValueError: no",
  ]);
});

test("values are compared by what they hold: arrays in any form, keys in any order", () => {
  expect(differences({ value: { a: 1, b: [2] } }, { ...nothing, value: { b: [2], a: 1 } })).toEqual([]);
  expect(differences({ taken: [[0, 2]] }, { ...nothing, taken: [new Uint8Array([0, 2])] })).toEqual([]);
  expect(differences({ value: 1 }, { ...nothing, value: "1" })).toEqual(['value: expected 1, found "1"']);
  expect(differences({ isVersion: true }, { ...nothing, value: "2.0" })).toEqual([
    'value: expected "1.0", found "2.0"',
  ]);
});

test("displays are held against their types, one for one", () => {
  const displays = [["text/plain", "image/png"]];

  expect(differences({ displays: ["image/png"] }, { ...nothing, displays })).toEqual([]);
  expect(differences({ displays: ["image/png", "image/png"] }, { ...nothing, displays })).toHaveLength(1);
  expect(differences({ displays: [] }, { ...nothing, displays })).toHaveLength(1);
});

test("what must be printed is looked for, and what came instead is shown in short", () => {
  expect(differences({ printed: ["2 passed"] }, { ...nothing, stdout: "2 passed in 1 s" })).toEqual([]);
  const [difference = ""] = differences({ printed: ["2 passed"] }, { ...nothing, stdout: "x".repeat(1000) });
  expect(difference).toContain('"2 passed" was not printed');
  expect(difference.length).toBeLessThan(400);
});

test("every snippet has an id of its own, and expects something", () => {
  const snippets = checkedPackages.flatMap((each) => each.snippets);

  expect(new Set(snippets.map(({ id }) => id)).size).toBe(snippets.length);
  expect(snippets.filter(({ expected }) => Object.keys(expected).length === 0)).toEqual([]);
});
