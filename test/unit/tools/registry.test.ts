import { describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, ToolRegistry, type ToolAdapter } from "../../../src/tools/index.js";

function tool(name: string, { description = "", tags = [] as string[], input = z.object({}) } = {}): ToolAdapter {
  return functionTool({ name, description, tags, input, run: () => name });
}

function registryOf(...adapters: ToolAdapter[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const adapter of adapters) registry.register(adapter);
  return registry;
}

function names(tools: readonly { readonly name: string }[]): string[] {
  return tools.map(({ name }) => name);
}

describe("registering", () => {
  test("a name can be taken once, and the first tool stays (T2, B28)", () => {
    const registry = registryOf(tool("echo", { description: "first" }));

    expect(() => registry.register(tool("echo", { description: "second" }))).toThrow(
      expect.objectContaining({
        name: "ValueError",
        code: "TOOL_NAME_TAKEN",
        message: expect.stringMatching(/^Duplicate tool name 'echo': Tool 'echo' already registered\./),
      }),
    );
    expect(registry.get("echo")?.description).toBe("first");
  });

  test.each([
    ["a bare function", function look() {}, "the function look"],
    ["an object without a tool", { name: "look" }, '{"name":"look"}'],
    ["nothing", undefined, "undefined"],
  ])("%s is no tool (T3)", (_, given, named) => {
    const registry = new ToolRegistry();

    // As plain JavaScript calls it, which no type holds back.
    const register = (...args: unknown[]): unknown => Reflect.apply(registry.register.bind(registry), undefined, args);
    expect(() => register(given)).toThrow(
      expect.objectContaining({
        name: "ValueError",
        code: "TOOL_INVALID",
        message: expect.stringMatching(/^Invalid tool: .* is no tool adapter\./),
      }),
    );
    expect(() => register(given)).toThrow(named);
    expect(registry.list()).toEqual([]);
  });

  test.each(["", "a/b", " a", "a\nb", "x".repeat(200)])("refuses the name %j", (name) => {
    expect(() => registryOf(tool(name))).toThrow(expect.objectContaining({ code: "TOOL_NAME" }));
  });

  test("tags given at registration come on top of the tool's own", () => {
    const registry = new ToolRegistry();

    registry.register(tool("a", { tags: ["x", "y"] }), { tags: ["y", "z"] });

    expect(registry.get("a")?.tags).toEqual(["x", "y", "z"]);
  });

  test("every change raises the version and is told", () => {
    const registry = new ToolRegistry();
    const versions: number[] = [];
    const stop = registry.onChange(() => versions.push(registry.version));

    registry.register(tool("a"));
    registry.remove("a");
    registry.remove("a");
    stop();
    registry.register(tool("a"));

    expect(versions).toEqual([1, 2]);
    expect(registry.version).toBe(3);
  });

  test.each([
    ["my-tool", "my_tool"],
    ["3d", "x3d"],
    ["_hidden", "x_hidden"],
    ["__class__", "x__class__"],
    ["import", "import_"],
    ["list", "list_"],
    ["größe", "größe"],
    ["a.b", "a_b"],
  ])("%s is reached from Python as %s", (name, alias) => {
    expect(registryOf(tool(name)).get(alias)?.name).toBe(name);
  });

  test("an exact name comes before an alias, and an alias frees up when its tool goes", () => {
    const registry = registryOf(tool("my-tool"), tool("my_tool"), tool("my.tool"));

    expect(registry.get("my_tool")?.name).toBe("my_tool");
    registry.remove("my_tool");
    expect(registry.get("my_tool")?.name).toBe("my-tool");
    registry.remove("my-tool");
    expect(registry.get("my_tool")?.name).toBe("my.tool");
  });
});

describe("names with a dot", () => {
  test.each([
    ["mail", "mail.send"],
    ["mail.send", "mail"],
    ["mail.send", "mail.send.now"],
    ["my-mail", "my_mail.send"],
    ["my_mail.send", "my-mail"],
  ])("beside the tool '%s' none can be called '%s', and the first stays as it was", (first, second) => {
    const registry = registryOf(tool(first));

    expect(() => registry.register(tool(second))).toThrow(
      expect.objectContaining({
        code: "TOOL_NAME",
        message: expect.stringContaining("reads as a callable of the tool"),
      }),
    );
    expect(names(registry.list())).toEqual([first]);

    registry.remove(first);
    registry.register(tool(second));
    expect(names(registry.list())).toEqual([second]);
  });

  test("are fine beside those that only begin alike", () => {
    const registry = registryOf(tool("mail"), tool("mailbox.send"), tool("mailbox.list"));

    expect(names(registry.list())).toEqual(["mail", "mailbox.send", "mailbox.list"]);
  });

  test("a tool that yields goes where one of the page's would read as its callable, and stays where that cannot come", () => {
    const registry = new ToolRegistry();
    registry.register(tool("mail"), { yields: true });
    registry.register(tool("post.send"));

    expect(() => registry.register(tool("post"), { yields: true })).toThrow("'post.send' reads as a callable");
    expect(() => registry.register(tool("mail./send"))).toThrow("slashes");
    expect(names(registry.list())).toEqual(["mail", "post.send"]);

    registry.register(tool("mail.send"));
    expect(names(registry.list())).toEqual(["post.send", "mail.send"]);
  });
});

