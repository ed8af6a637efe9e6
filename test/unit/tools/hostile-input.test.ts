import { describe, expect, test } from "vitest";

import {
  callableAlias,
  checkInput,
  checkSchema,
  describeCallable,
  loadToolFiles,
  openApiTools,
  parametersOfSchema,
  ToolRegistry,
  toolStubs,
  type JsonSchema,
  type Tool,
  type ToolAdapter,
} from "../../../src/tools/index.js";
import { PatternLimits } from "../../../src/tools/schema/patterns.js";
import { callAdapter } from "../../lone-calls/lone-call.js";

const context = { signal: new AbortController().signal };

/** Sends a call to nowhere. @returns the addresses that were asked for. */
function asked(): { readonly urls: string[]; readonly fetch: (url: string) => Promise<Response> } {
  const urls: string[] = [];
  return {
    urls,
    fetch: (url) => {
      urls.push(url);
      return Promise.resolve(Response.json("done"));
    },
  };
}

function call(adapter: ToolAdapter, callable: string, args: Record<string, string>): Promise<unknown> {
  return adapter.call(callable, args, context as Parameters<ToolAdapter["call"]>[2]);
}

describe("a tool file whose aliases have no end is named with its line, and the others load", () => {
  const good = { file: "good.yaml", text: "name: good\nrecipes: { good: {} }\n" };

  test.each([
    { what: "a preset of a command", text: "name: bad\nrecipes:\n  bad:\n    preset:\n      x: &x [1, *x]\n", line: 5 },
    {
      what: "a preset of a request",
      text: "name: bad\ntype: http\nbase_url: https://h.test\nrecipes:\n  a: { preset: { q: &x { y: *x } } }\n",
      line: 5,
    },
    { what: "the whole file", text: "&all\nname: bad\nrecipes: *all\n", line: 3 },
  ])("$what", ({ text, line }) => {
    const { adapters, problems } = loadToolFiles([{ file: "bad.yaml", text }, good]);

    expect(adapters.map(({ tool }) => tool.name)).toEqual(["good"]);
    expect(problems).toEqual([
      expect.objectContaining({
        file: "bad.yaml",
        line,
        message: "it is not valid YAML: an alias stands inside of what it refers to",
      }),
    ]);
  });

  test("an alias to what is finished is one like any other", () => {
    const text = "name: ok\nrecipes:\n  a: { preset: &p { x: [1] } }\n  b: { preset: *p }\n";

    expect(loadToolFiles([{ file: "ok.yaml", text }]).problems).toEqual([]);
  });

  test("an OpenAPI document of that kind is refused", async () => {
    const text = "openapi: 3.1.0\npaths: &p\n  /a: *p\n";

    await expect(openApiTools(text, { name: "bad" })).rejects.toMatchObject({
      code: "OPENAPI_DOCUMENT",
      message: expect.stringContaining("an alias stands inside of what it refers to"),
    });
  });
});

describe("twenty thousand aliases", () => {
  const aliases = Array.from({ length: 20_000 }, (_, index) => `*a${String(index % 250)}`);
  const anchors = Array.from({ length: 250 }, (_, index) => `&a${String(index)} ${String(index)}`);

  test("of one anchor are refused by a tool file and an OpenAPI document", async () => {
    const text = `a: &a 1\nb: [${aliases.map(() => "*a").join(", ")}]\n`;

    expect(loadToolFiles([{ file: "bad.yaml", text }]).problems).toEqual([
      expect.objectContaining({ file: "bad.yaml", message: expect.stringContaining("alias count") }),
    ]);
    await expect(openApiTools(text, { name: "bad" })).rejects.toMatchObject({ code: "OPENAPI_DOCUMENT" });
  });

  test("of many anchors are read", async () => {
    const extension = `x-shared: [${anchors.join(", ")}]\nx-used: [${aliases.join(", ")}]\n`;
    const document = `openapi: 3.1.0\nservers: [{ url: https://h.test }]\npaths: { /a: { get: { operationId: a } } }\n`;

    const { adapter, problems } = await openApiTools(document + extension, { name: "many" });

    expect(problems).toEqual([]);
    expect(adapter.tool.callables.map(({ name }) => name)).toEqual(["a"]);
    expect(loadToolFiles([{ file: "ok.yaml", text: `name: ok\nrecipes: { a: {} }\n${extension}` }]).problems).toEqual(
      [],
    );
  });
});

