import { expect, test } from "vitest";
import { z } from "zod";

import { callForUrl } from "../../../src/session/calls/call-for-url.js";
import { functionTool, loadToolFiles, ToolRegistry } from "../../../src/tools/index.js";

type Tools = Readonly<Record<string, readonly [description: string, parameters: string]>>;

/** Parameters are names, those that may be left out with a question mark. */
function registryOf(tools: Tools, ...files: string[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const [name, [description, parameters]] of Object.entries(tools)) {
    const fields = parameters.split(" ").map((parameter) => {
      const isOptional = parameter.endsWith("?");
      return [parameter.replace("?", ""), isOptional ? z.string().optional() : z.string()] as const;
    });
    const input = z.object(Object.fromEntries(fields));
    registry.register(functionTool({ name, description, input, run: () => null }));
  }
  const { adapters } = loadToolFiles(files.map((text) => ({ file: "tools/x.yaml", text })));
  for (const adapter of adapters) registry.register(adapter);
  return registry;
}

const curl = [
  "name: curl",
  "command: curl",
  "schema: {positional: [{name: url, required: true}], stdin: data}",
  "recipes: {post: {params: {url: {}, data: {required: true}}}, get: {params: {url: {}}}}",
].join("\n");

test.each<[string, Tools, string[], string | undefined]>([
  ["the recipe of curl that needs nothing else", { fetch: ["", "url"] }, [curl], "tools.curl.get(url=…)"],
  ["one by its usual name", { fetch: ["", "url timeout?"] }, [], "tools.fetch(url=…)"],
  ["one by its usual name that takes more", { curl: ["", "url method"] }, [], "tools.curl"],
  ["one by its description", { page: ["Downloads a web page", "url"] }, [], "tools.page(url=…)"],
  ["none that only takes an address", { shorten: ["A short name", "url"] }, [], undefined],
  ["none that needs more than the address", { mirror: ["Fetches a site", "url to"] }, [], undefined],
  ["none where there are none", {}, [], undefined],
])("finds %s", (_name, tools, files, expected) => {
  expect(callForUrl(registryOf(tools, ...files))).toBe(expected);
});
