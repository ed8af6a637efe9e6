import { expect, inject, test } from "vitest";

import { loadToolFiles, type ToolContext } from "../../../src/tools/index.js";

const server = inject("toolServer");
const context: ToolContext = {
  signal: new AbortController().signal,
  runSkill: () => Promise.reject(new Error("not here")),
  report: () => undefined,
  callTool: () => Promise.reject(new Error("no other tools here")),
};

function get(base: string): Promise<unknown> {
  const text = `name: x\ntype: http\nbase_url: ${base}\nrecipes: {get: {path: text}}\n`;
  return loadToolFiles([{ file: "tools/x.yaml", text }]).adapters[0]!.call("get", {}, context);
}

test("a cross-origin isolated page reads what CORS allows", async () => {
  expect(crossOriginIsolated).toBe(true);
  expect(await get(`${server}/open`)).toBe("grüße\n");
});

test("a cross-origin isolated page says that it cannot tell a host that is down from one that CORS closes", async () => {
  const expected = { name: "CorsError", message: expect.stringContaining("cannot be told apart on an isolated page") };

  await expect(get(`${server}/closed`)).rejects.toMatchObject(expected);
  await expect(get("http://127.0.0.1:1")).rejects.toMatchObject(expected);
});
