import { describe, expect, test } from "vitest";

import { markPythonType, type Value } from "../../../src/protocol/index.js";
import { functionTool, ToolRegistry, type JsonSchema, type PreparedToolCall } from "../../../src/tools/index.js";
import { countTurns } from "../count-turns.js";

const opaque = (): Value => markPythonType({ repr: "Fraction(1, 2)", type: "Fraction" }, "Fraction");

/** A call of a tool whose argument `value` has that schema. */
function prepare(value: JsonSchema, $defs: Record<string, JsonSchema> = {}): PreparedToolCall {
  const registry = new ToolRegistry();
  const input = { type: "object", properties: { value }, $defs };
  registry.register(functionTool({ name: "take", description: "", input, run: () => null }));
  return registry.prepare("take", null);
}

async function check(prepared: PreparedToolCall, value: Value): Promise<unknown> {
  return prepared.validate({ value });
}

describe("whether a schema takes an object without a counterpart at a place", () => {
  test.each<[string, JsonSchema, Value]>([
    ["notes alone", { title: "Any", description: "Any value.", examples: [1], "x-order": 3 }, opaque()],
    ["a choice with one that says nothing", { anyOf: [{ type: "string" }, {}] }, [opaque()]],
    ["parts together that say nothing", { allOf: [{ description: "a" }, { title: "b" }] }, [opaque()]],
    ["a reference to one that says nothing", { $ref: "#/$defs/any" }, [opaque()]],
    ["a key of a part", { type: "object", allOf: [{ properties: { a: {} } }] }, { a: opaque() }],
    ["a key of a choice", { oneOf: [{ type: "null" }, { properties: { a: {} }, type: "object" }] }, { a: opaque() }],
    ["other keys", { type: "object", additionalProperties: { title: "any" } }, { b: [opaque()] }],
    ["keys not looked at before", { type: "object", unevaluatedProperties: true }, { b: opaque() }],
    ["keys of a pattern", { type: "object", patternProperties: { "^x-": {} } }, { "x-a": opaque() }],
    ["keys of a dict of Python", { type: "object", properties: { 1: {} } }, new Map([[1, opaque()]])],
    ["members of a set", { type: "array", items: {} }, new Set([opaque()])],
    ["later items", { type: "array", prefixItems: [{ type: "string" }], items: {} }, ["a", opaque()]],
    ["items not looked at before", { type: "array", unevaluatedItems: {} }, [opaque()]],
  ])("%s: yes", async (_name, schema, value) => {
    expect(await check(prepare(schema, { any: { title: "Any" } }), value)).toEqual({ value });
  });

  test.each<[string, JsonSchema, Value]>([
    ["a type", { type: "object" }, opaque()],
    ["other keys alone", { additionalProperties: { type: "number" } }, opaque()],
    ["any other keys, the object itself", { additionalProperties: true }, opaque()],
    ["keys of a pattern alone", { patternProperties: { "^n": { type: "number" } } }, { when: opaque() }],
    ["keys of patterns that differ", { patternProperties: { "^n": { type: "object" }, "^x": {} } }, { n: opaque() }],
    ["keys that are required", { required: ["repr"] }, opaque()],
    ["a number of items", { minItems: 1 }, [opaque()]],
    ["no other keys", { type: "object", properties: { a: {} } }, { b: opaque() }],
    [
      "a key of its own beside others",
      { properties: { a: { type: "object" } }, additionalProperties: true },
      { a: opaque() },
    ],
    [
      "a key of a part, beside others",
      { allOf: [{ properties: { a: { type: "object" } } }], additionalProperties: true },
      { a: opaque() },
    ],
    ["parts together, one with a type", { allOf: [{}, { type: "object" }] }, opaque()],
    ["a reference that leads nowhere", { $ref: "#/$defs/none" }, opaque()],
    ["a reference in a circle", { $ref: "#/$defs/circle" }, { a: [{ a: opaque() }] }],
    ["a key", { type: "object", additionalProperties: {} }, new Map([[opaque(), 1]])],
    ["the first items", { type: "array", prefixItems: [{ type: "object" }], items: {} }, [opaque()]],
    [
      "the other fields of a typed object",
      { type: "object", properties: { a: {} } },
      markPythonType({ b: opaque() }, "Row"),
    ],
  ])("%s: no", async (_name, schema, value) => {
    const circle: JsonSchema = {
      allOf: [{ $ref: "#/$defs/circle" }, { $ref: "#/$defs/circle" }, { anyOf: [{ $ref: "#/$defs/circle" }] }],
      properties: { a: { $ref: "#/$defs/circle" } },
    };

    await expect(check(prepare(schema, { circle }), value)).rejects.toMatchObject({
      code: "TOOL_ARGUMENT",
      message: expect.stringMatching(
        /Argument 'value'.*: a Fraction cannot be handed over\. Pass .* instead\.$/,
      ) as string,
    });
  });
});

test("ordinary arguments are validated at once, once the validator is there", async () => {
  const prepared = prepare({ type: "array" });
  await prepared.validate({ value: [] });

  expect(prepared.validate({ value: [1, { a: [2] }] })).toEqual({ value: [1, { a: [2] }] });
});

test.each<[string, Value]>([
  ["a list", [...Array.from({ length: 50_000 }, () => 0), opaque()]],
  ["lists in a list", [...Array.from({ length: 50_000 }, () => [0]), [opaque()]]],
  ["a set", new Set([...Array.from({ length: 50_000 }, (_, index) => index), opaque()])],
  ["a dict", Object.fromEntries([...Array.from({ length: 50_000 }, (_, i) => [`k${String(i)}`, i]), ["z", opaque()]])],
  [
    "a dict of Python",
    new Map([...Array.from({ length: 50_000 }, (_, i) => [i, i] as [Value, Value]), [-1, opaque()]]),
  ],
])("%s of many values is searched in slices, between which the page goes on", async (_name, value) => {
  const prepared = prepare({ type: ["array", "object"] });
  // What searches is loaded before: loading gives the page its turn as well.
  await expect(check(prepared, opaque())).rejects.toThrow("a Fraction");
  const endOfCount = countTurns();

  const refused = check(prepared, value);
  await expect(refused).rejects.toThrow("a Fraction");
  const turns = endOfCount();

  expect(turns).toBeGreaterThan(50);
});
