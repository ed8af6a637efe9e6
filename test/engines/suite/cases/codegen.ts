import { z } from "zod";

import { codegenTool, functionTool, type CodegenEvent, type CodegenResult } from "../../../../src/index.js";
import { dictated } from "../dictated.js";
import { differ, type PageCase } from "../engine-case.js";

/** A reply in the form that models are asked for. */
const program = (...code: readonly string[]): string =>
  JSON.stringify({
    files: [{ path: "main.py", content: code.join("\n") }],
    entrypoint: "python main.py",
    outputs: [],
    notes: "",
  });

const contract = {
  summary: { type: "inline", format: "markdown", description: "What was found." },
  table: { type: "file", filename: "table.csv", mime: "text/csv", description: "The rows." },
};

const handsIn = [
  'await set_progress(artifact={"name": "summary", "type": "inline", "format": "markdown", "value": f"# {worth} euro [[S:1]]"})',
  'await set_progress(artifact={"table": {"type": "file", "path": "table.csv", "mime": "text/csv", "text": "a and b"}})',
  "await done()",
];

/** A program by contract, in an interpreter of its own, with everything it claims looked at by the page. */
export const codegenCases: readonly PageCase[] = [
  {
    id: "codegen-1",
    title:
      "a program is written by contract, run sealed, mended once where its file is none, and its items are verified",
    needs: ["sync_calls"],
    inChromium: "codegen",
    run: async (_open, shared) => {
      const session = await shared();
      const results: CodegenResult[] = [];
      const events: CodegenEvent[] = [];
      session.tools.register(
        functionTool({
          name: "rates",
          description: "What one unit of a currency is worth in euro.",
          input: z.object({ currency: z.string() }),
          run: () => 0.5,
        }),
      );
      session.tools.register(
        codegenTool({
          session,
          name: "write_program",
          model: dictated(
            // A field that never ends.
            program(
              "worth = tools.rates(currency='USD')",
              `OUT.joinpath("table.csv").write_text('a,b\\n1,"x\\n')`,
              ...handsIn,
            ),
            program(
              "worth = tools.rates(currency='USD')",
              `OUT.joinpath("table.csv").write_text('a,b\\n1,2\\n')`,
              ...handsIn,
            ),
          ),
          onResult: (result) => results.push(result),
          onEvent: (event) => events.push(event),
        }),
      );
      const { value, error } = await session.run(
        `made = tools.write_program(
    instruction="Sum up.", output_contract=${JSON.stringify(contract)},
    sources_list=[{"sid": 1, "url": "https://one.example/", "text": "A dollar."}],
)
[made["ok"], [item["artifact_id"] for item in made["items"]], "worth" in globals()]`,
      );
      const [result] = results;
      const file = result?.items.find(({ artifactId }) => artifactId === "table")?.output;
      const written = file?.kind === "file" ? await session.workspace.read(file.workspacePath) : undefined;
      const kinds = new Set(events.map(({ type }) => type));
      return [
        ...differ("the error", error?.message, undefined),
        ...differ("the value", value, [true, ["summary", "table"], false]),
        ...differ("how it went", [result?.ok, result?.attempts], [true, 2]),
        ...differ(
          "the items",
          result?.items.map(({ status, sourcesUsed }) => [status, sourcesUsed]),
          [
            ["success", [1]],
            ["success", []],
          ],
        ),
        ...differ("the text", result?.items[0]?.output?.text, "# 0.5 euro [[S:1]]"),
        ...differ("the file", new TextDecoder().decode(written), "a,b\n1,2\n"),
        ...differ("the calls of both programs", result?.calls.length, 2),
        ...["program-text", "repair", "artifact", "call", "item"]
          .filter((type) => ![...kinds].some((kind) => kind.startsWith(type)))
          .map((type) => `no event is a ${type}; they are ${[...kinds].join(", ")}`),
      ];
    },
  },
];
