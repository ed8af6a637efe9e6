import { parseArgs } from "node:util";

/** What `npm run bench -- …` was asked. */
export interface BenchOptions {
  /** The file for the list of results. */
  readonly json: string | undefined;
  /** Only comparisons whose name contains this text, without regard to case. */
  readonly only: string;
  /** Fewer and shorter samples, to see that everything runs. */
  readonly quick: boolean;
  /** Puts the figures into docs/performance.md. */
  readonly writeDocs: boolean;
  readonly help: boolean;
}

export const USAGE = `npm run bench -- [options]
  --json FILE    write the results as a list of {name, browser, subject, baseline, unit, ratio, low, high, goal}
  --only NAME    only comparisons whose name contains NAME ("breakdown" for where the time of a call goes)
  --quick        fewer and shorter samples
  --write-docs   put the figures into docs/performance.md`;

/** @throws {TypeError} naming the option that is not known, or does not go with another. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: "string" },
      only: { type: "string", default: "" },
      quick: { type: "boolean", default: false },
      "write-docs": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { json, only, quick, help } = values;
  if (values["write-docs"] && only !== "") throw new TypeError("--write-docs wants the whole run: leave --only out.");
  return { json, only: only.toLowerCase(), quick, writeDocs: values["write-docs"], help };
}
