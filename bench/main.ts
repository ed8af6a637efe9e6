import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Bench } from "./bench.js";
import { thorough, quick } from "./comparison.js";
import { writeSections } from "./docs.js";
import { machineLine } from "./machine.js";
import { parseOptions, USAGE } from "./options.js";
import { HEADINGS, jsonResults, markdownTable, rowOf, textTable } from "./report.js";
import { root } from "./build-pages.js";

/** @returns the exit code. Missed goals are results, not failures. */
export async function main(args: readonly string[]): Promise<number> {
  let options;
  try {
    options = parseOptions(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
  try {
    const bench = new Bench({
      effort: options.quick ? quick : thorough,
      only: options.only,
      profileFolder: folder,
      say: (line) => {
        console.error(line);
      },
    });
    const { outcomes, machine, sections } = await bench.run();
    const rows = outcomes.map(rowOf);
    console.log(`\n${machineLine(machine)}\n`);
    console.log(textTable([HEADINGS, ...rows]));
    for (const section of sections.values()) console.log(`\n${section}`);
    if (options.json !== undefined) {
      await writeFile(options.json, `${JSON.stringify(jsonResults(outcomes, machine.browser), null, 2)}\n`);
    }
    if (options.writeDocs) {
      const result = markdownTable(HEADINGS, rows);
      const date = new Date().toISOString().slice(0, 10);
      const how = options.quick ? "a quick run, for orientation only" : "one run";
      const content = new Map([
        ["machine", `${date}, ${how}: ${machineLine(machine)}.`],
        ["results", result],
        ...sections,
      ]);
      await writeSections(join(root, "docs/performance.md"), content);
    }
    return outcomes.length === 0 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
