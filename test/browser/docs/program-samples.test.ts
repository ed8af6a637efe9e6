import { expect, test } from "vitest";

import { openWithCodegen } from "../../../docs/samples/codegen-tools.js";
import { sumUp } from "../../../docs/samples/codegen.js";
import { report } from "../../../docs/samples/decision-loop.js";
import { RUN } from "../../timeouts.mjs";
import { memoryStorage, Session } from "../../../src/index.js";
import { files } from "../codegen/programs.js";
import { dictatedModel } from "./sample-model.js";

const decision = (action: string, strategy: string, more: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ action, strategy, focus_slot: "report", ...more });

const SUMMARY = `set_progress(artifact={"name": "summary", "type": "inline", "format": "markdown", "value": "One. Two. Three."})`;

test("a program makes the artifacts of its contract", async () => {
  const session = await Session.open({ storage: memoryStorage(), timeout: RUN });
  const program = `rows = open("/workspace/sales.csv").read()
open(OUTPUT_DIR + "/table.csv", "w").write(rows)
set_progress(artifact={"table": {"type": "file", "path": "table.csv"}})
${SUMMARY}
await done()`;
  await session.workspace.write("sales.csv", "month,amount\nMay,5\n");

  const result = await sumUp(session, dictatedModel(files(program)));

  expect(result).toMatchObject({ ok: true, error: null });
  expect(result.items.map(({ artifactId }) => artifactId).sort()).toEqual(["summary", "table"]);
  await session.close();
});

test("both tools of codegen are there for code", async () => {
  const session = await openWithCodegen(dictatedModel());

  const { value } = await session.run("[tool.name for tool in tools.list()]");
  // Other samples keep tools in the same storage.
  expect(value).toEqual(expect.arrayContaining(["codegen_python", "execute_code_python"]));
  await session.close();
});

test("a turn of a conversation fills its slots by a program", async () => {
  const contract = {
    report: { type: "inline", format: "markdown", description: "Three sentences." },
    table: { type: "file", filename: "sales.csv", mime: "text/csv", description: "Sales by month." },
  };
  const program = `open(OUTPUT_DIR + "/sales.csv", "w").write("month,amount\\nMay,5\\n")
set_progress(artifact={"table": {"type": "file", "path": "sales.csv"}})
set_progress(artifact={"name": "report", "type": "inline", "value": "One. Two. Three."})
await done()`;
  const slots = Object.keys(contract).map((name) => ({
    slot_name: name,
    source_path: `current_turn.artifacts.${name}`,
  }));
  const model = dictatedModel(
    decision("call_tool", "exploit", {
      tool_call: { tool_id: "codegen_python", params: { output_contract: contract, instruction: "Do it." } },
    }),
    files(program),
    decision("complete", "exit", { completion_summary: "It is done.", map_slots: slots }),
  );

  expect(await report(model)).toBe("complete: report, table");
});
