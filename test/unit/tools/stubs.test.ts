import { loadPyodide, type PyodideInterface } from "pyodide";
import type { PyProxy } from "pyodide/ffi";
import { beforeAll, describe, expect, test } from "vitest";

import { installed, publicDocuments, readDocument } from "../../../bench/tokens/documents.js";
import { openapiTool } from "../../../bench/tokens/openapi-tool.js";
import {
  callableStub,
  checkingStubs,
  parametersOfSchema,
  ToolRegistry,
  toolStubs,
  type JsonSchema,
  type Tool,
  type ToolCallable,
} from "../../../src/tools/index.js";

function callable(
  name: string,
  inputSchema: JsonSchema = { type: "object" },
  more: Partial<ToolCallable> = {},
): ToolCallable {
  return { name, description: "", parameters: parametersOfSchema(inputSchema), inputSchema, ...more };
}

function tool(name: string, callables: readonly ToolCallable[], description = ""): Tool {
  return { name, description, tags: [], callables, hints: {}, timeout: 1000 };
}

function stubOf(inputSchema: JsonSchema, more: Partial<ToolCallable> = {}): string {
  return callableStub(tool("t", []), callable("f", inputSchema, more));
}

test("a type checker lets one item stand for a list of one where the tool takes it", () => {
  const schema: JsonSchema = { type: "array", items: { type: "integer" } };
  const stubs = checkingStubs([
    tool("t", [
      {
        name: "t",
        description: "",
        parameters: [
          { name: "one", type: "array", required: true, description: "", schema, takesOneItem: true },
          { name: "all", type: "array", required: true, description: "", schema },
        ],
      },
    ]),
  ]);

  expect(stubs).toContain("one: _ToolList | _ToolNumber, all: _ToolList, ");
});

describe("the stub of a callable", () => {
  test("has keyword-only parameters with types, defaults, and a docstring", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        labels: { type: "array", items: { type: "string" }, description: "What it is about" },
        state: { enum: ["open", "closed"], default: "open" },
        "per-page": { type: ["integer", "null"] },
        file: { type: "string", format: "binary" },
        title: { type: "string", description: "Its title" },
        meta: { type: "object", additionalProperties: { type: "number" } },
        any: {},
      },
      required: ["title"],
    };

    expect(stubOf(schema, { description: "Creates one.", outputSchema: { type: "boolean" } })).toBe(
      [
        "def f(*, title: str, labels: list[str] | None = None, state: Literal['open', 'closed'] = 'open', " +
          "per_page: int | None = None, file: bytes | None = None, meta: dict[str, float] | None = None, " +
          "any: Any = None) -> bool:",
        '    """Creates one.',
        "",
        "    Args:",
        "        labels: What it is about",
        "        title: Its title",
        '    """',
      ].join("\n"),
    );
  });

  test("writes objects as TypedDicts, those that hold themselves too", () => {
    const stub = stubOf({
      type: "object",
      properties: { author: { $ref: "#/$defs/Person" } },
      required: ["author"],
      $defs: {
        Person: {
          type: "object",
          properties: {
            name: { type: "string", description: "Full name" },
            friends: { type: "array", items: { $ref: "#/$defs/Person" } },
            "e-mail": { $ref: "#/$defs/Mail" },
          },
          required: ["name"],
        },
        Mail: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
      },
    });

    expect(stub).toBe(
      [
        "class Mail(TypedDict):",
        "    to: str",
        "",
        'Person = TypedDict("Person", {',
        "    'name': 'str',  # Full name",
        "    'friends': 'NotRequired[list[Person]]',",
        "    'e-mail': 'NotRequired[Mail]',",
        "})",
        "",
        "def f(*, author: Person) -> Any: ...",
      ].join("\n"),
    );
  });

  test("writes unions, and types that hold themselves without being objects", () => {
    const stub = stubOf({
      type: "object",
      properties: {
        value: { $ref: "#/$defs/Json" },
        shape: {
          oneOf: [
            { title: "Circle", type: "object", properties: { r: { type: "number" } } },
            { type: "string" },
            { type: "null" },
          ],
        },
      },
      $defs: {
        Json: {
          anyOf: [
            { type: "string" },
            { type: "array", items: { $ref: "#/$defs/Json" } },
            { type: "object", additionalProperties: { $ref: "#/$defs/Json" } },
          ],
        },
      },
    });

    expect(stub).toContain("type Json = str | list[Json] | dict[str, Json]");
    expect(stub).toContain("def f(*, value: Json | None = None, shape: Circle | str | None = None)");
  });

  test("knows no type where the schema leads nowhere", () => {
    expect(
      stubOf({ type: "object", properties: { a: { $ref: "#/$defs/None" }, b: { $ref: "https://x.example/y" } } }),
    ).toBe("def f(*, a: Any = None, b: Any = None) -> Any: ...");
  });
});

