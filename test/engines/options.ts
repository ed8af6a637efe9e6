import { parseArgs } from "node:util";

import { engineNames, type EngineName } from "./drivers/index.js";

export const USAGE = `npm run test:engines -- [options]
  --engine NAME   only this engine (${engineNames.join(", ")}); may be repeated
  --only TEXT     only cases whose "variant: title (id)" contains the text; "demo" and "fault" name the other parts
  --report FILE   writes the tests as JSON, and the suites' own reports beside it
  --serve         builds the suite and serves it, for any browser to open by hand`;

export interface Options {
  readonly engines: readonly EngineName[];
  readonly only: string;
  readonly report: string | undefined;
  readonly serve: boolean;
}

/** @throws {Error} for what is no option. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: "string", multiple: true },
      only: { type: "string", default: "" },
      report: { type: "string" },
      serve: { type: "boolean", default: false },
    },
  });
  const { engine = [], only, report, serve } = values;
  return { engines: engine.length === 0 ? engineNames : engine.map(engineNamed), only, report, serve };
}

function engineNamed(text: string): EngineName {
  const found = engineNames.find((name) => name === text);
  if (found === undefined) throw new Error(`There is no engine "${text}".`);
  return found;
}