test("an anchor that is given twice means the latest before the alias", () => {
  const text = "name: ok\nrecipes:\n  a: { preset: &p { x: &p [1], y: *p } }\n  b: { preset: *p }\n";

  const { problems } = loadToolFiles([{ file: "ok.yaml", text }]);

  // `y` means the inner list and is no circle; the preset of `b` is that list, too, and no mapping.
  expect(problems).toMatchObject([{ file: "ok.yaml", field: "recipes.b.preset" }]);
});

describe("a definition too deep for Python keeps no other from being listed", () => {
  const deep = `${"[".repeat(200)}${"]".repeat(200)}`;

  test.each([
    { what: "a command", text: `name: bad\nrecipes: { bad: { preset: { x: ${deep} } } }\n` },
    {
      what: "a service",
      text: `name: bad\ntype: http\nbase_url: https://h.test\nrecipes: { a: { preset: { x: ${deep} } } }`,
    },
  ])("of $what", ({ text }) => {
    const good = { file: "good.yaml", text: "name: good\nrecipes: { good: {} }\n" };

    const { adapters, problems } = loadToolFiles([{ file: "bad.yaml", text }, good]);

    expect(adapters.map(({ tool }) => tool.name)).toEqual(["good"]);
    expect(problems).toMatchObject([{ file: "bad.yaml", message: "it is nested more than 90 levels deep" }]);
  });

  test.each(["default", "enum", "x-own", "unknown"])("of an OpenAPI operation, in %s", async (keyword) => {
    const schema = { type: "array", [keyword]: JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as unknown };
    const { adapter, problems } = await openApiTools(
      {
        openapi: "3.1.0",
        servers: [{ url: "https://h.test" }],
        paths: {
          "/bad": { get: { operationId: "bad", parameters: [{ name: "q", in: "query", schema }] } },
          "/good": { get: { operationId: "good" } },
        },
      },
      { name: "d" },
    );

    expect(adapter.tool.callables.map(({ name }) => name)).toContain("good");
    // What begins with x- is not carried along.
    expect(problems.map(({ message }) => message)).toEqual(
      keyword === "x-own" ? [] : ["GET /bad is left out: it is nested too deep"],
    );
    for (const callable of adapter.tool.callables) expect(() => describeCallable(adapter.tool, callable)).not.toThrow();
  });
});

test("presets and parameters may have the names that every object of JavaScript has", async () => {
  const { urls, fetch } = asked();
  const text = [
    "name: f1",
    "type: http",
    "base_url: https://f1.test",
    "recipes:",
    "  preset: { params: { year: {} }, preset: { constructor: ferrari } }",
    "  param: { params: { constructor: {}, toString: {} }, preset: { year: 1950 } }",
  ].join("\n");
  const { adapters } = loadToolFiles([{ file: "f1.yaml", text }], { fetch });

  await call(adapters[0]!, "preset", {});
  await call(adapters[0]!, "param", { constructor: "lotus" });

  expect(urls).toEqual(["https://f1.test/?constructor=ferrari", "https://f1.test/?year=1950&constructor=lotus"]);
});

describe("a path parameter that may hold slashes", () => {
  const document = {
    openapi: "3.1.0",
    info: { title: "files", version: "1" },
    paths: {
      "/{path}": {
        get: {
          operationId: "read",
          parameters: [{ name: "path", in: "path", required: true, allowReserved: true, schema: { type: "string" } }],
        },
      },
    },
  };

  test.each(["/elsewhere.test/x", "//elsewhere.test", "/%", "/"])("leads to no other site: %s", async (path) => {
    const { urls, fetch } = asked();
    const { adapter } = await openApiTools(document, {
      name: "files",
      baseUrl: "/",
      pageUrl: "https://page.test/",
      fetch,
    });

    await expect(call(adapter, "read", { path })).rejects.toMatchObject({ code: "TOOL_ARGUMENT" });
    expect(urls).toEqual([]);
  });

  test.each([
    { baseUrl: "/", url: "https://page.test/docs/read.me" },
    { baseUrl: "../data", url: "https://page.test/data/docs/read.me" },
    { baseUrl: "https://h.test/v1", url: "https://h.test/v1/docs/read.me" },
  ])("leads to everything below $baseUrl", async ({ baseUrl, url }) => {
    const { urls, fetch } = asked();
    const pageUrl = "https://page.test/app/";
    const { adapter } = await openApiTools(document, { name: "files", baseUrl, pageUrl, fetch });

    await call(adapter, "read", { path: "docs/read.me" });

    expect(urls).toEqual([url]);
  });
});

