import { codegenTool, DecisionLoop, indexedDBStorage, openContext, Session, type Model } from "vitrine";

export async function report(model: Model): Promise<string> {
  const storage = indexedDBStorage("talks");
  const session = await Session.open({ storage });
  const context = await openContext({ storage, id: "sales-talk" });
  // Programs see the context and cite its sources, and the model that writes them is told of the work so far.
  const { fetch: fetchContext, workSoFar, knownSources } = context;
  session.tools.register(codegenTool({ session, model, fetchContext, workSoFar, knownSources }));

  const loop = new DecisionLoop({ session, context, model, budget: { modelCalls: 20, time: 300_000 } });
  const run = await loop.run({
    prompt: "Sum up the sales of last year.",
    contract: {
      report: { type: "inline", format: "markdown", description: "Three sentences." },
      table: { type: "file", mime: "text/csv", filename_hint: "sales.csv", description: "Sales by month." },
    },
  });
  for await (const event of run) console.log(event.type); // rounds, decisions, violations, calls, artifacts, slots
  const { ok, exit, slots, error } = await run.result; // never rejects
  await session.close();
  return ok ? `${exit}: ${[...slots.keys()].join(", ")}` : String(error?.description);
}
