import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ensureChromium, ensureFirefox, ensureWebKit } from "../.ci/browser.mjs";
import { EngineMissingError, type EngineName } from "../test/engines/drivers/index.js";
import { Bench, type BenchReport } from "./bench.js";
import { buildPages, root } from "./build-pages.js";
import { quick, thorough, type Outcome } from "./comparison.js";
import { writeSections } from "./docs.js";
import { describeMachine, machineLine, type Machine } from "./machine.js";
import { BREAKDOWN, parseOptions, USAGE, type BenchOptions } from "./options.js";
import { HEADINGS, jsonResults, markdownTable, rowOf, textTable } from "./report.js";

const DOCUMENT = join(root, "docs/performance.md");

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
  const machine = describeMachine();
  const say = (line: string): void => {
    console.error(line);
  };
  say("Building the pages.");
  const pages = await buildPages("bench");
  const reports: BenchReport[] = [];
  for (const engine of options.engines) {
    const report = await runEngine(engine, { options, pages, say });
    if (report === null) continue;
    reports.push(report);
    console.log(`\n${machineLine(report.version, machine)}\n`);
    console.log(textTable([HEADINGS, ...outcomesOf(report).map(rowOf)]));
    for (const table of report.breakdowns.values()) console.log(`\n${table}`);
    // After each engine, because the next may take long.
    if (options.json !== undefined) {
      const results = reports.flatMap((each) => jsonResults(outcomesOf(each), each.version));
      await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
    }
    if (options.writeDocs) await writeSections(DOCUMENT, sectionsOf(report, { machine, options }));
  }
  const isMissing = options.areEnginesNamed && reports.length < options.engines.length;
  return isMissing || reports.every((each) => outcomesOf(each).length + each.breakdowns.size === 0) ? 1 : 0;
}

interface RunParts {
  readonly options: BenchOptions;
  readonly pages: string;
  readonly say: (line: string) => void;
}

/** Null, after saying why, where the engine cannot be had. */
async function runEngine(engine: EngineName, { options, pages, say }: RunParts): Promise<BenchReport | null> {
  const profileFolder = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
  try {
    if (engine === "chromium") await ensureChromium(say);
    else if (options.areEnginesNamed) (engine === "firefox" ? ensureFirefox : ensureWebKit)(say);
    say(`\n${engine}`);
    const { quick: isQuick, only, parts } = options;
    const effort = isQuick ? quick : thorough;
    return await new Bench({ engine, pages, effort, only, parts, profileFolder, say }).run();
  } catch (error) {
    if (!(error instanceof EngineMissingError)) throw error;
    say(`Skipped ${error.message}`);
    return null;
  } finally {
    await rm(profileFolder, { recursive: true, force: true });
  }
}

function outcomesOf({ outcomes }: BenchReport): Outcome[] {
  return [...outcomes.values()].flat();
}

/** What goes into the document, by the name of its place there. */
function sectionsOf(
  { engine, version, outcomes, breakdowns }: BenchReport,
  { machine, options }: { machine: Machine; options: BenchOptions },
): Map<string, string> {
  const date = new Date().toISOString().slice(0, 10);
  const how = options.quick ? "a quick run, for orientation only" : "one run";
  const figures = Array.from(outcomes).flatMap(([part, rows]): [string, string][] => [
    [`${part} machine ${engine}`, `${date}, ${how}: ${machineLine(version, machine)}.`],
    [`${part} ${engine}`, markdownTable(HEADINGS, rows.map(rowOf))],
  ]);
  const tables = Array.from(breakdowns, ([name, table]): [string, string] => [`${name} ${engine}`, table]);
  return new Map(options.only === BREAKDOWN ? tables : [...figures, ...tables]);
}