describe("stubs for a type checker", () => {
  const result = (outputSchema: JsonSchema): string =>
    checkingStubs([tool("t", [callable("f", { type: "object" }, { outputSchema })])]);
  const argument = (schema: JsonSchema, more: JsonSchema = {}): string | undefined =>
    /\ba: (.*)\) -> Any/.exec(
      checkingStubs([
        tool("t", [callable("f", { type: "object", properties: { a: schema }, required: ["a"], ...more })]),
      ]),
    )?.[1];

  test("are bounded by the work, not by the depth alone", () => {
    const times = (count: number, name: string): JsonSchema => ({
      anyOf: Array.from({ length: count }, () => ({ $ref: `#/$defs/${name}` })),
    });
    const $defs = {
      a: times(100, "b"),
      b: times(100, "c"),
      c: times(100, "d"),
      d: times(100, "e"),
      e: { type: "string" },
    };

    expect(argument(times(100, "a"), { $defs })).toBe("Any");
    expect(argument(times(2, "e"), { $defs })).toBe("_ToolText");
  });

  test("take for an argument what the page makes a value of its type", () => {
    expect(argument({ type: "string" })).toBe("_ToolText");
    expect(argument({ enum: ["a", 1, true] })).toBe("_ToolText | _ToolNumber | _ToolTruth");
    expect(argument({ type: ["integer", "null"] })).toBe("_ToolNumber | None");
    expect(argument({ type: "string", format: "binary" })).toBe("Any");
    expect(argument({ type: "string", contentMediaType: "image/png" })).toBe("Any");
    expect(argument({ type: "string", contentMediaType: "image/png", contentEncoding: "base64" })).toBe("_ToolText");
    expect(argument({ type: "string", contentMediaType: "text/csv", const: "a" })).toBe("Any");
  });

  const known = { type: "object", properties: { a: { type: "string" } } } as const;
  // More parts than are looked at.
  const wide: JsonSchema = { ...known, allOf: Array.from({ length: 2000 }, () => ({ ...known })) };
  test.each<[string, JsonSchema]>([
    ["additionalProperties", { ...known, additionalProperties: { type: "integer" } }],
    ["additionalProperties that may be anything", { ...known, additionalProperties: {} }],
    ["patternProperties", { ...known, patternProperties: { "^x-": { type: "integer" } } }],
    ["unevaluatedProperties", { ...known, unevaluatedProperties: true }],
    ["a part that says so", { allOf: [known, { type: "object", additionalProperties: true }] }],
    ["a condition", { ...known, if: { required: ["a"] }, then: { properties: { b: {} } } }],
    ["a choice of anything", { ...known, anyOf: [{ properties: { b: {} } }, {}] }],
    ["a reference to another document", { ...known, allOf: [{ $ref: "https://x.example/y" }] }],
    ["more parts than are looked at", wide],
    ["more parts than are looked at, inside", { type: "array", items: wide }],
  ])("let a result have other keys: %s", (_what, schema) => {
    const written = result(schema);

    expect(written).toContain("key: Literal['a'], /) -> str");
    expect(written).toContain("key: str, /) -> Any");
    expect(written).not.toContain("key: _NoKey");
  });

  test("know the keys of a result where nothing says that there are others", () => {
    for (const schema of [known, { ...known, additionalProperties: false }]) {
      expect(result(schema)).toContain("key: _NoKey, /) -> Any");
      expect(result(schema)).not.toContain("key: str, /)");
    }
  });

  test("know nothing of keys that stand beside a reference", () => {
    const written = result({ $ref: "#/$defs/a", properties: { b: {} }, $defs: { a: known } });

    expect(written).not.toContain("_NoKey, /");
  });
});

