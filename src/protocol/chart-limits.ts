// Apart from the schemas, which would bring zod into the worker.

/** Characters of the drawing of a chart, and of the rows that are shown with it. */
export const LONGEST_CHART_SVG = 2_000_000;
export const LONGEST_CHART_ROWS = 200_000;

/** Warnings of one chart, and characters of a warning, of a reason and of a name. */
export const MOST_CHART_WARNINGS = 5;
export const LONGEST_CHART_WORDS = 1000;
