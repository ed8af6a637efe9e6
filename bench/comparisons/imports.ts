import { z } from "zod";

import type { Claim, Comparison } from "../comparison.js";
import { callOf, type BenchPage } from "../engine-page.js";
import type { ImportFigure, ImportSource } from "../pages/bench-page.js";

/** What is measured on pages/imports.ts against a fixed limit. */
export interface ImportComparison {
  readonly source: ImportSource;
  readonly figure: ImportFigure;
  /** Milliseconds, or the time that the `yaml` package takes to parse the same text. */
  readonly limit: number | "yaml package";
  readonly claim: Claim;
}

const sources: Readonly<Record<ImportSource, string>> = {
  "GitHub text": "GitHub's document (1,200 operations, 13 MB of JSON), as text",
  "2,500 text": "2,500 operations (GitHub's, repeated), as text",
  "2,500 object": "2,500 operations (GitHub's, repeated), parsed already",
  "GitHub YAML": "GitHub's document as YAML (1,200 operations, 10 MB), as text",
  "YAML text": "Star Trek's document (120 operations, 360 kB of YAML), as text",
};

/** Everything about the import of OpenAPI documents. */
export const importComparisons: readonly ImportComparison[] = [
  ...(Object.keys(sources) as ImportSource[]).flatMap((source) => [
    within(source, { figure: "longest", limit: 50, what: "longest stretch of the page's thread, import" }),
    within(source, { figure: "elapsed", limit: 2000, what: "OpenAPI import" }),
  ]),
  {
    source: "GitHub YAML",
    figure: "elapsed",
    limit: "yaml package",
    claim: {
      name: "OpenAPI import, GitHub YAML / its text parsed by the yaml package",
      subject: `OpenAPI import of ${sources["GitHub YAML"]}`,
      baseline: "`parseDocument` and `toJS` of the `yaml` package alone",
      goal: 1,
    },
  },
];

function within(
  source: ImportSource,
  { figure, limit, what }: { readonly figure: ImportFigure; readonly limit: number; readonly what: string },
): ImportComparison {
  return {
    source,
    figure,
    limit,
    claim: {
      name: `${what}, ${source} / the limit of ${limit.toLocaleString("en-US")} ms`,
      subject: `${what} of ${sources[source]}`,
      baseline: `${limit.toLocaleString("en-US")} ms`,
      goal: 1,
    },
  };
}

export function importComparison(
  page: BenchPage,
  { source, figure, limit, claim }: ImportComparison,
): Comparison<"time"> {
  return {
    claims: { time: claim },
    subject: async () => ({ time: await page.ask(callOf("imports.measure", source, figure)).then(asNumber) }),
    baseline: async () => ({
      time: limit === "yaml package" ? await page.ask(callOf("imports.parseByYaml", source)).then(asNumber) : limit,
    }),
  };
}

const asNumber = (value: unknown): number => z.number().parse(value);
