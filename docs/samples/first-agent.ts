import { CodeAgent, openaiModel, type Session } from "vitrine";

export async function ask(session: Session, baseURL: string, apiKey: string): Promise<string> {
  const agent = new CodeAgent({ session, model: openaiModel({ baseURL, apiKey, model: "gpt-5.2" }) });
  const run = agent.run("How warm is it in Oslo, in Fahrenheit?");
  for await (const event of run) {
    if (event.type === "code") console.log(event.code);
  }
  return (await run.result).output;
}
