import { z } from "zod";

import { LONGEST_CHART_ROWS, LONGEST_CHART_SVG, LONGEST_CHART_WORDS, MOST_CHART_WARNINGS } from "./chart-limits.js";

/** What a chart is written in: Vega, or Vega-Lite, which is compiled to it. */
export type ChartLanguage = "vega" | "vega-lite";

/** One chart for the worker, which draws no other. */
export interface ChartOrder {
  readonly kind: "draw";
  readonly language: ChartLanguage;
  /** JSON. */
  readonly spec: string;
  /** Pixels that a chart gets that is to be as wide as its container. */
  readonly width: number;
}

const Words = z.string().max(LONGEST_CHART_WORDS);

/** What is known of a chart before it is drawn. */
export const ChartFacts = z.strictObject({
  /** Its description or its title; empty where it has neither. */
  name: Words,
  /** The first rows of its data, as JSON; empty where there is nothing that makes a table. */
  rows: z.string().max(LONGEST_CHART_ROWS),
  /** Rows there are. */
  rowCount: z.int().nonnegative(),
});
export type ChartFacts = z.infer<typeof ChartFacts>;

/** What the worker says, one after the other. It works on what a program wrote, so the page parses it. */
export const ChartAnswer = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready") }),
  z.strictObject({ kind: z.literal("read"), facts: ChartFacts }),
  z.strictObject({
    kind: z.literal("drawn"),
    svg: z.string().max(LONGEST_CHART_SVG),
    /** What may make the chart another one than was meant. */
    warnings: z.array(Words).max(MOST_CHART_WARNINGS),
  }),
  /** The reason ends the sentence "This chart cannot be drawn: …". */
  z.strictObject({ kind: z.literal("fault"), reason: Words }),
]);
export type ChartAnswer = z.infer<typeof ChartAnswer>;
