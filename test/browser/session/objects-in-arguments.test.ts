import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, type Session, type ToolAdapter, type Value } from "../../../src/index.js";
import { isRecord } from "../../../src/protocol/index.js";
import { openSession } from "./hosts.js";

const definitions = `
import collections, dataclasses, datetime, fractions
half = fractions.Fraction(1, 2)

@dataclasses.dataclass
class Row:
    when: object

Pair = collections.namedtuple("Pair", "a b")

class Plain:
    pass

class Unready:
    pass

cycle = [1]
cycle.append(cycle)

deep = 1
for _ in range(150):
    deep = [deep]
`;

const received: Value[] = [];
const keep = (value: Value): string => {
  received.push(value);
  return "taken";
};

const take = functionTool({
  name: "take",
  description: "Takes typed values.",
  input: {
    type: "object",
    $defs: { Json: { anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#/$defs/Json" } }] } },
    properties: {
      rows: { type: "array" },
      table: { type: "array", items: { type: "object", properties: { when: { type: "string" } } } },
      fields: { type: "object" },
      numbers: { additionalProperties: { type: "number" } },
      named: { patternProperties: { "^n": { type: "number" } } },
      json: { $ref: "#/$defs/Json" },
      choice: { anyOf: [{ type: "object" }, { type: "null" }] },
      "per-page": { type: "array" },
      anything: { description: "Whatever." },
      open: { type: "object", additionalProperties: true },
      list: { type: "array", items: {} },
      pair: { type: "array", prefixItems: [{ type: "string" }, {}] },
      either: { anyOf: [{ type: "array", items: {} }, { type: "null" }] },
      part: { type: "object", properties: { any: {}, typed: { type: "object" } } },
    },
  },
  run: (args) => keep(args as Value),
});

const zod = functionTool({
  name: "zod",
  description: "Has a schema of zod.",
  input: z.object({
    rows: z.array(z.record(z.string(), z.union([z.string(), z.object({})]))).optional(),
    any: z.any().optional(),
    list: z.array(z.unknown()).optional(),
  }),
  run: (args) => keep(args as Value),
});

const two = functionTool({
  name: "two",
  description: "Has a required parameter.",
  input: { type: "object", properties: { rows: { type: "array" }, name: { type: "string" } }, required: ["name"] },
  run: (args) => keep(args as Value),
});

/** One without a callable: `tools.bare(…)` takes what its adapter takes. */
const bare: ToolAdapter = {
  tool: { name: "bare", description: "", tags: [], callables: [], hints: {}, timeout: 1000 },
  validate: (_callable, args) => {
    if ("wrong" in args) throw new Error("the adapter's own complaint");
    return args;
  },
  call: (_callable, args) => Promise.resolve(keep(args)),
};

/** Hands on what it gets to another tool. */
const forward = functionTool({
  name: "forward",
  description: "Calls `take`.",
  input: { type: "object", properties: { rows: {} } },
  run: ({ rows }, { callTool }) => callTool("take", { rows }),
});

const api = `
name: api
type: http
base_url: https://example.invalid
recipes:
  post:
    method: POST
    path: /rows
    params:
      rows: { type: array }
`;

const command = "name: cmd\nschema: {options: {rows: {type: array}}}\nrecipes: {send: {params: {rows: {}}}}\n";

describe("an object that cannot cross, inside of an argument", () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession({
      tools: [take, zod, two, bare, forward],
      commands: { cmd: () => keep("a command") },
      seeds: [
        { file: "tools/api.yaml", text: api },
        { file: "tools/cmd.yaml", text: command },
      ],
    });
    expect(session.tools.problems()).toEqual([]);
    expect((await session.run(definitions)).error).toBeNull();
    const defined = await session.run(
      "from vitrine import tool\n@tool\ndef own(rows: list) -> int:\n    'Counts.'\n    return len(rows)",
    );
    expect(defined.error).toBeNull();
  });
  afterAll(async () => {
    await session.close();
  });

  test.each([
    ["a list", "tools.take(rows=[1, half])", "Argument 'rows', at [1]: a Fraction cannot be handed over."],
    ["a dict", "tools.take(fields={'when': half})", `Argument 'fields', at ["when"]: a Fraction`],
    ["lists and dicts", "tools.take(rows=[1, 2, 3, {'when': half}])", `Argument 'rows', at [3]["when"]: a Fraction`],
    ["a tuple", "tools.take(rows=(0, (1, half)))", "Argument 'rows', at [1][1]: a Fraction"],
    ["a set", "tools.take(rows=[{half}])", "Argument 'rows', at [0]<member>: a Fraction"],
    ["a dict with keys of other types", "tools.take(rows=[{1: half}])", "Argument 'rows', at [0][1]: a Fraction"],
    ["a key", "tools.take(rows=[{half: 1}])", "Argument 'rows', at [0]<key>: a Fraction"],
    ["a tuple that is a key", "tools.take(rows=[{(1, half): 1}])", "Argument 'rows', at [0]<key>[1]: a Fraction"],
    ["a dataclass", "tools.take(rows=[Row(half)])", "Argument 'rows', at [0].when: a Fraction"],
    ["a named tuple", "tools.take(rows=[Pair(1, [half])])", "Argument 'rows', at [0].b[0]: a Fraction"],
    ["a view of a dict", "tools.take(rows={'a': half}.values())", "Argument 'rows', at [0]: a Fraction"],
    ["a key with a quote", `tools.take(fields={'a"b': half})`, `Argument 'fields', at ["a\\"b"]: a Fraction`],
    ["the key __proto__", "tools.take(fields={'__proto__': half})", `Argument 'fields', at ["__proto__"]: a Fraction`],
    ["a list: an object of a class", "tools.take(rows=[Unready()])", "Argument 'rows', at [0]: an Unready cannot"],
    ["a list: a function", "tools.take(rows=[len])", "Argument 'rows', at [0]: a builtin_function_or_method cannot"],
    [
      "itself",
      "tools.take(rows=cycle)",
      "Argument 'rows', at [1]: a list that contains itself, or is nested too deeply, cannot",
    ],
    [
      "a hundred lists",
      "tools.take(rows=deep)",
      "[0][0][0]: a list that contains itself, or is nested too deeply, cannot",
    ],
    [
      "a place of a type",
      "tools.take(table=[{'when': half}])",
      "Fraction cannot be handed over. Pass a string instead.",
    ],
    ["a dict of numbers alone", "tools.take(numbers={'a': half})", `Argument 'numbers', at ["a"]: a Fraction`],
    ["a dict of named numbers", "tools.take(named={'b': half})", `Argument 'named', at ["b"]: a Fraction`],
    [
      "a reference that leads to itself",
      "tools.take(json=[['a', [half]]])",
      "Argument 'json', at [0][1][0]: a Fraction",
    ],
    ["a choice", "tools.take(choice={'a': half})", `Argument 'choice', at ["a"]: a Fraction`],
    ["a parameter with a Python name", "tools.take(per_page=[half])", "Argument 'per_page', at [0]: a Fraction"],
    [
      "the typed part of a dict",
      "tools.take(part={'any': half, 'typed': {'a': half}})",
      `at ["typed"]["a"]: a Fraction`,
    ],
    ["the typed item of a pair", "tools.take(pair=[half, half])", "Argument 'pair', at [0]: a Fraction"],
  ])("%s: is refused, with its place", async (_name, code, message) => {
    received.length = 0;

    const { error } = await session.run(code);

    expect(error).toMatchObject({ code: "TOOL_ARGUMENT", pythonType: "ToolArgumentError" });
    expect(error?.message).toContain(message);
    expect(received).toEqual([]);
  });

  test.each([
    ["a positional argument", "tools.take([half])", "Argument 'rows', at [0]"],
    ["call_sync", "tools.take.call_sync(rows=[half])", "Argument 'rows', at [0]"],
    ["call_async", "await tools.take.call_async(rows=[half])", "Argument 'rows', at [0]"],
    ["a recipe", "tools.take.take(rows=[half])", "Argument 'rows', at [0]"],
    ["a schema of zod", "tools.zod(rows=[{'when': half}])", `Argument 'rows', at [0]["when"]`],
    ["the argument itself, by zod", "tools.zod(rows=half)", "Argument 'rows': a Fraction"],
    ["a tool without callables", "tools.bare(rows=[half])", "Argument 'rows', at [0]"],
    ["a tool without callables, the argument itself", "tools.bare(rows=half)", "Argument 'rows': a Fraction"],
    ["an HTTP tool", "tools.api.post(rows=[half])", "Argument 'rows', at [0]"],
    ["a recipe of a command", "tools.cmd.send(rows=[half])", "Argument 'rows', at [0]"],
    ["a command by itself", "tools.cmd(rows=[half])", "Parameter 'rows' must be a list in which"],
    ["a tool of session code", "tools.own(rows=[half])", "at [0]: a Fraction"],
    ["another tool that hands it on", "tools.forward(rows=[half])", "Argument 'rows', at [0]"],
  ])("%s: is refused however the tool is called", async (_name, code, message) => {
    received.length = 0;

    const { error } = await session.run(code);

    expect(error).toMatchObject({ pythonType: "ToolArgumentError" });
    expect(error?.message).toContain(message);
    expect(received).toEqual([]);
  });

  test("code in a child session is refused it as well", async () => {
    const child = await session.openChild();
    try {
      const { error } = await child.run("import fractions\ntools.take(rows=[fractions.Fraction(1, 2)])");

      expect(error).toMatchObject({ code: "TOOL_ARGUMENT" });
      expect(error?.message).toContain("Argument 'rows', at [0]: a Fraction");
    } finally {
      await child.close();
    }
  });

  test.each([
    ["an unknown parameter", "tools.take(lines=[half])", "Unknown parameter 'lines'. It takes: rows"],
    ["another unknown parameter", "tools.take(rows=[half], lines=1)", "Unknown parameter 'lines'. It takes: rows"],
    ["a missing parameter", "tools.two(rows=[half])", "Required parameter 'name' is missing"],
    ["what the adapter refuses", "tools.bare(wrong=[half])", "the adapter's own complaint"],
  ])("%s: comes first", async (_name, code, message) => {
    const { error } = await session.run(code);

    expect(error?.message).toContain(message);
  });

  test.each([
    ["last of 100,000 keys", "fields=dict.fromkeys(map(str, range(99_999)), 0) | {'when': half}", `["when"]`],
    ["last of 100,000 items", "rows=[0] * 100_000 + [half]", "[100000]"],
    ["in the last of 20,000 dicts", "rows=[{'when': 1}] * 20_000 + [{'when': half}]", `[20000]["when"]`],
    ["in a set of 20,000", "rows=[set(range(20_000)) | {half}]", "[0]<member>"],
  ])("%s: is found", async (_name, argument, place) => {
    received.length = 0;

    const { error } = await session.run(`tools.take(${argument})`);

    expect(error).toMatchObject({ code: "TOOL_ARGUMENT" });
    expect(error?.message).toContain(`at ${place}: a Fraction cannot be handed over`);
    expect(received).toEqual([]);
  });

  test("one key that is as long as a book makes no message of that length", async () => {
    const { error } = await session.run("tools.take(fields={'x' * 100_000: half})");

    expect(error?.message).toContain("Argument 'fields', at [\"xxx");
    expect(error?.message.length).toBeLessThan(1000);
  });

  test.each([
    ["a parameter that says nothing", "tools.take(anything=[{'a': (half, {half})}])"],
    ["the parameter itself", "tools.take(anything=half)"],
    ["a dict of anything", "tools.take(open={'a': [half]})"],
    ["a list of anything", "tools.take(list=[half, [half]])"],
    ["the item of a pair that says nothing", "tools.take(pair=['a', half])"],
    ["a choice of which one takes it", "tools.take(either=[half])"],
    ["the part of a dict that says nothing", "tools.take(part={'any': [half]})"],
    ["z.any", "tools.zod(any=[half])"],
    ["z.array(z.unknown())", "tools.zod(list=[{'a': half}])"],
    ["a list of anything, of 20,000", "tools.take(list=[half] * 20_000)"],
  ])("%s: takes it", async (_name, code) => {
    received.length = 0;

    const { value, error } = await session.run(code);

    expect(error).toBeNull();
    expect(value).toBe("taken");
    expect(JSON.stringify(received)).toContain(`"repr":"Fraction(1, 2)","type":"Fraction"`);
  });

  test.each([
    ["rows=[1, 'a', None, 2.5, True, b'x', {'a': [(), {1}]}]", 7],
    ["rows=[datetime.date(2026, 1, 2), Row('now'), Pair(1, 2), {1: 2}, {frozenset({1})}]", 5],
    ["rows=[{'repr': 'x', 'type': 'y'}]", 1],
    ["rows=[]", 0],
    ["rows=list(range(100_000))", 100_000],
    ["rows=[{'a': 1}] * 20_000", 20_000],
  ])("ordinary data passes: %s", async (argument, length) => {
    received.length = 0;

    const { value, error } = await session.run(`tools.take(${argument})`);

    expect(error).toBeNull();
    expect(value).toBe("taken");
    expect(received).toHaveLength(1);
    expect(received).toHaveProperty([0, "rows", "length"], length);
  });

  test("a record of 100,000 keys passes", async () => {
    received.length = 0;

    const { value } = await session.run("tools.take(fields=dict.fromkeys(map(str, range(100_000)), 0))");

    expect(value).toBe("taken");
    const [args] = received;
    expect(isRecord(args) && isRecord(args.fields) && Object.keys(args.fields).length).toBe(100_000);
  });
});
