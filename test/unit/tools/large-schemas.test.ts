import { expect, test, vi } from "vitest";

import { checkSchema, type JsonSchema } from "../../../src/tools/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { callAdapter } from "../../lone-calls/lone-call.js";
import { countTurns } from "../count-turns.js";

/** An object with so many schemas in it. */
const schemaOf = (count: number): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`p${String(index)}`, { type: "integer", minimum: index }]),
  ),
});

test("a large schema is made ready in slices, between which the page goes on, and holds like any other", async () => {
  await checkSchema({}, 1);
  const endOfCount = countTurns();
  const schema = schemaOf(3000);

  const found = await checkSchema(schema, { p5: 5, p2000: 1999 });
  const turns = endOfCount();

  expect(found).toMatchObject({ path: ["p2000"] });
  expect(turns).toBeGreaterThan(3000);
  // It is made ready once.
  expect(checkSchema(schema, { p5: 4 })).toMatchObject({ path: ["p5"] });
});

test("a schema with more than 10,000 schemas in it is refused, with the limit, and the call is not made", async () => {
  const run = vi.fn(() => null);
  const tool = functionTool({ name: "wide", description: "", input: schemaOf(10_001), run });

  await expect(callAdapter(tool, { callable: "wide", args: { p1: 1 } })).rejects.toMatchObject({
    code: "TOOL_SCHEMA",
    message: expect.stringContaining("it has more than 10,000 schemas in it") as string,
  });
  expect(run).not.toHaveBeenCalled();

  const most = functionTool({ name: "wide", description: "", input: schemaOf(10_000), run });
  await callAdapter(most, { callable: "wide", args: { p1: 1 } });
  expect(run).toHaveBeenCalledOnce();
});
