import { parseArgs } from "node:util";

import { engineNames, type EngineName } from "./drivers/index.js";

export const USAGE = `npm run test:engines -- [options]
  --engine NAME   only this engine (${engineNames.join(", ")}); may be repeated
  --page NAME     only on this page ("plain", "isolated"), and neither in the demo nor on pages with cells or a policy
  --only TEXT     only cases whose "variant: title (id)" contains the text; "demo", "widget", "policy" and "fault" name the other parts
  --report FILE   writes the tests as JSON, and the suites' own reports beside it
  --serve         builds the suite and serves it, for any browser to open by hand`;

const pageNames = ["plain", "isolated"] as const;
export type PageName = (typeof pageNames)[number];

export interface Options {
  readonly engines: readonly EngineName[];
  readonly page: PageName | undefined;
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
      page: { type: "string" },
      only: { type: "string", default: "" },
      report: { type: "string" },
      serve: { type: "boolean", default: false },
    },
  });
  const { engine = [], page, only, report, serve } = values;
  return {
    engines: engine.length === 0 ? engineNames : engine.map(engineNamed),
    page: page === undefined ? undefined : pageNamed(page),
    only,
    report,
    serve,
  };
}

function engineNamed(text: string): EngineName {
  const found = engineNames.find((name) => name === text);
  if (found === undefined) throw new Error(`There is no engine "${text}".`);
  return found;
}

function pageNamed(text: string): PageName {
  const found = pageNames.find((name) => name === text);
  if (found === undefined) throw new Error(`There is no page "${text}".`);
  return found;
}
