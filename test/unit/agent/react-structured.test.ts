import { describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, type JsonSchema } from "../../../src/tools/index.js";
import {
  add,
  added,
  answer42,
  dictate,
  ofType,
  refuses,
  returns,
  says,
  sent,
  solve,
  useModelServer,
} from "./react-setup.js";

useModelServer();

const Told = z.looseObject({ json_schema: z.looseObject({ schema: z.unknown(), strict: z.boolean() }) });

/** Keywords that strict schemas may have, by OpenAI's guide to structured outputs; `$defs` at the root alone. */
const ALLOWED = new Set([
  ...["type", "description", "enum", "const", "anyOf", "items", "properties", "required", "additionalProperties"],
  ...["$ref", "$defs", "format", "pattern", "multipleOf", "minimum", "maximum", "minItems", "maxItems"],
]);

/** Where a schema breaks the rules of strict mode. */
function offences(root: unknown): string[] {
  const found: string[] = [];
  const Keywords = z.record(z.string(), z.unknown());
  const definitions = Keywords.parse(Keywords.parse(root).$defs ?? {});
  const look = (value: unknown, path: string): void => {
    const schema = Keywords.parse(value);
    for (const keyword of Object.keys(schema)) if (!ALLOWED.has(keyword)) found.push(`${path}: ${keyword}`);
    const { $ref, type, anyOf, items, properties } = schema;
    if (typeof $ref === "string" && !($ref.replace("#/$defs/", "") in definitions)) found.push(`${path}: ${$ref}`);
    if ($ref === undefined && type === undefined && anyOf === undefined) found.push(`${path}: no type`);
    if (JSON.stringify(type ?? null).includes('"object"')) {
      const names = Object.keys(Keywords.parse(properties ?? {}));
      if (schema.additionalProperties !== false) found.push(`${path}: open`);
      if (JSON.stringify(schema.required) !== JSON.stringify(names)) found.push(`${path}: not all required`);
    }
    if (JSON.stringify(type ?? null).includes('"array"') && items === undefined) found.push(`${path}: no items`);
    for (const [name, each] of Object.entries(Keywords.parse(properties ?? {}))) look(each, `${path}.${name}`);
    for (const choice of z.array(z.unknown()).parse(anyOf ?? [])) look(choice, `${path}|`);
    if (items !== undefined) look(items, `${path}[]`);
  };
  look(root, "");
  if (Keywords.parse(root).type !== "object") found.push("the root is no object");
  for (const [name, each] of Object.entries(definitions)) look(each, name);
  return found;
}

describe("structured", () => {
  test("the server is told the schema of the replies, in the strict form", async () => {
    dictate(says({ reply: { scratchpad: null, tool: "add", arguments: { a: 2, b: null } } }), answer42);

    await solve([add, returns("")], { toolCallingMode: "structured" }).result;

    expect(added).toEqual([[2, 1]]);
    expect(sent(1).response_format).toEqual({
      type: "json_schema",
      json_schema: {
        name: "agent_response",
        strict: true,
        schema: {
          type: "object",
          properties: {
            reply: {
              anyOf: [
                {
                  type: "object",
                  properties: {
                    scratchpad: { type: ["string", "null"] },
                    tool: { type: "string", enum: ["add"] },
                    arguments: {
                      type: "object",
                      properties: { a: { type: "number" }, b: { anyOf: [{ type: "number" }, { type: "null" }] } },
                      required: ["a", "b"],
                      additionalProperties: false,
                    },
                  },
                  required: ["scratchpad", "tool", "arguments"],
                  additionalProperties: false,
                },
                expect.objectContaining({ required: ["scratchpad", "tool", "arguments"] }),
                {
                  type: "object",
                  properties: { scratchpad: { type: ["string", "null"] }, answer: { type: "string" } },
                  required: ["scratchpad", "answer"],
                  additionalProperties: false,
                },
                {
                  type: "object",
                  properties: { scratchpad: { type: "string" } },
                  required: ["scratchpad"],
                  additionalProperties: false,
                },
              ],
            },
          },
          required: ["reply"],
          additionalProperties: false,
        },
      },
    });
  });

  test("what tools say of nested values, definitions and themselves is sent within the strict rules", async () => {
    dictate(answer42);
    const Node: z.ZodType = z.lazy(() => z.object({ name: z.string().min(1), next: Node.optional() }));
    const input = z.object({
      tree: Node,
      kind: z.enum(["a", "b"]),
      only: z.literal(7),
      pair: z.tuple([z.string(), z.number()]),
      rows: z.array(z.object({ id: z.uuid(), size: z.number().multipleOf(2).max(9).optional() })).max(5),
      link: z.url().optional(),
      either: z.union([z.string(), z.null()]),
    });
    const nested = functionTool({ name: "nested", description: "", input, run: () => null });

    await solve([nested, add], { toolCallingMode: "structured", answer: z.object({ sum: z.number() }) }).result;

    const { schema, strict } = Told.parse(sent(1).response_format).json_schema;
    expect(strict).toBe(true);
    expect(offences(schema)).toEqual([]);
    const text = JSON.stringify(schema);
    expect(text).toContain('"$ref":"#/$defs/tool1_');
    expect(text).not.toContain('"uri"');
    expect(text).toContain('"maximum":9');
  });

  test.each([
    ["names that nobody knows", z.object({ map: z.record(z.string(), z.number()) })],
    ["any value", z.object({ value: z.unknown() })],
  ])("a tool that takes %s, which the strict rules cannot say, is told of without them", async (_, input) => {
    dictate(answer42);
    const open = functionTool({ name: "open", description: "", input, run: () => null });

    await solve([open], { toolCallingMode: "structured" }).result;

    expect(Told.parse(sent(1).response_format).json_schema.strict).toBe(false);
  });

  test("a server that takes no schema is asked without, and the reply is read all the same", async () => {
    dictate(
      refuses("response_format json_schema is not supported"),
      refuses("response_format json_object is not supported"),
      answer42,
    );
    const run = solve([add], { toolCallingMode: "structured" });

    expect(await run.result).toMatchObject({ state: "completed", output: "42" });
    expect(ofType(run, "notice").map(({ notice }) => notice)).toMatchObject([
      { code: "PARAMETER_REFUSED", parameter: "responseSchema" },
    ]);
    expect(sent(3).response_format).toBeUndefined();
  });
});

