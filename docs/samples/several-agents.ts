import { agentTool, CodeAgent, memoryStorage, Session, type Model } from "vitrine";

export async function compare(large: Model, small: Model): Promise<string> {
  const session = await Session.open({ storage: memoryStorage() });
  session.tools.register(
    agentTool({
      name: "reader",
      description: "Reads one file of /workspace and answers a question about it, as text.",
      session,
      storage: "parent",
      agent: (child) => new CodeAgent({ session: child, model: small, maxSteps: 4, budget: { modelCalls: 6 } }),
      scope: { names: [] },
      spread: { depth: 1, open: 2 },
    }),
  );
  const run = new CodeAgent({ session, model: large, budget: { tokens: 400_000 } }).run("Which report is gloomier?");
  for await (const event of run) if (event.taskId !== run.taskId) console.log("below:", event.type);
  const { output } = await run.result;
  await session.close();
  return output;
}
