import { z } from "zod";

import { exactly, markdownFile, markdownTable } from "../../checks.js";
import { groupBy } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import text from "./ships.json?raw";

const ships = z
  .array(z.object({ name: z.string(), flag: z.string(), built: z.number(), tonnage: z.number(), crew: z.number() }))
  .parse(JSON.parse(text));
const flags = [...groupBy(ships, ({ flag }) => flag)].sort(([a], [b]) => (a < b ? -1 : 1));
const rows = [
  ["flag", "ships", "tonnage", "mean age"],
  ...flags.map(([flag, own]) => [
    flag,
    own.length,
    own.reduce((sum, { tonnage }) => sum + tonnage, 0),
    (own.reduce((sum, { built }) => sum + 2026 - built, 0) / own.length).toFixed(1),
  ]),
];
const least = ships.reduce((a, b) => (b.crew / b.tonnage < a.crew / a.tonnage ? b : a)).name;
const report = (table: typeof rows): string => `# Fleet 2026\n\n${markdownTable(table)}\n`;

export const shipReport: EvalTask = {
  name: "ship-report",
  level: 2,
  prompt:
    "/workspace/ships.json lists ships. Report on them by flag. Which ship has the smallest crew for its tonnage?",
  files: { "ships.json": text },
  answer: { format: "text", description: "the name of that ship", is: exactly(least) },
  artifacts: {
    "fleet.md": {
      mime: "text/markdown",
      description:
        "the heading '# Fleet 2026' and a table with the columns flag, ships, tonnage, mean age: a line for each flag by " +
        "alphabet, tonnage in total, mean age in 2026 in years with one decimal",
      is: markdownFile(rows, "Fleet 2026"),
    },
  },
  correct: { answer: least, artifacts: { "fleet.md": report(rows) } },
  wrong: [
    wrongAnswer("the smallest crew, whatever the tonnage", "Borealis"),
    wrongArtifact(
      "mean year instead of mean age",
      "fleet.md",
      report(rows.map((row) => (row[0] === "NO" ? [...row.slice(0, 3), "2004.5"] : row))),
    ),
    wrongArtifact(
      "another heading that only contains it",
      "fleet.md",
      report(rows).replace("# Fleet 2026", "### Fleet 2026 and other stories"),
    ),
    wrongArtifact("the heading in a block of code", "fleet.md", report(rows).replace("# Fleet 2026", "```\n$&\n```")),
    wrongArtifact(
      "a table that is cut in two",
      "fleet.md",
      report(rows).replace(/\n(\| NO .*)/, "\n\nThe others:\n\n$1"),
    ),
    wrongArtifact("a rule that is too short for the table", "fleet.md", report(rows).replace(/\| ---.*/, "| --- |")),
    wrongArtifact("the heading left out", "fleet.md", markdownTable(rows)),
  ],
};