/** Definitions each of which refers to the next one four times: 4^25 ways. */
function manyWays(keyword: string, prefix: string): Record<string, JsonSchema> {
  const steps = Array.from({ length: 25 }, (_, index): [string, JsonSchema] => [
    `step${String(index)}`,
    { [keyword]: Array.from({ length: 4 }, () => ({ $ref: `${prefix}step${String(index + 1)}` })) },
  ]);
  return { ...Object.fromEntries(steps), step25: { type: "object", properties: { x: { type: "string" } } } };
}

describe.each(["anyOf", "oneOf", "allOf"])(
  "a schema with more ways than can be gone (%s) holds nobody up",
  (keyword) => {
    const $defs = manyWays(keyword, "#/$defs/");
    const inputSchema: JsonSchema = { type: "object", properties: { p: { $ref: "#/$defs/step0" } }, $defs };
    const outputSchema: JsonSchema = { $ref: "#/$defs/step0", $defs };

    function toolOf(): Tool {
      const parameters = parametersOfSchema(inputSchema);
      const callables = [{ name: "go", description: "", parameters, inputSchema, outputSchema }];
      return { name: "many", description: "", tags: [], callables, hints: {}, timeout: 1000 };
    }

    test("where its parameters are listed", () => {
      expect(toolOf().callables[0]?.parameters.map(({ name }) => name)).toEqual(["p"]);
      expect(() => parametersOfSchema(outputSchema)).not.toThrow();
    });

    test("where stubs are written", () => {
      expect(toolStubs([toolOf()])).toContain("def go(");
    });

    test("where tools are searched", async () => {
      const registry = new ToolRegistry();
      registry.register({ tool: toolOf(), call: () => Promise.resolve(null) });

      expect((await registry.search("go")).tools).toHaveLength(1);
    });

    test("where a value is held against it: the tool is to blame", async () => {
      const [callable] = toolOf().callables;

      await expect((async () => checkInput("many", callable!, { p: 5 }))()).rejects.toMatchObject({
        code: "TOOL_SCHEMA",
      });
    });

    test("where an OpenAPI document has it", async () => {
      const schema = { $ref: "#/components/schemas/step0" };
      const { adapter, problems } = await openApiTools(
        {
          openapi: "3.1.0",
          info: { title: "many", version: "1" },
          servers: [{ url: "https://h.test" }],
          components: { schemas: manyWays(keyword, "#/components/schemas/") },
          paths: {
            "/go": {
              post: {
                operationId: "go",
                parameters: [{ name: "q", in: "query", schema }],
                requestBody: { content: { "application/json": { schema } } },
              },
            },
          },
        },
        { name: "many" },
      );

      expect(problems).toEqual([]);
      expect(adapter.tool.callables.map(({ name }) => name)).toEqual(["go"]);
    });
  },
);

test("a pattern of an OpenAPI document that takes long with each of many texts makes its operation one to blame", async () => {
  const schema = { type: "array", items: { type: "string", pattern: "^(a+)+$" } };
  const { urls, fetch } = asked();
  const { adapter } = await openApiTools(
    {
      openapi: "3.1.0",
      servers: [{ url: "https://h.test" }],
      paths: { "/go": { get: { operationId: "go", parameters: [{ name: "x", in: "query", schema }] } } },
    },
    { name: "d", fetch },
  );
  const x = Array.from({ length: 3000 }, () => `${"a".repeat(20)}!`);

  await expect(callAdapter(adapter, { callable: "go", args: { x } })).rejects.toMatchObject({ code: "TOOL_SCHEMA" });
  expect(urls).toEqual([]);
});

describe("twenty thousand names that Python would write alike", () => {
  const count = 20_000;

  test("of callables are told apart", () => {
    const names = Array.from({ length: count }, (_, index) => `a${"-.".repeat(7)}${marks(index)}`);
    const callables = names.map((name) => ({ name, description: "", parameters: [] }));
    const tool: Tool = { name: "t", description: "", tags: [], callables, hints: {}, timeout: 1000 };

    expect(new Set(names.map((name) => callableAlias(tool, name))).size).toBe(count);
  });

  test("of operations are told apart", async () => {
    const paths = Array.from({ length: count }, (_, index) => [`/${String(index)}`, { get: { operationId: "same" } }]);
    const document = {
      openapi: "3.1.0",
      servers: [{ url: "https://h.test" }],
      paths: Object.fromEntries(paths) as Record<string, object>,
    };

    const { adapter } = await openApiTools(document, { name: "t" });

    expect(adapter.tool.callables.at(-1)?.name).toBe(`same_${String(count)}`);
  });

  /** The number in signs that no identifier can hold, always as many. */
  function marks(index: number): string {
    return index.toString(2).padStart(16, "0").replaceAll("0", "-").replaceAll("1", ".");
  }
});