describe("null for what may be left out, which a strict schema has a model write", () => {
  const Note = z.object({ total: z.number(), note: z.string().optional() });

  test("is no part of an answer", async () => {
    dictate(says({ reply: { scratchpad: null, answer: { total: 5, note: null } } }));

    const result = await solve([], { toolCallingMode: "structured", answer: Note }).result;

    expect(result).toMatchObject({ state: "completed", steps: { length: 1 } });
    expect(result.answer?.value).toEqual({ total: 5 });
  });

  test("is no part of the answer of the last attempt", async () => {
    dictate(says({ reply: { scratchpad: "Hm." } }), says({ reply: { answer: { total: 5, note: null } } }));

    const result = await solve([], { toolCallingMode: "structured", answer: Note, maxSteps: 1 }).result;

    expect(result.answer).toMatchObject({ value: { total: 5 }, source: "final_attempt" });
  });

  test("is not passed to a tool, at any depth", async () => {
    const found: unknown[] = [];
    const Place = z.strictObject({ city: z.string(), zip: z.string().optional() });
    const find = functionTool({
      name: "find",
      description: "",
      input: z.strictObject({ where: Place, others: z.array(Place).optional(), top: z.number().optional() }),
      run: (args) => {
        found.push(args);
        return "here";
      },
    });
    const Oslo = { city: "Oslo", zip: null };
    dictate(says({ reply: { tool: "find", arguments: { where: Oslo, others: [Oslo], top: null } } }), answer42);

    const result = await solve([find], { toolCallingMode: "structured" }).result;

    expect(result.steps[0]?.observation).toBe("Observation: here");
    expect(found).toEqual([{ where: { city: "Oslo" }, others: [{ city: "Oslo" }] }]);
  });

  const Choice = z.union([
    z.object({ kind: z.literal("a"), note: z.string().optional() }),
    z.object({ kind: z.literal("b"), note: z.string().nullable() }),
  ]);
  const Tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), next: Tree.optional() }));
  test.each([
    ["is kept where null is a value", z.object({ a: z.string().nullish() }), { a: null }, { a: null }],
    ["is kept where it must be there", z.object({ a: z.null() }), { a: null }, { a: null }],
    [
      "is dropped in the choice that has it optional",
      z.object({ it: Choice }),
      { it: { kind: "a", note: null } },
      { it: { kind: "a" } },
    ],
    [
      "is kept in the choice that takes it",
      z.object({ it: Choice }),
      { it: { kind: "b", note: null } },
      { it: { kind: "b", note: null } },
    ],
    [
      "is dropped beside a choice of null",
      z.object({ it: z.object({ a: z.string().optional() }).nullable() }),
      { it: { a: null } },
      { it: {} },
    ],
    [
      "is dropped in a tuple",
      z.object({ it: z.tuple([z.object({ a: z.string().optional() })]) }),
      { it: [{ a: null }] },
      { it: [{}] },
    ],
    [
      "is dropped below a definition",
      Tree,
      { name: "x", next: { name: "y", next: null } },
      { name: "x", next: { name: "y" } },
    ],
  ])("%s", async (_, answer, said, value) => {
    dictate(says({ reply: { scratchpad: null, answer: said } }));

    const result = await solve([], { toolCallingMode: "structured", answer }).result;

    expect(result.state).toBe("completed");
    expect(result.answer?.value).toEqual(value);
  });

  test("is looked for in a choice of itself without end", async () => {
    const endless: JsonSchema = { anyOf: [{ $ref: "#" }, { $ref: "#" }] };
    dictate(says({ reply: { answer: { a: null } } }));

    const { answer } = await solve([], { toolCallingMode: "structured", answer: endless }).result;

    expect(answer).toBeNull();
  });
});
