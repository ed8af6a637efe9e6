import { Codegen, type CodegenResult, type Model, type Session } from "vitrine";

export async function sumUp(session: Session, model: Model): Promise<CodegenResult> {
  const run = new Codegen({ session, model }).run({
    instruction: "Sum up the sales of /workspace/sales.csv in three sentences, and draw a table.",
    outputContract: {
      summary: { type: "inline", format: "markdown", description: "Three sentences." },
      table: { type: "file", filename: "table.csv", mime: "text/csv", description: "Sales by month." },
    },
  });
  for await (const event of run) console.log(event.type); // code while it is written, progress (the news alone), calls, items
  console.log(run.projectLog()); // the whole log so far, as Markdown
  return run.result; // never rejects: { ok, items, error, projectLog, … }
}
