import { z } from "zod";

import { CodeAgent, keepLastSteps, memoryStorage, openaiModel, Session } from "vitrine";

const session = await Session.open({ storage: memoryStorage() });

export async function may(baseURL: string, apiKey: string): Promise<string> {
  const agent = new CodeAgent({
    session,
    model: openaiModel({ baseURL, apiKey, model: "gpt-5.2" }),
    maxSteps: 12,
    budget: { tokens: 200_000, toolCalls: 100, time: 300_000 },
    limits: { timeout: 20_000, heapGrowth: 256 * 2 ** 20 },
    answer: z.object({ total: z.number(), currency: z.string() }),
    pruning: keepLastSteps(8),
    onQuestion: (question) => Promise.resolve(prompt(question) ?? ""),
  });
  const run = agent.run("What did we sell in May?");
  for await (const event of run) console.log(event.type, event.step);
  const { state, answer, usage, signals } = await run.result;
  console.log(state, answer?.verifiedBy, usage.modelCalls, signals.length);
  const next = agent.run("And in June?", { after: run });
  return (await next.result).output;
}
