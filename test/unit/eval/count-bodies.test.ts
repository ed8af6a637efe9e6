import { expect, test } from "vitest";

import { bodyTokens } from "../../../eval/count-bodies.js";

const messages = [{ role: "user", content: "What is the weather in Oslo?" }];
const schema = {
  type: "object",
  properties: {
    city: { type: "string", description: "The city whose weather is wanted, as it is spelt on the spot." },
  },
  required: ["city"],
};

test("the tools that a body offers are counted, and so is the schema of the reply that it asks for", async () => {
  const plain = await bodyTokens({ model: "m", messages });
  const offering = await bodyTokens({
    model: "m",
    messages,
    tools: [{ type: "function", function: { name: "weather", description: "", parameters: schema } }],
  });
  const bound = await bodyTokens({
    model: "m",
    messages,
    response_format: { type: "json_schema", json_schema: { name: "weather", schema, strict: true } },
  });
  const loose = await bodyTokens({ model: "m", messages, response_format: { type: "json_object" } });

  expect(offering).toBeGreaterThan(plain + 25);
  expect(bound).toBeGreaterThan(plain + 25);
  expect(Math.abs(bound - offering)).toBeLessThan(10);
  expect(loose).toBe(plain);
});
