import { describe, expect, test } from "vitest";

import { PythonTemporal, Tuple, type Value } from "../../../src/protocol/index.js";
import {
  checkArguments,
  checkInput,
  parametersOfSchema,
  type JsonSchema,
  type ToolCallable,
} from "../../../src/tools/index.js";

const schema: JsonSchema = {
  type: "object",
  properties: {
    title: { type: "string", minLength: 1 },
    state: { enum: ["open", "closed"] },
    author: { $ref: "#/$defs/Person" },
    labels: { type: "array", items: { type: "string" }, uniqueItems: true },
    due: { type: "string", format: "date-time" },
    shape: {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "circle" }, radius: { type: "number", exclusiveMinimum: 0 } },
          required: ["kind", "radius"],
        },
        {
          type: "object",
          properties: { kind: { const: "square" }, side: { type: "number" } },
          required: ["kind", "side"],
        },
      ],
    },
    size: { anyOf: [{ type: "integer", minimum: 1 }, { const: "auto" }, { type: "null" }] },
    file: { type: "string", format: "binary" },
    code: { type: "string", pattern: "^[A-Z]{2}$" },
  },
  required: ["title"],
  $defs: {
    Person: {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "integer" }, friend: { $ref: "#/$defs/Person" } },
      required: ["name"],
      additionalProperties: false,
    },
  },
};

const callable: ToolCallable = {
  name: "create",
  description: "",
  parameters: parametersOfSchema(schema),
  inputSchema: schema,
};

async function check(args: Readonly<Record<string, Value>>, of: ToolCallable = callable): Promise<unknown> {
  return checkInput("tracker", of, args);
}

function callableOf(inputSchema: JsonSchema): ToolCallable {
  return { name: "x", description: "", parameters: parametersOfSchema(inputSchema), inputSchema };
}

