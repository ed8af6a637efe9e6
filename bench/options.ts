import { parseArgs } from "node:util";

import { engineNames, type EngineName } from "../test/engines/drivers/index.js";

/**
 * The interpreter: opening, calls, interrupts. Tools: imports, searches, checks. Agents: their loop, their transcripts.
 * Write-code: files that models write. Load: how long code that tries to keeps the page busy. Packages: opening with them, until
 * all are imported. Widget: a page of documentation with cells.
 */
export const benchParts = ["interpreter", "tools", "agents", "write-code", "load", "packages", "widget"] as const;
export type BenchPart = (typeof benchParts)[number];

/** What `npm run bench -- …` was asked. */
export interface BenchOptions {
  /** Those that were named; else all that the machine has. */
  readonly engines: readonly EngineName[];
  /** Whether they were named: one that is missing is then an error. */
  readonly areEnginesNamed: boolean;
  /** The file for the list of results. */
  readonly json: string | undefined;
  /** Only comparisons whose name contains this text, without regard to case. */
  readonly only: string;
  readonly parts: readonly BenchPart[];
  /** Fewer and shorter samples, to see that everything runs. */
  readonly quick: boolean;
  /** Puts the figures into docs/performance.md. */
  readonly writeDocs: boolean;
  readonly help: boolean;
}

/** What stands for the tables of moments and steps, and for nothing else, where comparisons are chosen by name. */
export const BREAKDOWN = "breakdown";

export const USAGE = `npm run bench -- [options]
  --engine NAME  ${engineNames.join(", ")} or all; may be repeated. Default: those that are installed
  --json FILE    write the results as a list of {name, browser, subject, baseline, unit, ratio, low, high, goal}
  --only NAME    only comparisons whose name contains NAME ("breakdown" for where the time goes)
  --part NAME    interpreter (opening, calls, interrupts), tools (imports, searches, checks), agents, write-code (files
                 that models write), load (what tries to keep the page busy), packages (opening with them, and
                 their import) or widget (a page with cells, and their runs). Default: all
  --quick        fewer and shorter samples
  --write-docs   put the figures into docs/performance.md, where those of engines that were not run stay`;

/** @throws {TypeError} naming the option that is not known, or does not go with another. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: "string", multiple: true, default: [] },
      json: { type: "string" },
      only: { type: "string", default: "" },
      part: { type: "string" },
      quick: { type: "boolean", default: false },
      "write-docs": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { engine, json, only, part, quick, help } = values;
  if (values["write-docs"] && only !== "" && only !== BREAKDOWN) {
    throw new TypeError(`--write-docs wants whole parts, or --only ${BREAKDOWN}.`);
  }
  return {
    engines: enginesNamed(engine),
    areEnginesNamed: engine.length > 0,
    json,
    only: only.toLowerCase(),
    parts: partsNamed(part),
    quick,
    writeDocs: values["write-docs"],
    help,
  };
}

function partsNamed(name: string | undefined): readonly BenchPart[] {
  if (name === undefined) return benchParts;
  const part = benchParts.find((known) => known === name);
  if (part === undefined) throw new TypeError(`There is no part "${name}": ${benchParts.join(", ")}.`);
  return [part];
}

function enginesNamed(names: readonly string[]): readonly EngineName[] {
  if (names.length === 0 || names.includes("all")) return engineNames;
  const unknown = names.find((name) => !engineNames.some((known) => known === name));
  if (unknown !== undefined) throw new TypeError(`There is no engine "${unknown}": ${engineNames.join(", ")} or all.`);
  return engineNames.filter((name) => names.includes(name));
}
