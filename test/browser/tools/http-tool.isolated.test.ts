import { expect, inject, test } from "vitest";

import { callRecipe } from "../../lone-calls/recipe-call.js";

const server = inject("toolServer");

function get(base: string): Promise<unknown> {
  return callRecipe("{path: text}", {}, { base });
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