describe("arguments checked by an input schema", () => {
  test.each<[Readonly<Record<string, Value>>]>([
    [{ title: "a", state: "open", author: { name: "Ada", friend: { name: "Bob", age: 4 } } }],
    [{ title: "a", shape: { kind: "circle", radius: 2 }, size: "auto" }],
    [{ title: "a", size: null }],
    [{ title: "a", labels: Tuple.of("x", "y") }],
    [{ title: "a", labels: new Set(["x", "y"]) }],
    [{ title: "a", due: new PythonTemporal("datetime", "2026-01-02T03:04:05") }],
    [{ title: "a", due: new Date(0) }],
    [{ title: "a", file: new Uint8Array([1]) }],
    [{ title: "a", file: "text" }],
  ])("%j passes as it came", async (args) => {
    expect(await check(args)).toEqual(args);
  });

  test.each<[Readonly<Record<string, Value>>, string, string]>([
    [{}, "title", "Required parameter 'title' is missing"],
    [{ title: 5 }, "title", "Parameter 'title' must be a string, not int 5"],
    [{ title: "" }, "title", "Parameter 'title' must have at least 1 characters"],
    [{ title: "a", titel: "b" }, "titel", "Unknown parameter 'titel'. It takes: title, state, author,"],
    [{ title: "a", state: "done" }, "state", "Parameter 'state' must be one of 'open', 'closed', not str 'done'"],
    [{ title: "a", author: { age: 3 } }, "author", "Parameter 'author.name' is missing"],
    [
      { title: "a", author: { name: "b", friend: { name: "c", age: "old" } } },
      "author",
      "Parameter 'author.friend.age' must be an integer, not str 'old'",
    ],
    [
      { title: "a", author: { name: "b", phone: 1 } },
      "author",
      "Parameter 'author.phone' is not accepted. It takes: 'name', 'age', 'friend'",
    ],
    [{ title: "a", labels: ["x", 3] }, "labels", "Parameter 'labels[1]' must be a string, not int 3"],
    [{ title: "a", labels: ["x", null] }, "labels", "Parameter 'labels[1]' must be a string, not None"],
    [{ title: "a", labels: "x" }, "labels", "Parameter 'labels' must be a list, not str 'x'"],
    [{ title: "a", shape: { kind: "circle", radius: -1 } }, "shape", "Parameter 'shape.radius' must be more than 0"],
    [
      { title: "a", shape: { kind: "star" } },
      "shape",
      "Parameter 'shape.kind' must be one of 'circle', 'square', not str 'star'",
    ],
    [{ title: "a", shape: 3 }, "shape", "Parameter 'shape' must be"],
    [{ title: "a", size: "big" }, "size", "Parameter 'size' must be an integer or 'auto' or None, not str 'big'"],
    [{ title: "a", size: 0 }, "size", "Parameter 'size' must be at least 1"],
    [{ title: new Uint8Array([1]) }, "title", "Parameter 'title' must be a string, not bytes"],
    [
      { title: "a", labels: Float64Array.of(1, 2) },
      "labels",
      "Parameter 'labels' must be a list, not memoryview <Float64Array of 2>",
    ],
    [{ title: "a", code: "abc" }, "code", "Parameter 'code' must match the pattern ^[A-Z]{2}$"],
  ])("%j is refused, and the text names the place, what came and what is accepted", async (args, parameter, text) => {
    const error = await check(args).catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: "TOOL_ARGUMENT", message: expect.stringContaining(text) });
    expect((error as { details(): unknown }).details()).toMatchObject({ parameter });
  });

  test("arguments beyond the parameters pass where the schema says that it takes them", async () => {
    const open = callableOf({ type: "object", properties: {}, additionalProperties: { type: "integer" } });

    expect(await check({ any: 1 }, open)).toEqual({ any: 1 });
    await expect(check({ any: "a" }, open)).rejects.toThrow("Parameter 'any' must be an integer, not str 'a'");
  });

  test("a schema that refers to what is not there fails the call by name", async () => {
    const broken = callableOf({ type: "object", properties: { a: { $ref: "#/$defs/Nothing" } } });

    await expect(check({ a: 1 }, broken)).rejects.toMatchObject({ code: "TOOL_SCHEMA", name: "ToolCallError" });
  });

  test("a schema that is a circle fails the call by name", async () => {
    const circle = callableOf({
      type: "object",
      properties: { a: { $ref: "#/$defs/A" } },
      $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } },
    });

    await expect(check({ a: 1 }, circle)).rejects.toMatchObject({ code: "TOOL_SCHEMA" });
  });

  test("a pattern that the engine does not know is not looked at", async () => {
    const odd = callableOf({ type: "object", properties: { a: { type: "string", pattern: "(?<!x" } } });

    expect(await check({ a: "b" }, odd)).toEqual({ a: "b" });
  });
});

describe("the parameters of a schema", () => {
  test("come from the schema, what it refers to, and its parts", () => {
    const found = parametersOfSchema({
      $ref: "#/$defs/All",
      $defs: {
        All: { allOf: [{ $ref: "#/$defs/Base" }, { properties: { b: { type: "integer", default: 2 } } }] },
        Base: { type: "object", properties: { a: { $ref: "#/$defs/Text" } }, required: ["a"] },
        Text: { type: "string", description: "Some text" },
      },
    });

    expect(found).toMatchObject([
      { name: "a", type: "string", required: true, description: "Some text" },
      { name: "b", type: "integer", required: false, default: 2 },
    ]);
  });

  test("of a choice are required where every choice requires them", () => {
    const found = parametersOfSchema({
      anyOf: [
        { properties: { id: { type: "string" }, a: {} }, required: ["id", "a"] },
        { properties: { id: { type: "string" }, b: {} }, required: ["id"] },
      ],
    });

    expect(found.map(({ name, required }) => [name, required])).toEqual([
      ["id", true],
      ["a", false],
      ["b", false],
    ]);
  });
});

test("a list is none of the texts that a parameter may be", () => {
  const schema = { enum: ["a", "b"] };
  const kind = { name: "kind", type: "any", required: true, description: "", schema };
  const callable = { name: "t", description: "", parameters: [kind] };

  expect(() => checkArguments("t", callable, { kind: ["a"] })).toThrow("Parameter 'kind' must be one of 'a', 'b'");
  expect(checkArguments("t", callable, { kind: "b" })).toEqual({ kind: "b" });
});
