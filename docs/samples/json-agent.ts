import { z } from "zod";

import { functionTool, memoryStorage, openaiModel, ReactAgent, Session } from "vitrine";

const stock = functionTool({
  name: "stock",
  description: "How many of an item there are.",
  input: z.object({ item: z.string() }),
  hints: { readOnly: true },
  run: ({ item }) => ({ item, count: 7 }),
});

export async function lamps(baseURL: string, apiKey: string): Promise<string> {
  const session = await Session.open({ storage: memoryStorage(), tools: [stock] });
  const agent = new ReactAgent({
    session,
    model: openaiModel({ baseURL, apiKey, model: "gpt-5.2" }),
    toolCallingMode: "native",
    budget: { toolCalls: 20 },
  });
  const { output, usage } = await agent.run("How many lamps are there?").result;
  await session.close();
  return `${output} (${String(usage.toolCalls)} call)`;
}
