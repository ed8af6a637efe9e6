import { describe, expect, test } from "vitest";
import { z } from "zod";

import { describeTool, functionTool, signature } from "../../../src/tools/index.js";

function signatureOf(input: z.ZodObject): string {
  return signature(functionTool({ name: "f", description: "", input, run: () => null }).tool.callables[0]!);
}

describe("a signature", () => {
  test.each([
    ["no parameters", z.object({}), "f()"],
    [
      "required before optional",
      z.object({ a: z.string().optional(), b: z.int() }),
      "f(*, b: int, a: str | None = None)",
    ],
    [
      "defaults",
      z.object({ a: z.string().default("it's"), b: z.boolean().default(true) }),
      `f(*, a: str = "it's", b: bool = True)`,
    ],
    ["choices", z.object({ a: z.enum(["x", "y"]) }), "f(*, a: Literal['x', 'y'])"],
    ["lists", z.object({ a: z.array(z.number()) }), "f(*, a: list[float])"],
    ["dicts", z.object({ a: z.record(z.string(), z.string()) }), "f(*, a: dict[str, str])"],
    ["unions", z.object({ a: z.union([z.string(), z.int()]) }), "f(*, a: str | int)"],
    ["null", z.object({ a: z.string().nullable() }), "f(*, a: str | None)"],
    ["anything", z.object({ a: z.unknown().optional() }), "f(*, a: Any = None)"],
    [
      "names that Python cannot write",
      z.object({ "per-page": z.int(), from: z.string() }),
      "f(*, per_page: int, from_: str)",
    ],
  ])("shows %s", (_, input, expected) => {
    expect(signatureOf(input)).toBe(expected);
  });
});

test("a callable that an attribute of every tool would hide is written with a trailing _", () => {
  const callable = { description: "", parameters: [] };

  expect(signature({ ...callable, name: "list" })).toBe("list_()");
  expect(signature({ ...callable, name: "search" })).toBe("search()");
  expect(signature({ ...callable, name: "search" }, { name: "search_" })).toBe("search_()");
});

test("a described tool holds names, aliases and signatures as plain data", () => {
  const { tool } = functionTool({
    name: "my-weather",
    description: "Weather",
    tags: ["demo"],
    input: z.object({ city: z.string().describe("Which city"), "max-days": z.int().default(3) }),
    run: () => null,
  });

  expect(describeTool(tool)).toEqual({
    name: "my-weather",
    alias: "my_weather",
    description: "Weather",
    tags: ["demo"],
    dynamic: false,
    more: 0,
    callables: [
      {
        name: "my-weather",
        alias: "my_weather",
        description: "Weather",
        signature: "my_weather(*, city: str, max_days: int = 3)",
        typed: false,
        parameters: [
          {
            name: "city",
            alias: "city",
            type: "string",
            python_type: "str",
            required: true,
            default: null,
            description: "Which city",
          },
          {
            name: "max-days",
            alias: "max_days",
            type: "integer",
            python_type: "int",
            required: false,
            default: 3,
            description: "",
          },
        ],
      },
    ],
  });
});
