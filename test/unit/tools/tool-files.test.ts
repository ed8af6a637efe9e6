import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { pageCommands } from "../../../src/commands/index.js";
import {
  loadToolFiles,
  parseToolFile,
  ToolFileError,
  ToolRegistry,
  type ToolAdapter,
} from "../../../src/tools/index.js";
import { loneContext } from "../../lone-calls/lone-call.js";

const weather = `
name: weather
type: http
description: Weather of cities
base_url: https://weather.example/v1/
timeout: 5
tags: [demo, weather]
headers:
  Accept: application/json
recipes:
  now:
    description: Weather at this moment
    path: /cities/{city}/now
    preset: {units: metric, format: json}
    params:
      city: {description: Name of the city}
      units: {type: string, enum: [metric, imperial]}
      days: {type: integer, default: 3}
      key: {in: header, as: X-Key}
  report:
    method: post
    path: reports
    params:
      text: {type: string, required: true}
      dry: {type: boolean, in: query}
  forget:
    method: DELETE
    path: reports/{id}
`;

function adapterOf(text: string, file = "tools/x.yaml"): ToolAdapter {
  const { adapters, problems } = loadToolFiles([{ file, text }]);
  expect(problems).toEqual([]);
  return adapters[0]!;
}

function failureOf(text: string): ToolFileError {
  try {
    parseToolFile({ file: "tools/x.yaml", text });
  } catch (error) {
    if (error instanceof ToolFileError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

test.each([
  [
    "an HTTP tool",
    "name: x\ntype: http\nbase_url: https://api.example.com:8443/v1\nrecipes: {get: {path: a}}\n",
    ["api.example.com:8443"],
  ],
  ["one of the page's own site", "name: x\ntype: http\nbase_url: ./data\nrecipes: {get: {path: a}}\n", undefined],
  ["an MCP server", "name: x\ntype: mcp\nurl: https://mcp.example.com/${KEY}\n", ["mcp.example.com"]],
  ["an MCP server whose host is a secret", "name: x\ntype: mcp\nurl: https://${HOST}/mcp\n", undefined],
])("%s names the hosts of its calls where they are known", (_name, text, hosts) => {
  expect(adapterOf(text).tool.hosts).toEqual(hosts);
});

describe("an HTTP tool file", () => {
  test("becomes one tool with a callable for each recipe", () => {
    const { tool } = adapterOf(weather);

    expect(tool).toMatchObject({
      name: "weather",
      description: "Weather of cities",
      tags: ["demo", "weather"],
      timeout: 5000,
    });
    expect(tool.callables.map(({ name, description }) => [name, description])).toEqual([
      ["now", "Weather at this moment"],
      ["report", ""],
      ["forget", ""],
    ]);
  });

  test("requires path parameters, makes presets the default, and keeps the declared types", () => {
    const [now] = adapterOf(weather).tool.callables;

    expect(now!.parameters).toEqual([
      { name: "city", type: "str", required: true, description: "Name of the city" },
      {
        name: "units",
        type: "string",
        required: false,
        default: "metric",
        description: "",
        schema: { type: "string", enum: ["metric", "imperial"] },
      },
      { name: "days", type: "integer", required: false, default: 3, description: "", schema: { type: "integer" } },
      { name: "key", type: "str", required: false, description: "" },
    ]);
  });

  test("takes hints from the method, and from the file where it says more", () => {
    const file = weather.replace("path: reports\n", "path: reports\n    hints: {read_only: true}\n");
    const registry = new ToolRegistry();
    registry.register(adapterOf(file));

    expect(registry.prepare("weather", "now").hints).toEqual({ readOnly: true, idempotent: true });
    expect(registry.prepare("weather", "report").hints).toEqual({ readOnly: true });
    expect(registry.prepare("weather", "forget").hints).toEqual({ destructive: true, idempotent: true });
  });

  test.each([
    ["a path that climbs", "path: ../x", "recipes.get.path", "it must stay below `base_url`"],
    ["a path that is a URL", "path: https://evil.example/", "recipes.get.path", "not a URL"],
    ["an unfinished placeholder", 'path: "/a/{id"', "recipes.get.path", "a { without its }"],
    ["a query in the path", "path: /a?x=1", "recipes.get.path", "`params` or `preset`"],
    ["an unknown method", "method: FETCH", "recipes.get.method", "invalid option"],
    ["an unknown field", "params: {a: {typ: string}}", "recipes.get.params.a.typ", "there is no such field"],
    ["an unknown type", "params: {a: {type: strin}}", "recipes.get.params.a.type", "invalid option"],
    ["a path parameter without a place", "params: {a: {in: path}}", "recipes.get.params.a", "the path has no {a}"],
    ["a body of a GET", "params: {a: {in: body}}", "recipes.get.method", "a GET request has no body"],
    [
      "a default of another type",
      "params: {a: {type: integer, default: x}}",
      "recipes.get.params.a.default",
      "an integer",
    ],
    ["a header that browsers refuse", "headers: {Cookie: a}", "recipes.get.headers.Cookie", "does not let a page send"],
    [
      "a parameter that browsers refuse",
      "params: {Host: {in: header}}",
      "recipes.get.params.Host",
      "does not let a page send",
    ],
  ])("refuses %s and says where", (name, line, field, reason) => {
    const error = failureOf(`name: x\ntype: http\nbase_url: https://a.example\nrecipes:\n  get:\n    ${line}\n`);

    expect(error).toMatchObject({ code: "TOOL_FILE", file: "tools/x.yaml", field });
    expect(error.message).toContain(reason);
    // A field that is not there is looked for where it would be.
    expect(error.line).toBe(name === "a body of a GET" ? 5 : 6);
  });

  test.each([
    ["ftp://a.example", "cannot be fetched"],
    ["javascript:alert(1)", "cannot be fetched"],
    ["//a.example/x", "a whole URL"],
    ["https://user:secret@a.example", "user name"],
    ["https://a.example?key=1", "`preset`"],
    ["https://", "not a URL"],
  ])("refuses the base URL %s", (url, reason) => {
    const error = failureOf(`name: x\ntype: http\nbase_url: "${url}"\nrecipes: {get: {}}\n`);

    expect(error).toMatchObject({ line: 3, field: "base_url" });
    expect(error.message).toContain(reason);
  });
});

describe("a CLI tool file of py-code-mode", () => {
  const args = `
name: args
description: Prints its arguments
command: print-args
timeout: 1
tags: [util]
schema:
  options:
    verbose: {type: boolean, short: v}
    count: {type: integer, short: n, description: How often}
    noType: {}
  positional:
    - {name: src, type: string, required: true, description: Source}
    - {name: dst}
recipes:
  basic:
    preset: {verbose: yes}
  some:
    description: A part
    preset: {count: 3}
    params:
      src: {}
      count: {}
      format: {type: string, default: xml}
`;

  test("lists its recipes, with the schema where a recipe says nothing", () => {
    const { tool } = adapterOf(args);

    expect(tool).toMatchObject({ name: "args", description: "Prints its arguments", tags: ["util"], timeout: 1000 });
    expect(tool.callables[0]).toMatchObject({ name: "basic", description: "" });
    expect(tool.callables[0]!.parameters.map(({ name, type, required }) => [name, type, required])).toEqual([
      ["src", "string", true],
      ["dst", "str", false],
      ["verbose", "boolean", false],
      ["count", "integer", false],
      ["noType", "str", false],
    ]);
    expect(tool.callables[1]).toEqual({
      name: "some",
      description: "A part",
      hints: {},
      parameters: [
        { name: "src", type: "string", required: true, description: "Source", schema: { type: "string" } },
        {
          name: "count",
          type: "integer",
          required: false,
          default: 3,
          description: "How often",
          schema: { type: "integer" },
        },
      ],
    });
  });

  test("reads YAML as PyYAML does: `yes` is a boolean, and `n` is none", () => {
    const file = parseToolFile({ file: "tools/args.yaml", text: args });

    const verbose = file.kind === "cli" && file.recipes[0]!.accepted.find(({ name }) => name === "verbose");
    expect(verbose).toMatchObject({ default: true, required: false });
    expect(file).toMatchObject({ options: [{ flag: "-v" }, { flag: "-n" }, { flag: "--noType" }] });
  });

  test("has the documented defaults", () => {
    const file = parseToolFile({ file: "a.yaml", text: "name: ls\nrecipes:\n  all:\n" });

    expect(file).toMatchObject({ kind: "cli", name: "ls", command: "ls", description: "", timeout: 60_000, tags: [] });
  });

  test("says when called that there is no such command, and which there are", async () => {
    const commands = pageCommands({ cat: () => "", ls: () => "" });
    const { adapters } = loadToolFiles([{ file: "tools/args.yaml", text: args }], { commands });
    const registry = new ToolRegistry();
    registry.register(adapters[0]!);

    const call = registry.prepare("args", "basic").invoke({ src: "a" }, loneContext());

    await expect(call).rejects.toMatchObject({
      code: "TOOL_CALL",
      message: "Tool 'args' failed: There is no command 'print-args' on this page. There are: cat, ls.",
      cause: { code: "COMMAND_NOT_FOUND" },
    });
  });

  test("holds an empty text for a default, and `items` for a type in either form", () => {
    const file = parseToolFile({
      file: "tools/x.yaml",
      text: "name: x\nschema: {options: {a: {default: b}, c: {type: array, items: {type: integer}}}}\nrecipes: {x: {params: {a: {default: ''}}}}\n",
    });

    expect(file).toMatchObject({
      options: [{}, { parameter: { schema: { items: { type: "integer" } } } }],
      recipes: [{ parameters: [{ name: "a", default: "" }] }],
    });
  });

  test("does not list what its command line has no place for", () => {
    const { tool } = adapterOf(
      "name: jq\nschema: {positional: [{name: filter}]}\nrecipes:\n  query: {params: {filter: {}, input: {}}}\n",
    );

    expect(tool.callables[0]!.parameters.map(({ name }) => name)).toEqual(["filter"]);
  });

  test.each([
    ["a name declared twice", "schema: {options: {a: {}}, positional: [{name: a}]}", "schema", "two parameters 'a'"],
    ["a flag without a dash", "schema: {options: {a: {flag: max}}}", "schema.options.a.flag", "begin with - or +"],
    ["no choices", "schema: {options: {a: {choices: []}}}", "schema.options.a.choices", ""],
    ["a variable that is none", "env: {'A B': 1}", "env.A B", ""],
    ["standard input without a name", "schema: {stdin: {type: string}}", "schema.stdin", ""],
    ["a limit of no time", "timeout: 0", "timeout", ""],
  ])("is refused with its field: %s", (_what, line, field, reason) => {
    const failure = failureOf(`name: x\n${line}\nrecipes: {x: {}}\n`);

    expect(failure).toMatchObject({ field, line: 2, reason: expect.stringContaining(reason) });
  });
});

describe("an MCP tool file of py-code-mode", () => {
  const stdio = "name: my-web\ntype: mcp\ntransport: stdio\ncommand: uvx\nargs: [server]\nenv: {KEY: ${KEY}}\n";

  test("is listed without callables, and any of its callables says that it cannot be reached", async () => {
    const registry = new ToolRegistry();
    registry.register(adapterOf(stdio.replace("${KEY}", '"${KEY}"')));

    const call = registry.prepare("my_web", "fetch");

    expect(registry.list()[0]).toMatchObject({ name: "my-web", callables: [], dynamic: true });
    expect(call.name).toBe("my-web.fetch");
    await expect(call.invoke({}, loneContext())).rejects.toMatchObject({
      code: "TOOL_UNAVAILABLE",
      toolName: "my-web",
    });
  });

  test.each([
    ["name: a\ntype: mcp\n", "command"],
    ["name: a\ntype: mcp\ntransport: sse\n", "url"],
    ["name: a\ntype: mcp\ntransport: pigeon\n", "transport"],
    ["name: a\ntype: mcp\nurl: ftp://h/x\n", "url"],
    ["name: a\ntype: mcp\nurl: //h/x\n", "url"],
    ["name: a\ntype: mcp\nurl: https://me:secret@h/x\n", "url"],
    ["name: a\ntype: mcp\nurl: 'https://h/${a b}'\n", "url"],
    ["name: a\ntype: mcp\nurl: https://h/\nheaders: {Cookie: a}\n", "headers.Cookie"],
    ["name: a\ntype: mcp\nurl: https://h/\nheaders: {X-Key: '${'}\n", "headers.X-Key"],
  ])("needs what its transport needs: %j", (text, field) => {
    expect(failureOf(text)).toMatchObject({ field });
  });
});

describe("a file of several tools, as py-code-mode has it", () => {
  const several = [
    "python_deps: []",
    "tools:",
    "  - name: ls",
    "    schema: { options: { all: { type: boolean, short: n } } }",
    "    recipes: { all: { preset: { all: yes } } }",
    "  - name: books",
    "    type: http",
    "    base_url: https://books.example",
    "    recipes: { find: {} }",
    "  - { name: near, type: mcp, url: https://near.example/mcp }",
    "mcp_servers:",
    "  - name: far",
    "    transport: sse",
    "    url: https://far.example/sse",
    "  - { name: local, command: uvx, args: [mcp-server-fetch] }",
  ].join("\n");

  test("is its tools, each as in a file of its own", () => {
    const { adapters, problems } = loadToolFiles([{ file: "tools.yaml", text: several }]);

    expect(problems).toEqual([]);
    expect(adapters.map(({ tool }) => tool.name)).toEqual(["ls", "books", "near", "far", "local"]);
    // YAML 1.1, as in a file of its own: `yes` is a boolean, and `n` is none.
    expect(adapters[0]!.tool.callables[0]!.parameters).toMatchObject([{ name: "all", default: true }]);
  });

  test("names file, line and field of each that cannot be used, and loads the others", () => {
    const text = [
      "tools:",
      "  - name: good",
      "    recipes: { x: {} }",
      "  - name: old",
      "    args: '{x}'",
      "  - just text",
      "  - name: good",
      "    recipes: { x: {} }",
      "mcp_servers:",
      "  - name: far",
      "    url: ftp://far.example",
      "  - command: uvx",
    ].join("\n");

    const { adapters, problems } = loadToolFiles([{ file: "tools/all.yaml", text }]);

    expect(adapters.map(({ tool }) => tool.name)).toEqual(["good"]);
    const file = "tools/all.yaml";
    expect(problems).toEqual([
      { file, line: 4, field: "tools.1.recipes", code: "TOOL_FILE", message: "it is missing" },
      { file, line: 6, field: "tools.2", code: "TOOL_FILE", message: expect.stringContaining("a mapping") },
      { file, code: "TOOL_NAME_TAKEN", message: expect.stringContaining("already registered") },
      { file, line: 11, field: "mcp_servers.0.url", code: "TOOL_FILE", message: expect.stringContaining("ftp:") },
      { file, line: 12, field: "mcp_servers.1.name", code: "TOOL_FILE", message: "it is missing" },
    ]);
  });

  test("says where its packages belong", () => {
    const text = "tools:\n  - { name: a, recipes: { x: {} } }\npython_deps: [pandas]\n";

    const { adapters, problems } = loadToolFiles([{ file: "tools.yaml", text }]);

    expect(adapters.map(({ tool }) => tool.name)).toEqual(["a"]);
    expect(problems).toEqual([
      {
        file: "tools.yaml",
        line: 3,
        field: "python_deps",
        code: "TOOL_FILE",
        message: expect.stringContaining("`deps` of Session.open"),
      },
    ]);
  });

  test("with something else than a list is a problem with its line", () => {
    const { problems } = loadToolFiles([{ file: "tools.yaml", text: "python_deps: []\ntools: { a: {} }\n" }]);

    expect(problems).toMatchObject([{ file: "tools.yaml", line: 2, field: "tools", message: "it has to be a list" }]);
  });

  test("is refused where one tool is wanted", () => {
    expect(failureOf(several)).toMatchObject({ reason: expect.stringContaining("`seeds` of Session.open") });
  });

  test("has no name: with one, the file is that tool", () => {
    expect(parseToolFile({ file: "a.yaml", text: "name: a\ntools: []\nrecipes: { x: {} }\n" }).name).toBe("a");
  });
});

describe("loading a folder", () => {
  test.each([
    ["tools.md", ["grep", "shell", "library", "web"]],
    ["http-tools.md", ["library", "library"]],
  ])("takes the files that docs/%s shows", (file, names) => {
    const document = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), "utf8");
    const samples = Array.from(document.matchAll(/```yaml\n(.*?)```/gs), ([, text = ""], index) => ({
      file: `tools/sample-${String(index)}.yaml`,
      text,
    }));

    const loaded = samples.map((sample) => loadToolFiles([sample]));

    expect(loaded.flatMap(({ problems }) => problems)).toEqual([]);
    expect(loaded.flatMap(({ adapters }) => adapters.map(({ tool }) => tool.name))).toEqual(names);
  });

  test("takes what can be read and lists the rest with file and line", () => {
    const { adapters, problems } = loadToolFiles([
      { file: "tools/a.yaml", text: "name: a\nrecipes:\n  x: {}\n" },
      { file: "tools/broken.yaml", text: "name: broken\nrecipes: {x: [}\n" },
      { file: "tools/empty.yaml", text: "" },
      { file: "tools/list.yaml", text: "- name: a\n" },
      { file: "tools/nameless.yaml", text: "description: d\nrecipes:\n  x: {}\n" },
      { file: "tools/old.yaml", text: "name: old\nargs: '{x}'\n" },
      { file: "tools/twice.yaml", text: "name: a\nrecipes:\n  x: {}\n" },
      { file: "tools/double.yaml", text: "name: d\nname: e\nrecipes:\n  x: {}\n" },
      { file: "tools/untyped.yaml", text: "name: u\nbase_url: https://a.example\nrecipes: {get: {}}\n" },
      { file: "tools/b.yaml", text: "name: b\nrecipes:\n  x: {}\n" },
    ]);

    expect(adapters.map(({ tool }) => tool.name)).toEqual(["a", "b"]);
    expect(problems).toEqual([
      { file: "tools/broken.yaml", line: 2, code: "TOOL_FILE", message: expect.stringContaining("not valid YAML") },
      { file: "tools/empty.yaml", code: "TOOL_FILE", message: expect.stringContaining("a mapping") },
      { file: "tools/list.yaml", line: 1, code: "TOOL_FILE", message: expect.stringContaining("a mapping") },
      { file: "tools/nameless.yaml", line: 1, field: "name", code: "TOOL_FILE", message: "it is missing" },
      { file: "tools/old.yaml", line: 1, field: "recipes", code: "TOOL_FILE", message: "it is missing" },
      { file: "tools/twice.yaml", code: "TOOL_NAME_TAKEN", message: expect.stringContaining("already registered") },
      { file: "tools/double.yaml", line: 2, code: "TOOL_FILE", message: expect.stringContaining("not valid YAML") },
      {
        file: "tools/untyped.yaml",
        line: 2,
        field: "base_url",
        code: "TOOL_FILE",
        message: expect.stringContaining("type: http"),
      },
    ]);
  });

  test("survives aliases that would fill the memory", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (let i = 1; i < 12; i += 1) {
      const before = String.fromCharCode(96 + i);
      const now = String.fromCharCode(97 + i);
      bomb.push(`${now}: &${now} [${Array(9).fill(`*${before}`).join(",")}]`);
    }

    const { problems } = loadToolFiles([{ file: "tools/bomb.yaml", text: bomb.join("\n") }]);

    expect(problems).toEqual([expect.objectContaining({ file: "tools/bomb.yaml", code: "TOOL_FILE" })]);
  });
});