describe("a pattern that can take long", () => {
  const hostile = [
    "^(a+)+$",
    "^(a|a)*$",
    "^((a+)+)+$",
    "(a?){64}b",
    "a*a*a*a*a*a*b",
    "^(?:a|aa|aaa)+$",
    `^${"a?".repeat(30)}${"a".repeat(30)}$`,
    `^${"(a|a)".repeat(32)}b`,
    `^${"(a|a){8}".repeat(4)}b`,
    "^a{0,9999}a{0,9999}a{0,9999}a{0,9999}b",
    "^(?=(?:a+)+b)",
  ];

  test.each(hostile)("is not tried on a long text: %s", async (pattern) => {
    expect(await checkSchema({ type: "string", pattern }, `${"a".repeat(5000)}!`)).toBeUndefined();
  });

  test.each(hostile)("is tried on a short one: %s", async (pattern) => {
    // Sixty-four turns that may each take nothing are much for any text.
    const x = pattern === "(a?){64}b" ? "a!" : "aaa!";

    const wrong = await checkSchema({ type: "object", properties: { x: { type: "string", pattern } } }, { x });

    expect(wrong).toEqual({ path: ["x"], reason: expect.stringContaining(`must match the pattern ${pattern}`) });
  });

  test.each(hostile)("is not tried on keys: %s", async (pattern) => {
    const schema: JsonSchema = { type: "object", patternProperties: { [pattern]: { type: "integer" } } };

    expect(await checkSchema({ ...schema, additionalProperties: false }, { ["a".repeat(40)]: 1 })).toBeUndefined();
  });

  test.each([
    `^${"(?:|)".repeat(40)}b`,
    "^(?:(?:){9999}){9999}$",
    `${"(".repeat(150)}a${")".repeat(150)}`,
    `^${"(?:|)".repeat(40)}b|^c`,
  ])("with the empty text already is never tried: %s", async (pattern) => {
    const schema: JsonSchema = { patternProperties: { [pattern]: { type: "integer" } }, additionalProperties: false };

    expect(await checkSchema({ type: "string", pattern }, "")).toBeUndefined();
    expect(await checkSchema(schema, { "": "text" })).toBeUndefined();
  });

  test("behind more characters than are looked at is not tried on a long text", async () => {
    const hidden = ["^x{1100}a*a*a*a*a*a*b", "^(?:(?:a|a)x{99})*$", `^${"x".repeat(1100)}(a|a)*b`];
    const texts = [`${"x".repeat(1100)}${"a".repeat(5000)}`, `${`a${"x".repeat(99)}`.repeat(100)}!`];

    for (const pattern of hidden) {
      for (const text of texts) expect(await checkSchema({ pattern }, text)).toBeUndefined();
    }
  });

  test("is one of thousands: they are not all looked into", async () => {
    const patterns = Array.from({ length: 5000 }, (_, index) => ({ pattern: `^((a+)+)+${String(index)}$` }));

    expect(await checkSchema({ allOf: patterns }, "a".repeat(5000))).toBeUndefined();

    const limits = new PatternLimits();
    const lookedInto = patterns.filter(({ pattern }) => limits.longestTextFor(pattern) >= 0);
    // Of those that are not looked into none is tried on any text.
    expect(lookedInto.length).toBeGreaterThan(5);
    expect(lookedInto.length).toBeLessThan(500);
    expect(lookedInto).toEqual(patterns.slice(0, lookedInto.length));
  });

  test("is behind a thousand quick ones: it is not looked into either", () => {
    const limits = new PatternLimits();
    const quick = Array.from({ length: 1001 }, (_, index) => `^a${String(index)}$`);

    expect(quick.filter((pattern) => limits.longestTextFor(pattern) >= 0)).toEqual(quick.slice(0, 1000));
  });

  test.each([
    { pattern: "^[a-z]+$", text: "a".repeat(200_000) },
    { pattern: "^[^@]+@[^@]+\\.[^@]+$", text: `${"a".repeat(100)}@example.org` },
    { pattern: "^(?:\\d{1,3}\\.){3}\\d{1,3}$", text: "127.0.0.1" },
    { pattern: "^[(+*)\\]]+\\p{L}*$", text: "(+*)]ä" },
    { pattern: "^[^@]+@[^@]+\\.[^@]+$", text: `${"a".repeat(400)}@example.org` },
    { pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$", text: "a-slug-of-some-thirty-letters" },
    { pattern: "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$", text: "01234567-89ab-cdef-0123-456789abcdef" },
    { pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", text: "AAAA".repeat(500) },
  ])("is not meant by what people write: $pattern", async ({ pattern, text }) => {
    expect(await checkSchema({ pattern }, text)).toBeUndefined();
    expect(await checkSchema({ pattern }, `${text}\n@`)).toMatchObject({ reason: expect.stringContaining("pattern") });
  });
});

test.each(["^\\d{4}-\\d\\d-\\d\\d$", "^x-", "^#?(?:[a-f0-9]{6}|[a-f0-9]{3})$", "^[a-z][a-z0-9_]{0,62}$"])(
  "a harmless pattern is held against a text of any length: %s",
  async (pattern) => {
    expect(await checkSchema({ pattern }, "!".repeat(200_000))).toMatchObject({
      reason: expect.stringContaining("pattern"),
    });
  },
);

test("keys are as long as they are where no pattern could take long with them", async () => {
  const long = "x".repeat(5000);
  const harmless: JsonSchema = { patternProperties: { "^x-": { type: "integer" } } };
  const limited: JsonSchema = { patternProperties: { "^[a-z]+-[a-z]+$": { type: "integer" } } };
  const held = async (schema: JsonSchema, value: Record<string, number | string>): Promise<unknown> =>
    await checkSchema(schema, value);

  await expect(held(harmless, { [long]: 1 })).resolves.toBeUndefined();
  await expect(held(harmless, { [`x-${long}`]: "text" })).resolves.toMatchObject({ path: [`x-${long}`] });
  await expect(held(limited, { "a-b": "text" })).resolves.toMatchObject({ path: ["a-b"] });
  await expect(held(limited, { [long]: 1 })).rejects.toThrow("more than 600 characters");
});

test("a list of a hundred thousand items is not compared item by item with itself", async () => {
  const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
  const schema: JsonSchema = { type: "array", uniqueItems: true };

  expect(await checkSchema(schema, items)).toBeUndefined();
  expect(await checkSchema(schema, [1, 2, 1])).toBeDefined();
});

describe("items that are large and alike", () => {
  /** Differs from others of its kind at its end only. */
  const large = (index: number): number[] => [...Array.from({ length: 3000 }, () => 0), index];

  test("are not compared where they are many", async () => {
    const items = Array.from({ length: 1500 }, (_, index) => large(index % 1000));

    expect(await checkSchema({ uniqueItems: true }, items)).toBeUndefined();
  });

  test("are compared where they are few", async () => {
    const items = Array.from({ length: 50 }, (_, index) => large(index));

    expect(await checkSchema({ uniqueItems: true }, items)).toBeUndefined();
    expect(await checkSchema({ uniqueItems: true }, [...items, large(7)])).toMatchObject({ path: [] });
  });

  test("are compared beside others that are not, and lists of three thousand words are", async () => {
    const words = Array.from({ length: 2999 }, (_, index) => String(index));
    const schema: JsonSchema = { additionalProperties: { uniqueItems: true } };
    const value = { few: [large(1), large(2)], words };

    expect(await checkSchema(schema, value)).toBeUndefined();
    expect(await checkSchema(schema, { ...value, words: [...words, "7"] })).toMatchObject({ path: ["words"] });
    expect(await checkSchema(schema, { ...value, few: [large(1), large(1)] })).toMatchObject({ path: ["few"] });
  });

  test("and have to be compared again and again make the schema one that takes too long", async () => {
    const items = Array.from({ length: 2000 }, (_, index) => index);
    const schema: JsonSchema = { allOf: Array.from({ length: 10_000 }, () => ({ uniqueItems: true })) };

    await expect((async () => await checkSchema(schema, items))()).rejects.toThrow("takes too long");
  });
});

test.each([
  ["one word without end", "x".repeat(1_000_000)],
  ["a word of some thousand characters", "weather".repeat(5000)],
  ["words without end", Array.from({ length: 50_000 }, (_, index) => `weather${String(index)}`).join(" ")],
])("a search for %s is answered", async (_, query) => {
  const registry = new ToolRegistry();
  for (let index = 0; index < 500; index += 1) {
    const tool = { name: `weather_${String(index)}`, description: "", tags: [], callables: [], hints: {}, timeout: 1 };
    registry.register({ tool, call: () => Promise.resolve(null) });
  }

  await expect(registry.search(query)).resolves.toHaveProperty("hits");
});
