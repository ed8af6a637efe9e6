import { writeFile } from "node:fs/promises";

import { ensureChromium } from "../.ci/browser.mjs";
import { buildPages } from "../bench/build-pages.js";
import { evaluate, type Measurement } from "./evaluate.js";
import { parseOptions, USAGE } from "./options.js";
import { idealTable, problemList, summaryTable, taskTable } from "./report.js";

/** @returns the exit code. Tasks that a model does not solve are results; a transcript that fails is a failure. */
export async function main(args: readonly string[]): Promise<number> {
  let options;
  try {
    options = parseOptions(args, process.env);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const say = (line: string): void => {
    console.error(line);
  };
  await ensureChromium(say);
  say("Building the page.");
  const page = await buildPages("eval");
  const measurements = await evaluate({
    ...options,
    page,
    onMeasured: (measurement) => {
      say(progressLine(measurement));
    },
  });
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(measurements, null, 2)}\n`);
  if (measurements.length === 0) {
    say("No transcript answers for these tasks and agents, and codegen mends no projects. Name a model (--help).");
    return 1;
  }
  const parts = [
    taskTable(measurements, options.agents),
    summaryTable(measurements, options.agents),
    idealTable(measurements, options.agents),
    problemList(measurements),
  ];
  console.log(parts.filter((part) => part !== "").join("\n\n"));
  const isScripted = options.model === null;
  if (isScripted)
    console.log(
      "\nscripted: people wrote the replies; Python, tools and checkers are real. It says nothing about a model.",
    );
  return isScripted && measurements.some(({ accepted }) => !accepted) ? 1 : 0;
}

function progressLine({ task, agent, accepted, elapsed }: Measurement): string {
  const time = elapsed === null ? "the page failed" : `${(elapsed / 1000).toFixed(1)} s`;
  return `${accepted ? "accepted" : "REJECTED"}  ${task}  ${agent}  ${time}`;
}