describe("preparing a call", () => {
  test("an unknown tool is an error that lists five and counts the rest (B25)", () => {
    const registry = registryOf(...["a", "b", "c", "d", "e", "f", "g"].map((name) => tool(name)));

    expect(() => registry.prepare("nope", null)).toThrow(
      expect.objectContaining({
        name: "ToolNotFoundError",
        message: "Tool 'nope' not found. Available: a, b, c, d, e (and 2 more)",
      }),
    );
  });

  test("an unknown callable is an error that lists those there are", () => {
    const registry = registryOf(tool("echo"));

    expect(() => registry.prepare("echo", "nope")).toThrow(
      expect.objectContaining({ name: "AttributeError", message: "Unknown callable: echo.nope. Available: echo" }),
    );
  });

  test("the callable of the tool's own name answers for the tool", () => {
    const call = registryOf(tool("echo")).prepare("echo", null);

    expect(call.callable?.name).toBe("echo");
    expect(call.name).toBe("echo");
  });
});

describe("searching", () => {
  const registry = registryOf(
    tool("fetch-page", { description: "Reads an article as text", tags: ["web"] }),
    tool("article", { description: "One article" }),
    tool("articles", { description: "Lists articles" }),
    tool("weather", { description: "Forecast of a city", tags: ["util"], input: z.object({ town: z.string() }) }),
    tool("clock", { description: "Time of day", tags: ["util"] }),
  );

  test("finds the exact name first, then names that contain the text, then the rest", async () => {
    expect(names((await registry.search("article")).tools)).toEqual(["article", "articles", "fetch-page"]);
  });

  test.each([
    ["tags", "util", ["weather", "clock"]],
    ["descriptions", "forecast", ["weather"]],
    ["parameters", "town", ["weather"]],
    ["several words", "forecast for towns", ["weather"]],
    ["any case", "WEATHER", ["weather"]],
  ])("looks at %s", async (_, query, expected) => {
    expect(names((await registry.search(query)).tools)).toEqual(expected);
  });

  test("finds nothing where nothing fits", async () => {
    expect(await registry.search("zzz")).toEqual({ hits: [], tools: [], more: 0 });
  });

  test("an empty query pages through all tools in the order of registration and says how many are left", async () => {
    const many = registryOf(...Array.from({ length: 25 }, (_, index) => tool(`t${index}`)));

    const first = await many.search("");
    const last = await many.search("", { limit: 10, offset: 20 });

    expect(names(first.tools)).toEqual(Array.from({ length: 10 }, (_, index) => `t${index}`));
    expect(first.more).toBe(15);
    expect(names(last.tools)).toEqual(["t20", "t21", "t22", "t23", "t24"]);
    expect(last.more).toBe(0);
  });

  test("of a tool with many callables finds each by itself, the tool by its name, and says how many more there are", async () => {
    const big = registryOf({
      tool: {
        name: "shop",
        description: "Everything of a shop",
        tags: ["trade"],
        callables: Array.from({ length: 1000 }, (_, index) => ({
          name: index === 500 ? "orders/cancel-for-customer" : `list_things_${String(index)}`,
          description: index === 500 ? "Calls off what a customer has ordered" : "Lists some things",
          parameters: [],
        })),
        hints: {},
        timeout: 1000,
      },
      call: () => Promise.resolve(null),
    });

    const cancelled = await big.search("cancelling an order");
    const things = await big.search("things");
    const [itself] = (await big.search("shop")).hits;

    expect(cancelled.hits[0]?.callable?.name).toBe("orders/cancel-for-customer");
    expect(things.hits).toHaveLength(10);
    expect(things.more).toBe(989);
    expect(things.hits.every(({ callable }) => callable?.name.includes("things"))).toBe(true);
    expect(itself).toMatchObject({ tool: { name: "shop" }, callable: null });
  });

  test("two searches at once, and one while a tool is registered, see all that was there", async () => {
    const changing = registryOf(...Array.from({ length: 300 }, (_, index) => tool(`t${String(index)}`)));

    const first = changing.search("t299");
    const second = changing.search("t7");
    changing.register(tool("late"));
    const third = changing.search("late");

    expect(names((await first).tools)[0]).toBe("t299");
    expect(names((await second).tools)[0]).toBe("t7");
    expect(names((await third).tools)).toEqual(["late"]);
  });

  test("sees a tool as soon as it is registered, and no longer when it is removed", async () => {
    const changing = registryOf(tool("a"));

    expect(names((await changing.search("late")).tools)).toEqual([]);
    changing.register(tool("late"));
    expect(names((await changing.search("late")).tools)).toEqual(["late"]);
    changing.remove("late");
    expect(names((await changing.search("late")).tools)).toEqual([]);
  });
});

describe("a view through tags", () => {
  const registry = registryOf(
    tool("a", { tags: ["x"] }),
    tool("b", { tags: ["x", "y"] }),
    tool("c", { tags: ["y"] }),
    tool("d"),
  );

  test("lists, finds and calls only tools that share a tag (B30)", async () => {
    const view = registry.scopedView(["x"]);

    expect(names(view.list())).toEqual(["a", "b"]);
    expect(names((await view.search("")).tools)).toEqual(["a", "b"]);
    expect(view.get("c")).toBeUndefined();
    expect(view.prepare("a", null).name).toBe("a");
    expect(() => view.prepare("c", null)).toThrow(expect.objectContaining({ name: "ToolNotFoundError" }));
  });

  test("without tags shows nothing (B30)", () => {
    expect(registry.scopedView([]).list()).toEqual([]);
  });

  test("narrows further, and never widens", () => {
    expect(names(registry.scopedView(["x"]).scopedView(["y"]).list())).toEqual(["b"]);
  });

  test("does not tell the names of tools out of scope", () => {
    expect(() => registry.scopedView(["x"]).prepare("c", null)).toThrow("Tool 'c' not found. Available: a, b");
  });
});
