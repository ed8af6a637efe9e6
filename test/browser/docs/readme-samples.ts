// #region session
import { z } from "zod";

import { functionTool, indexedDBStorage, Session } from "../../../src/index.js";

const weather = functionTool({
  name: "weather",
  description: "Current weather of a city.",
  input: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, celsius: 7 }),
});

export async function quickStart(): Promise<unknown> {
  const session = await Session.open({ storage: indexedDBStorage("readme"), tools: [weather] });
  const result = await session.run(`tools.weather(city="Oslo")["celsius"] * 9 / 5 + 32`);
  console.log(result.value, result.calls.length); // 44.6 1
  // #endregion
  await session.close();
  return result.value;
}

// #region agent
import { CodeAgent, memoryStorage, openaiModel } from "../../../src/index.js";

export async function ask(baseURL: string, apiKey: string): Promise<string | undefined> {
  const session = await Session.open({ storage: memoryStorage(), tools: [weather] });
  const agent = new CodeAgent({ session, model: openaiModel({ baseURL, apiKey, model: "gpt-5.2" }) });
  const run = agent.run("How warm is it in Oslo, in Fahrenheit?");
  for await (const event of run) {
    if (event.type === "code") console.log(event.code);
  }
  return (await run.result).answer?.text;
}
// #endregion
