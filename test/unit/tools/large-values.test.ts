import { describe, expect, test } from "vitest";

import type { Value } from "../../../src/index.js";
import { checkSchema, type JsonSchema } from "../../../src/tools/index.js";
import { PatternLimits } from "../../../src/tools/schema/patterns.js";

const COUNT = 20_000;

const record: JsonSchema = {
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" } },
  required: ["id"],
  additionalProperties: false,
};

function records(change: (index: number) => Value | undefined = () => undefined): Value[] {
  return Array.from({ length: COUNT }, (_, id) => change(id) ?? { id, name: `name ${String(id)}` });
}

/** One that is wrong, far behind. */
const wrong = records((index) => (index === COUNT - 2 ? { id: "text" } : undefined));
const misfit = { reason: expect.stringContaining("must be an integer, not str 'text'") };

describe("a large value is held against its schema", () => {
  test.each<[string, JsonSchema, (list: Value[]) => Value, readonly (string | number)[]]>([
    ["as a list", { type: "array", items: record }, (list) => list, []],
    ["in an object", { type: "object", properties: { rows: { items: record } } }, (list) => ({ rows: list }), ["rows"]],
    ["under any key", { additionalProperties: { items: record } }, (list) => ({ some: list }), ["some"]],
    ["in a list of lists", { items: { items: record } }, (list) => [[], list, list], [1]],
    ["as one of two kinds", { anyOf: [{ type: "array", items: record }, { type: "null" }] }, (list) => list, []],
    ["by a reference", { $ref: "#/$defs/all", $defs: { all: { items: record } } }, (list) => list, []],
    [
      "by a reference in each item",
      { items: { $ref: "#/$defs/one" }, $defs: { one: { $ref: "#/$defs/other" }, other: record } },
      (list) => list,
      [],
    ],
    ["in several ways", { allOf: [{ type: "array" }, { items: record }] }, (list) => list, []],
    ["as a whole", { type: "array", items: record, contains: true }, (list) => list, []],
    ["as a set", { type: "array", items: record }, (list) => new Set(list), []],
    ["in a dict of Python", { properties: { 1: { items: record } } }, (list) => new Map([[1, list]]), ["1"]],
  ])("%s", async (_how, schema, put, path) => {
    expect(await checkSchema(schema, put(records()))).toBeUndefined();
    expect(await checkSchema(schema, put(wrong))).toMatchObject({ ...misfit, path: [...path, COUNT - 2, "id"] });
  });

  test("by a reference in a schema with a name of its own", async () => {
    const rows: JsonSchema = { $id: "inner", $ref: "#/$defs/rows", $defs: { rows: { items: record } } };
    const schema: JsonSchema = {
      $id: "https://example.org/outer",
      properties: { rows },
      $defs: { rows: { items: { type: "null" } } },
    };

    expect(await checkSchema(schema, { rows: records() })).toBeUndefined();
    expect(await checkSchema(schema, { rows: wrong })).toMatchObject({ path: ["rows", COUNT - 2, "id"] });
  });

  test("whose size itself does not fit", async () => {
    const list = records();
    const keys = Object.fromEntries(list.map((_, index) => [`key ${String(index)}`, index]));

    expect(await checkSchema({ maxItems: COUNT - 1, items: record }, list)).toMatchObject({ path: [] });
    expect(await checkSchema({ minItems: COUNT + 1, items: record }, list)).toMatchObject({ path: [] });
    expect(await checkSchema({ maxItems: COUNT, minItems: COUNT, items: record }, list)).toBeUndefined();
    expect(await checkSchema({ items: false }, list)).toMatchObject({ path: [] });
    expect(await checkSchema({ type: "object" }, list)).toEqual({
      path: [],
      reason: "must be a dict, not list [{'id': 0, 'name': 'name 0'}, {'id': 1, 'name': 'name 1'}, …",
    });
    expect(await checkSchema({ maxProperties: COUNT - 1 }, keys)).toMatchObject({ path: [] });
    expect(await checkSchema({ required: ["other"], additionalProperties: true }, keys)).toMatchObject({
      path: ["other"],
    });
    expect(await checkSchema({ properties: { "key 0": {} }, additionalProperties: false }, keys)).toMatchObject({
      path: ["key 1"],
    });
  });

  test("while the page goes on", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);

    const checking = checkSchema({ items: record }, [...records(), ...records(), ...records()]);
    await checking;
    clearInterval(timer);

    expect(turns).toBeGreaterThan(2);
  });

  test("unless that is too much work", async () => {
    const twenty: JsonSchema = { anyOf: Array.from({ length: 20 }, () => ({ anyOf: [record, record, record] })) };

    await expect((async () => checkSchema({ items: twenty, contains: true }, wrong))()).rejects.toThrow("too long");
  });
});

