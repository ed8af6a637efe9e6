import { expect, test } from "vitest";

import { openApiTools, type OpenApiProgress } from "../../../src/index.js";

/** So long that a worker parses it. */
function yaml(operations: number, more = ""): string {
  const paths = Array.from(
    { length: operations },
    (_, index) => `  /books/${String(index)}:\n    get: { operationId: book_${String(index)}, summary: A book }\n`,
  );
  return `openapi: 3.1.0\nservers: [{ url: https://h.test }]\npaths:\n${paths.join("")}${more}`;
}

test("a large YAML document is parsed in a worker, which tells the lines of problems, and the page how far it has come", async () => {
  const heard: OpenApiProgress[] = [];
  const text = yaml(2000, "  /bad:\n    trace: {}\n");

  const { adapter, problems } = await openApiTools(text, { name: "x", onProgress: (progress) => heard.push(progress) });

  expect(adapter.tool.callables).toHaveLength(2000);
  expect(problems).toMatchObject([{ field: "/paths/~1bad/trace", line: 4005 }]);
  expect(heard.map(({ phase }) => phase)).toEqual(
    heard
      .map(({ phase }) => phase)
      .toSorted()
      .toReversed(),
  );
  expect(heard[0]).toEqual({ phase: "reading", done: 0, total: text.length });
  expect(heard.at(-1)).toEqual({ phase: "making", done: 2001, total: 2001 });
});

test.each([
  { what: "aliases that repeat too much", more: `x-a: &a [1]\nx-b:\n${"  - *a\n".repeat(200)}`, reason: "too much" },
  { what: "aliases with no end", more: "x-a: &a [*a]\n", reason: "stands inside of what it refers to" },
  { what: "two keys alike", more: "openapi: 3.1.0\n", reason: "duplicated mapping key" },
  { what: "too many levels", more: `x-a: ${"[".repeat(1500)}${"]".repeat(1500)}\n`, reason: "500 levels" },
])("a large YAML document with $what is refused there, with its line", async ({ more, reason }) => {
  await expect(openApiTools(yaml(1000, more), { name: "x" })).rejects.toMatchObject({
    code: "OPENAPI_DOCUMENT",
    line: expect.any(Number) as number,
    message: expect.stringContaining(reason) as string,
  });
});

test("a large YAML document that is as deep as it may be comes over whole", async () => {
  const text = yaml(1000, `x-a: ${"[".repeat(498)}${"]".repeat(498)}\n`);

  expect((await openApiTools(text, { name: "x" })).adapter.tool.callables).toHaveLength(1000);
});
