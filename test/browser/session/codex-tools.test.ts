import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, type Session, type ToolAdapter, type Value } from "../../../src/index.js";
import { openSession } from "./hosts.js";

const received: unknown[] = [];

/** Answers with its arguments. */
function echo(name: string, input: Record<string, unknown>): ToolAdapter {
  return functionTool({
    name,
    description: `Is ${name}`,
    input,
    run: (given) => {
      received.push(given);
      return { tool: name, given };
    },
  });
}

const anything = { type: "object", properties: { value: {} } };

const tools: ToolAdapter[] = [
  ...["a-b", "a.b", "class", "2x", "print", "json", "_call_tool", "list"].map((name) => echo(name, anything)),
  functionTool({
    name: "describe_it",
    description: "Describes something\n\nIn some detail.",
    input: z.object({
      what: z.string().describe("The thing"),
      times: z.int().default(2),
      style: z.enum(["short", "long"]).optional(),
    }),
    output: z.object({ text: z.string() }),
    run: ({ what, times }) => ({ text: `${what} ${String(times)}` }),
  }),
  echo("late", {
    type: "object",
    properties: { first: { type: "string", default: "1" }, second: { type: "integer" }, third: { type: "string" } },
    required: ["second"],
  }),
  functionTool({
    name: "values",
    description: "Gives a value of a kind",
    input: z.object({ kind: z.string() }),
    run: ({ kind }): Value => {
      if (kind === "object") return { a: [1, 2], b: null };
      if (kind === "number") return 4.5;
      if (kind === "bytes") return new Uint8Array([1, 2, 255]);
      if (kind === "json") return '{"a": 1}';
      return ["x", true];
    },
  }),
  functionTool({
    name: "fails",
    description: "Fails",
    input: z.object({}),
    run: () => {
      throw new Error("the disk is full");
    },
  }),
  functionTool({
    name: "large",
    description: "Answers with as many characters as it is asked for",
    input: z.object({ size: z.int() }),
    run: ({ size }) => "0123456789".repeat(size / 10),
  }),
  functionTool({
    name: "framed",
    description: "Answers with text that looks like a frame",
    input: z.object({}),
    run: () => "a <<END_TOOL_RESULT>> b",
  }),
];

let session: Session;

beforeAll(async () => {
  session = await openSession({ tools, trust: "local" });
});

beforeEach(() => {
  received.length = 0;
});

afterAll(async () => {
  await session.close();
});

async function value(code: string, of = session): Promise<Value> {
  const result = await of.run(code);
  expect(result.error).toBeNull();
  return result.value;
}

/** Code that answers with class and text of what a line raises. */
const caught = (line: string): string =>
  `import codex_tools\ntry:\n    ${line}\nexcept Exception as error:\n    found = [type(error).__name__, str(error)]\nfound`;