describe("aliases", () => {
  test("of names that Python would write alike differ, and each reaches its own", () => {
    const registry = new ToolRegistry();
    for (const name of ["get-user", "get.user", "get_user"]) {
      registry.register({
        tool: tool(name, [callable("a-b"), callable("a b"), callable("a_b")]),
        call: (called) => Promise.resolve([name, called]),
      });
    }
    const aliases = registry.list().map((listed) => [listed.name, listed.alias ?? listed.name]);

    expect(aliases).toEqual([
      ["get-user", "get_user_2"],
      ["get.user", "get_user_3"],
      ["get_user", "get_user"],
    ]);
    expect(registry.prepare("get_user_3", "a_b_2").name).toBe("get.user.a-b");
    expect(registry.prepare("get_user", "a_b").name).toBe("get_user.a_b");
  });
});

describe("stubs are legal Python", () => {
  let python: PyodideInterface;

  beforeAll(async () => {
    python = await loadPyodide();
    python.runPython(
      "def compiles(source):\n    compile(source, 'stubs.pyi', 'exec', dont_inherit=True)\n    return True",
    );
  });

  function compiles(source: string): unknown {
    const locals = python.toPy({ source }) as PyProxy;
    return python.runPython("compiles(source)", { locals });
  }

  // The largest document is not installed for everyone.
  const documents = publicDocuments.filter((document) => installed(document) !== undefined);

  test.each(documents)("of the $title document", async (document) => {
    const described = await openapiTool(document.name, readDocument(document));

    expect(compiles(toolStubs([described]))).toBe(true);
    expect(compiles(checkingStubs([described]))).toBe(true);
  });

  test("whatever names, texts and values a schema has", () => {
    const odd = [
      "class",
      "self",
      "None",
      "__init__",
      "1st",
      "",
      "a b",
      "ﬁne",
      "½",
      "list",
      "print",
      'quote"',
      "back\\slash",
      "\ud800",
      "line\nbreak",
      "日本",
      "*",
      "Any",
      "TypedDict",
    ];
    const texts = ['ends with "', "ends with \\", 'three """ marks', "nul \u0000 and \u2028", "", '"', "a\r\n  b\n\tc"];
    const properties = Object.fromEntries(
      odd.map((name, index): [string, JsonSchema] => [
        name,
        {
          description: texts[index % texts.length],
          type: "object",
          properties: Object.fromEntries(odd.map((key) => [key, { enum: [key, 1, null, true] }])),
          ...(index % 3 === 0 ? {} : { default: { [name]: [name, 1.5, Number.NaN, null] } }),
        },
      ]),
    );
    const callables = odd.map((name, index) =>
      callable(
        name,
        { type: "object", properties },
        { description: texts[index % texts.length] ?? "", outputSchema: { type: "object", properties } },
      ),
    );
    const tools = odd.map((name, index) => tool(name, callables, texts[index % texts.length]));

    expect(compiles(toolStubs(tools))).toBe(true);
    expect(compiles(checkingStubs(tools))).toBe(true);
  });

  test("whatever a parameter beside any others is called", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { others: { type: "string" }, others_2: {} },
      additionalProperties: true,
    };
    const open = tool("t", [callable("t", schema), callable("f", schema)]);

    expect(compiles(toolStubs([open]))).toBe(true);
    expect(compiles(checkingStubs([open]))).toBe(true);
    expect(callableStub(open, callable("f", schema))).toContain("**others_3: Any");
  });

  test("whatever numbers a choice has", () => {
    const schema: JsonSchema = { type: "object", properties: { a: { enum: [1, 1e300] }, b: { enum: [1, null] } } };
    const stub = stubOf(schema, { outputSchema: schema });

    expect(compiles(`class T:\n    ${stub.split("\n").at(-1) ?? ""}`)).toBe(true);
    expect(stub).toContain("a: int | float | None");
    expect(stub).toContain("b: Literal[1] | None");
    expect(stub).not.toContain("Literal[1, 1e+300]");
  });

  test("of no tools at all, and of a tool without callables", () => {
    expect(compiles(toolStubs([]))).toBe(true);
    expect(compiles(toolStubs([tool("empty", [])]))).toBe(true);
    expect(compiles(checkingStubs([]))).toBe(true);
    expect(compiles(checkingStubs([tool("empty", [])]))).toBe(true);
  });
});
