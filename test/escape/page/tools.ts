import { z } from "zod";

import {
  functionTool,
  type SessionOptions,
  type ToolAdapter,
  type TrustLevel,
  type Value,
} from "../../../src/index.js";
import { notePollution } from "./traps.js";

const files = Object.entries({
  "tools/public_file.yaml": httpFile("public_file", "./public", "{ path: '/{name}', params: { name: { in: path } } }"),
  "tools/site_page.yaml": httpFile("site_page", "/", "{ path: '/{path}', params: { path: { in: path } } }"),
  "tools/moved.yaml": httpFile("moved", "/", "{ path: /moved, params: { to: { in: query } } }"),
}).map(([file, text]) => ({ file, text }));

const echo = functionTool({
  name: "echo",
  description: "Returns what it gets.",
  input: z.object({ value: z.any() }),
  run: ({ value }) => value as Value,
});

/** What the code of an attempt may call: HTTP tools where the seal is tried, and what people write in a hurry elsewhere. */
export function toolsFor(trust: TrustLevel): Pick<SessionOptions, "tools" | "seeds"> {
  return trust === "sandboxed" ? { tools: [echo], seeds: files } : { tools: [carelessEcho, ...careless] };
}

/** Copies its arguments into an object of its own, and what is in them, too, as many a helper does. */
const carelessEcho = functionTool({
  name: "echo",
  description: "Returns what it gets.",
  input: { type: "object", additionalProperties: true },
  run: (input) => {
    const merged = merge({}, input);
    notePollution();
    return merged as Value;
  },
});

function merge(target: object, source: object): object {
  for (const key of Object.keys(source)) {
    const value: unknown = Reflect.get(source, key);
    if (typeof value !== "object" || value === null) Reflect.set(target, key, value);
    else Reflect.set(target, key, merge(Object(Reflect.get(target, key) ?? {}) as object, value));
  }
  return target;
}

const careless: readonly ToolAdapter[] = [
  carelessTool("public_file", "name", (name) => `public/${name}`),
  carelessTool("site_page", "path", (path) => (path.startsWith("http") ? path : `/${path}`)),
  carelessTool("moved", "to", (to) => `/moved?to=${encodeURIComponent(to)}`),
];

function carelessTool(name: string, parameter: string, address: (argument: string) => string): ToolAdapter {
  return functionTool({
    name,
    description: "Asks the site, at an address made of its argument.",
    input: z.object({ [parameter]: z.string() }),
    run: async (input) => (await fetch(address(String(input[parameter])))).text(),
  });
}

function httpFile(name: string, base: string, recipe: string): string {
  return `name: ${name}\ntype: http\nbase_url: ${base}\nrecipes:\n  ${name}: ${recipe}\n`;
}
