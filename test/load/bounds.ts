import type { Edit } from "../escape/walls/walls.js";

/** What keeps work on the page bounded, by the name that an attempt gives it. */
export type BoundName = "request text" | "slices" | "query" | "schema work" | "schema parts" | "drawing";

/** True on a page whose address says `without=<name>`, in the build with these edits. */
const isWithout = (name: BoundName): string =>
  `(new URLSearchParams(globalThis.location?.search).get("without") === ${JSON.stringify(name)})`;

/** A constant that is without end where the bound is taken away. */
const endless = (bound: BoundName, file: string, name: string, value: string): Edit => ({
  file,
  find: `const ${name} = ${value};`,
  replace: `const ${name} = ${isWithout(bound)} ? Infinity : ${value};`,
});

export const edits: readonly Edit[] = [
  endless("request text", "src/bridge/bridge-server.ts", "ORDINARY_TEXT", "100_000"),
  endless("request text", "src/bridge/bridge-server.ts", "LONGEST_TEXT", "16 * 2 ** 20"),
  endless("request text", "src/session/bridge-handlers.ts", "LONGEST_SOURCE", "8_000_000"),
  endless("request text", "src/protocol/large-values.ts", "TEXT_AT_ONCE", "200_000"),
  endless("slices", "src/protocol/slices.ts", "SLICE", "4"),
  endless("query", "src/skills/skill-index.ts", "LONGEST_QUERY", "1000"),
  endless("query", "src/skills/skill-index.ts", "MOST_WORDS", "50"),
  {
    file: "src/tools/schema/schema-validator.ts",
    find: `typeof pattern === "string" ? this.#patterns.longestTextFor(pattern) : Infinity;`,
    replace: `typeof pattern === "string" && !${isWithout("schema work")} ? this.#patterns.longestTextFor(pattern) : Infinity;`,
  },
  {
    file: "src/tools/schema/patterns.ts",
    find: "export const MOST_STEPS = 3e7;",
    replace: `export const MOST_STEPS = ${isWithout("schema work")} ? Infinity : 3e7;`,
  },
  endless("schema parts", "src/tools/python-tool.ts", "LONGEST_DEFINITION", "100_000"),
  endless("drawing", "src/ui/drawing/parse-html.ts", "MOST_ELEMENTS", "10_000"),
  endless("drawing", "src/ui/drawing/parse-html.ts", "DEEPEST", "256"),
  endless("drawing", "src/ui/drawing/parse-html.ts", "LONGEST", "2_000_000"),
  endless("drawing", "src/ui/drawing/parse-html.ts", "CHUNK", "500"),
  endless("drawing", "src/ui/drawing/markdown-pieces.ts", "MOST", "4000"),
  endless("drawing", "src/ui/drawing/markdown-pieces.ts", "ENOUGH", "2000"),
  endless("drawing", "src/ui/state/csv.ts", "MOST_COLUMNS", "200"),
  endless("drawing", "src/ui/components/data-table.ts", "MOST_CELLS", "4000"),
  endless("drawing", "src/ui/drawing/argument-text.ts", "LONGEST", "50_000"),
];

/** Tells the page of the suite what the page's code does. */
export const reports: readonly Edit[] = [
  {
    file: "src/protocol/slices.ts",
    find: "async #yield(): Promise<void> {",
    replace: "async #yield(): Promise<void> {\n    globalThis.loadMeter?.yielded();",
  },
];
