import { expect, test } from "vitest";

import { CodexDirectory, functionTool, JoinedTools, ToolRegistry, type ToolAdapter } from "../../../src/tools/index.js";

const toolNamed = (name: string, tags: readonly string[] = []): ToolAdapter =>
  functionTool({ name, description: `Reads a ${name}.`, input: {}, tags, run: () => null });

function registryOf(...adapters: readonly ToolAdapter[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const adapter of adapters) registry.register(adapter);
  return registry;
}

const names = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);

test("tools behind a directory are those whose names are free there", () => {
  const registered = registryOf(toolNamed("a"), toolNamed("hidden"));
  const own = registered.inScope({ names: ["a"] });
  const joined = new JoinedTools({
    own,
    registered,
    more: registryOf(toolNamed("a"), toolNamed("hidden"), toolNamed("b")),
  });

  expect(names(joined.list())).toEqual(["a", "b"]);
  expect(joined.get("a")).toBe(own.get("a"));
  expect(joined.get("hidden")).toBeUndefined();
  expect(joined.prepare("b", null).tool.name).toBe("b");
  expect(() => joined.prepare("hidden", null)).toThrow("Tool 'hidden' not found");
});

test("a scope holds for both, and leaves names out of both", () => {
  const registered = registryOf(toolNamed("a", ["x"]), toolNamed("b"));
  const joined = new JoinedTools({
    own: registered,
    registered,
    more: registryOf(toolNamed("c", ["x"]), toolNamed("d")),
  });

  expect(names(joined.scopedView(["x"]).list())).toEqual(["a", "c"]);
  expect(names(joined.inScope({ names: ["b", "d"] }).list())).toEqual(["b", "d"]);
  expect(names(joined.inScope({ without: ["a", "c"] }).list())).toEqual(["b", "d"]);
});

test("a search finds those behind first, and pages through all of them", async () => {
  const registered = registryOf(...["a", "b", "c"].map((name) => toolNamed(name)));
  const joined = new JoinedTools({ own: registered, registered, more: registryOf(toolNamed("d"), toolNamed("e")) });
  const page = async (offset: number): Promise<[string[], number]> => {
    const { tools, more } = await joined.search("", { limit: 2, offset });
    return [names(tools), more];
  };

  expect([await page(0), await page(1), await page(2), await page(4)]).toEqual([
    [["d", "e"], 3],
    [["e", "a"], 2],
    [["a", "b"], 1],
    [["c"], 0],
  ]);
  expect(names((await joined.search("reads d")).tools)).toContain("d");
});

test("codex_tools has the tools on files in every scope, those of a session that lists them too", () => {
  const file = toolNamed("read_file");
  const registered = registryOf(toolNamed("a"), file);
  const codex = new CodexDirectory({ own: registered, registered, more: registryOf(file) });

  expect(names(codex.inScope({ names: ["a"] }).list())).toEqual(["a", "read_file"]);
  expect(names(codex.inScope({ without: ["read_file"] }).list())).toEqual(["a"]);
});