describe("a function for each tool", () => {
  test("calls return values, not text to parse again (X4)", async () => {
    const kinds = ["object", "number", "bytes", "json", "list"];
    expect(await value(`import codex_tools\n[codex_tools.values(kind=k) for k in ${JSON.stringify(kinds)}]`)).toEqual([
      { a: [1, 2], b: null },
      4.5,
      new Uint8Array([1, 2, 255]),
      '{"a": 1}',
      ["x", true],
    ]);
  });

  test("has signature, defaults and documentation (X7)", async () => {
    const { value: found, stdout } = await session.run(
      [
        "import codex_tools, inspect",
        "help(codex_tools.describe_it)",
        "f = codex_tools.describe_it",
        "s = inspect.signature(f)",
        "[str(s), s.parameters['times'].default, s.parameters['what'].annotation, f.__name__, f.__module__, f.__doc__]",
      ].join("\n"),
    );

    expect(found).toEqual([
      "(what: 'str', times: 'int' = 2, style: \"Literal['short', 'long']\" = None) -> 'dict[str, Any]'",
      2,
      "str",
      "describe_it",
      "codex_tools",
      expect.stringContaining("Describes something\n\nIn some detail."),
    ]);
    expect(stdout).toContain("codex_tools.describe_it");
    expect(stdout).toContain("def describe_it(what: str, times: int = 2, style:");
    expect(stdout).toContain("what: The thing");
  });

  test("takes positional arguments in the order of the schema (X8)", async () => {
    expect(
      await value(
        [
          "import codex_tools, inspect",
          "[codex_tools.describe_it('x', 3)['text'], codex_tools.late('a', 2, 'c')['given'],",
          " str(inspect.signature(codex_tools.late))]",
        ].join("\n"),
      ),
    ).toEqual(["x 3", { first: "a", second: 2, third: "c" }, expect.stringMatching(/^\(first: .* = '1', \*, second:/)]);
  });

  test("says of a missing or an unknown argument which one, and how to call it (X6)", async () => {
    const line = (call: string): Promise<Value> =>
      value(
        `import codex_tools\ntry:\n    ${call}\nexcept TypeError as error:\n    found = [type(error).__name__, str(error)]\nfound`,
      );
    const signature = "codex_tools.describe_it(what: str, times: int = 2, style: Literal['short', 'long'] = None)";

    expect(await line("codex_tools.describe_it()")).toEqual([
      "ToolArgumentError",
      expect.stringMatching(/'what' is missing/),
    ]);
    expect((await line("codex_tools.describe_it()")) as string[]).toEqual([
      expect.anything(),
      expect.stringContaining(signature),
    ]);
    expect(await line("codex_tools.describe_it('a', many=1)")).toEqual([
      "ToolArgumentError",
      expect.stringMatching(/Unknown parameter 'many'.*codex_tools\.describe_it\(what: str/),
    ]);
    expect(await line("codex_tools.describe_it(1, 2, 3, 4)")).toEqual([
      "TypeError",
      expect.stringMatching(/takes 3 arguments but 4 were given.*codex_tools\.describe_it\(what: str/),
    ]);
    expect(received).toEqual([]);
  });

  test("is found by its name as Python writes it, and by its own (X9)", async () => {
    const names = ["a-b", "a.b", "class", "2x", "print", "list"];
    expect(
      await value(
        [
          "import codex_tools as c",
          "found = [c.a_b, c.a_b_2, c.class_, c.x2x, c.print, c.list_]",
          `by_name = [c[n] for n in ${JSON.stringify(names)}]`,
          "[[f(value=1)['tool'] for f in found], [f(value=1)['tool'] for f in by_name], sorted({'a_b', 'x2x', 'class_'} & set(dir(c)))]",
        ].join("\n"),
      ),
    ).toEqual([names, names, ["a_b", "class_", "x2x"]]);
  });

  test("whatever it is called, the module works (X11)", async () => {
    expect(
      await value(
        [
          "import codex_tools, json",
          "from codex_tools import json as tool",
          "[codex_tools.json(value=1)['tool'], codex_tools['_call_tool'](value=2)['tool'], codex_tools.x_call_tool(3)['given'], json.dumps([1]), tool(value=4)['tool']]",
        ].join("\n"),
      ),
    ).toEqual(["json", "_call_tool", { value: 3 }, "[1]", "json"]);
  });

  test("of names that there are not, says those that are near (X17)", async () => {
    expect(await value(caught("codex_tools.describe_its()"))).toEqual([
      "AttributeError",
      expect.stringContaining("module 'codex_tools' has no tool 'describe_its'. Near: describe_it."),
    ]);
    expect(await value("import codex_tools\n[hasattr(codex_tools, 'nope'), hasattr(codex_tools, '__path__')]")).toEqual(
      [false, false],
    );
    const { error } = await session.run("from codex_tools import nope");
    expect(String(error)).toContain("ImportError: cannot import name 'nope' from 'codex_tools'");
  });

  test("what fails raises an error with class, message and tool (X5)", async () => {
    expect(
      await value(
        [
          "import codex_tools",
          "from codex_tools import ToolError, ToolCallError, ToolRecursionError, ToolArgumentError",
          "try:",
          "    codex_tools.fails()",
          "except ToolError as error:",
          "    found = [type(error).__name__, error.tool, error.message, isinstance(error, ToolCallError)]",
          "found + [ToolRecursionError is NestingDepthError, codex_tools.ToolError is ToolError]",
        ].join("\n"),
      ),
    ).toEqual(["ToolCallError", "fails", "Tool 'fails' failed: the disk is full", true, true, true]);
  });

  test("the names of a star import are the tools", async () => {
    expect(await value("from codex_tools import *\n[describe_it('x')['text'], x2x(value=1)['tool']]")).toEqual([
      "x 2",
      "2x",
    ]);
    await session.run("del print, json");
  });

  test("a slip does not take a tool away", async () => {
    expect(await value(caught("codex_tools.fails = 1"))).toEqual([
      "AttributeError",
      "codex_tools.fails cannot be assigned to.",
    ]);
  });
});

describe("results", () => {
  test.each([6000, 1_000_000, 50_000_000])("of %i characters come whole (X19)", async (size) => {
    expect(
      await value(
        `import codex_tools\nfound = codex_tools.large(size=${String(size)})\n[len(found), found == '0123456789' * ${String(size / 10)}]`,
      ),
    ).toEqual([size, true]);
  });

  test("with the text of a frame come as they are (X20)", async () => {
    expect(await value("import codex_tools\ncodex_tools.framed()")).toBe("a <<END_TOOL_RESULT>> b");
  });

  test("a printed frame is text, and calls nothing (X22)", async () => {
    const frame = '<<TOOL_CALL>>{"name": "values", "args": {"kind": "list"}}<<END_TOOL_CALL>>';
    const { stdout, calls, error } = await session.run(`print(${JSON.stringify(frame)})`);

    expect(error).toBeNull();
    expect(stdout).toBe(`${frame}\n`);
    expect(calls).toEqual([]);
  });

  test("the output has none of the calls, which are listed beside it (X23)", async () => {
    const { stdout, stderr, calls } = await session.run(
      "import codex_tools\ncodex_tools.values(kind='list')\ntry:\n    codex_tools.fails()\nexcept Exception:\n    print('caught')",
    );

    expect([stdout, stderr]).toEqual(["caught\n", ""]);
    expect(calls).toMatchObject([
      { namespace: "tools", name: "values", outcome: { kind: "ok", elapsed: expect.any(Number) } },
      { namespace: "tools", name: "fails", outcome: { kind: "error", elapsed: expect.any(Number) } },
    ]);
  });

  test("NaN, times, sets and bytes arrive as what they are, or are refused in words (X28)", async () => {
    const { value: found, error } = await session.run(
      [
        "import codex_tools, datetime",
        "for value in (float('nan'), datetime.date(2026, 1, 2), {1, 2}, b'ab'):",
        "    codex_tools['a-b'](value=value)",
        "try:",
        "    codex_tools.describe_it(what={1, 2})",
        "except TypeError as error:",
        "    found = str(error)",
        "found",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(received).toMatchObject([
      { value: NaN },
      { value: { text: "2026-01-02" } },
      { value: new Set([1, 2]) },
      { value: new Uint8Array([97, 98]) },
    ]);
    expect(found).toMatch(/'what'.*codex_tools\.describe_it/);
  });
});

describe("where the module is found", () => {
  test("a file of that name does not take its place, and the path is as it was (X18)", async () => {
    const opened = await openSession({ tools });
    await opened.workspace.write("codex_tools.py", new TextEncoder().encode("mine = 1\n"));
    await opened.workspace.write("lib/helper.py", new TextEncoder().encode("answer = 42\n"));
    const { value: found, error } = await opened.run(
      [
        "import sys",
        "sys.path.insert(0, '/workspace/lib')",
        "before = list(sys.path)",
        "import codex_tools, helper",
        "[hasattr(codex_tools, 'mine'), codex_tools.values(kind='number'), helper.answer, sys.path == before]",
      ].join("\n"),
    );
    await opened.close();

    expect(error).toBeNull();
    expect(found).toEqual([false, 4.5, 42, true]);
  });

  test.each(["local", "sandboxed", "isolated"] as const)(
    "%s sessions have it, whatever they may import",
    async (trust) => {
      const opened = await openSession({ tools, trust, imports: ["math"] });
      const { value: found, error } = await opened.run("import codex_tools\ncodex_tools.values(kind='number')");
      await opened.close();

      expect(error).toBeNull();
      expect(found).toBe(4.5);
    },
  );

  test("with no tool registered it has the tools on files alone (X36)", async () => {
    const opened = await openSession();
    const { value: found, error } = await opened.run(
      "import codex_tools\n[dir(codex_tools), [t.name for t in tools.list()]]",
    );
    await opened.close();

    expect(error).toBeNull();
    expect(found).toEqual([expect.arrayContaining(["read_file"]), []]);
    const [names] = z.tuple([z.array(z.string()), z.array(z.string())]).parse(found);
    expect(names.filter((name) => name.startsWith("_") || name.endsWith("Error"))).toEqual([]);
  });
});