describe("patterns", () => {
  test("that take long with each of many texts are given up", async () => {
    const schema: JsonSchema = { items: { type: "string", pattern: "^(a+)+$" } };
    const texts = Array.from({ length: 3000 }, () => `${"a".repeat(20)}!`);

    await expect((async () => checkSchema(schema, texts))()).rejects.toThrow("too long");
  });

  test("of keys that take long with each of many keys are given up", async () => {
    const schema: JsonSchema = { patternProperties: { "^[a-z]+[a-z]+$": { type: "integer" } } };
    const keys = Array.from({ length: 1500 }, (_, index) => [`${"a".repeat(590)}!${String(index)}`, 1] as const);

    await expect((async () => checkSchema(schema, Object.fromEntries(keys)))()).rejects.toThrow("too long");
  });

  test("of keys are given up in a part of a schema, too", async () => {
    const schema: JsonSchema = { allOf: [true], patternProperties: { "^[a-z]+[a-z]+$": { type: "integer" } } };
    const keys = Array.from({ length: 3000 }, (_, index) => [`${"a".repeat(590)}!${String(index)}`, 1] as const);

    await expect((async () => checkSchema(schema, Object.fromEntries(keys)))()).rejects.toThrow("too long");
  });

  test("with thousands of ranges are not looked into for long", () => {
    const ranges = (from: number, count: number): string =>
      Array.from({ length: count }, (_, index) => `\\u{${(from + 3 * index).toString(16)}}`).join("");
    const limit = (count: number): number =>
      new PatternLimits().longestTextFor(`^[${ranges(0x1000, count)}]*[${ranges(0x1001, count)}]*$`);

    expect(limit(50)).toBeGreaterThan(100_000);
    expect(limit(1000)).toBeLessThan(100_000);
  });

  test("that are quick are held against as many texts as come", async () => {
    const schema: JsonSchema = { items: { type: "string", pattern: "^[^@]+@[^@]+\\.[^@]+$" } };
    const texts = Array.from({ length: 50_000 }, (_, index) => `somebody${String(index)}@example.org`);

    expect(await checkSchema(schema, texts)).toBeUndefined();
    expect(await checkSchema(schema, [...texts, "nobody"])).toMatchObject({ path: [50_000] });
  });

  test.each([
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^(https?|wss?|ftp)://[^\\s/$.?#][^\\s]*$",
    "^[\\w.+-]+@[\\w-]+$",
    "^\\x41\\u0042\\u{43}\\cJ\\n*$",
    "^[^\\]\\d]*\\d$",
  ])("through which a text leads in one way are held against long ones: %s", (pattern) => {
    expect(new PatternLimits().longestTextFor(pattern)).toBeGreaterThan(100_000);
  });

  test.each([
    "^(a+)+$",
    "^(a|a)*$",
    "^(?:a|[a-c])*$",
    "^(?:a*)*$",
    "^(?:(a|b)c|[bd])*$",
    "^(?i:(?:a|A)+)$",
    "^(?:\\w|\\d)+$",
    "^(?:\\s|\\u00a0)+$",
    "^(?:\\S|\\u3000)+$",
    "^(?:[^\\s]|\\u3000)+$",
    "^(?:\\p{L}|ä)+$",
    "^(?:.|x)+$",
    "^(?:[^a]|b)+$",
    "^(?:\\u{1f600}|[😀])+$",
  ])("through which a text leads in several ways are not: %s", (pattern) => {
    expect(new PatternLimits().longestTextFor(pattern)).toBeLessThan(100);
  });
});
