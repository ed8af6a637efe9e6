import type { Edit } from "../escape/walls/walls.js";

/** What keeps work on the page bounded, by the name that an attempt gives it. */
export type BoundName =
  | "messages"
  | "request text"
  | "slices"
  | "keys"
  | "query"
  | "schema work"
  | "schema parts"
  | "contract"
  | "name"
  | "lines"
  | "files"
  | "journal"
  | "prompt"
  | "questions"
  | "output"
  | "turns"
  | "parsing"
  | "text"
  | "text lines"
  | "scripts"
  | "picture"
  | "rows"
  | "lists"
  | "frames"
  | "drawing"
  | "styles"
  | "weight"
  | "packages"
  | "charts"
  | "replies";

/** True on a page whose address says `without=<name>` of one of them, in the build with these edits. */
const isWithout = (...names: readonly BoundName[]): string =>
  `${JSON.stringify(names)}.includes(new URLSearchParams(globalThis.location?.search).get("without"))`;

/** A constant that is without end where the bound is taken away. */
const endless = (bounds: BoundName | readonly BoundName[], file: string, name: string, value: string): Edit => ({
  file,
  find: `const ${name} = ${value};`,
  replace: `const ${name} = ${isWithout(...[bounds].flat())} ? Infinity : ${value};`,
});

/** Whether messages are whole, on the page and in a worker that its page has told so. */
const withWholeMessages = `(globalThis.unboundedMessages === true || ${isWithout("messages")})`;

/** The text of a request is read, and in one go. */
const textBounds = ["request text", "prompt", "contract"] as const;

export const edits: readonly Edit[] = [
  endless(textBounds, "src/bridge/bridge-server.ts", "ORDINARY_TEXT", "100_000"),
  endless(textBounds, "src/bridge/bridge-server.ts", "LONGEST_TEXT", "16 * 2 ** 20"),
  endless(textBounds, "src/session/calls/bridge-handlers.ts", "LONGEST_SOURCE", "8_000_000"),
  endless("request text", "src/protocol/large-values.ts", "TEXT_AT_ONCE", "200_000"),

  {
    file: "src/protocol/large-contents.ts",
    find: "return sizeOf(value, WHOLE) > WHOLE;",
    replace: `return sizeOf(value, WHOLE) > (${withWholeMessages} ? Infinity : WHOLE);`,
  },
  {
    file: "src/protocol/large-contents.ts",
    find: "return size > WHOLE && index > 0;",
    replace: `return size > (${isWithout("messages")} ? Infinity : WHOLE) && index > 0;`,
  },
  {
    file: "worker/output-stream.ts",
    find: "textPieces(text, LONGEST)",
    replace: `textPieces(text, ${withWholeMessages} ? Infinity : LONGEST)`,
  },
  endless(["files", "messages"], "src/storage/indexed-db-records.ts", "BYTES_AT_ONCE", "8_000_000"),
  endless("keys", "src/bridge/bridge-server.ts", "MOST_KEYS", "100_000"),
  endless("query", "src/skills/skill-index.ts", "LONGEST_QUERY", "1000"),
  endless("query", "src/skills/skill-index.ts", "MOST_WORDS", "50"),
  {
    file: "src/tools/schema/schema-validator.ts",
    find: `typeof pattern === "string" ? this.#patterns.longestTextFor(pattern) : Infinity;`,
    replace: `typeof pattern === "string" && !${isWithout("schema work")} ? this.#patterns.longestTextFor(pattern) : Infinity;`,
  },
  endless("schema work", "src/tools/schema/patterns.ts", "MOST_STEPS", "3e7"),
  endless("schema parts", "src/tools/python-tool.ts", "LONGEST_DEFINITION", "100_000"),
  endless("contract", "src/contract/contract.ts", "LONGEST_CONTRACT", "200_000"),
  endless("contract", "src/contract/contract.ts", "MOST_ENTRIES", "50"),
  endless("contract", "src/codegen/sources/sources.ts", "LONGEST_LIST", "1_000_000"),
  endless("contract", "src/codegen/sources/sources.ts", "MOST_SOURCES", "5_000"),
  endless("contract", "src/codegen/sources/sources.ts", "MOST_ADDRESSES", "2_000_000"),
  endless("packages", "src/deps/resolution/archive.ts", "LARGEST", "2 ** 21"),
  endless("packages", "src/deps/resolution/archive.ts", "LONGEST_HEADERS", "1_000_000"),
  endless("packages", "src/deps/resolution/archive.ts", "MOST_REQUIREMENTS", "5_000"),
  endless("packages", "src/deps/resolution/zip-entries.ts", "UNPACKED_AT_ONCE", "1024"),
  endless("packages", "src/deps/resolution/choose-file.ts", "MOST_SORTED", "100"),
  endless("packages", "src/deps/resolution/resolution.ts", "MOST_WANTS", "20_000"),
  endless("packages", "src/deps/sources/package-downloads.ts", "LARGEST_DOCUMENT", "30_000_000"),
  endless("name", "src/skills/names.ts", "MAX_LENGTH", "128"),
  endless("lines", "src/skills/skill-library.ts", "MAX_SOURCE_LINES", "50_000"),
  endless("files", "src/protocol/file-limits.ts", "MOST_FILES", "10_000"),
  endless("files", "src/storage/indexed-db-records.ts", "RECORDS_AT_ONCE", "200"),
  endless("replies", "src/write-code/generation/ask-for-text.ts", "LONGEST_REPLY", "1_000_000"),
  endless("journal", "src/dispatch/summarize.ts", "WHOLE_TEXT", "2000"),
  endless("journal", "src/dispatch/summarize.ts", "MAX_ITEMS", "50"),
  endless("journal", "src/dispatch/summarize.ts", "MAX_NODES", "500"),
  endless("journal", "src/dispatch/summarize.ts", "MAX_TEXT", "16_000"),
  {
    file: "src/session/calls/bridge-handlers.ts",
    find: "prompt: textUpTo(20_000)",
    replace: `prompt: textUpTo(${isWithout("prompt")} ? Infinity : 20_000)`,
  },
  endless("questions", "src/dispatch/approver.ts", "MOST_WAITING", "10"),
  endless("output", "src/ui/state/text/output-log.ts", "LONGEST_BLOCK", "40_000"),
  endless("output", "src/ui/state/text/output-log.ts", "MOST_BLOCKS", "300"),
  endless("drawing", "src/ui/drawing/parse-html.ts", "MOST_ELEMENTS", "10_000"),
  endless("drawing", "src/ui/drawing/parse-html.ts", "DEEPEST", "256"),
  endless("drawing", "src/ui/drawing/parse-html.ts", "MOST_LINES", "20_000"),
  endless("drawing", "src/ui/drawing/parse-html.ts", "LONGEST", "2_000_000"),
  endless("drawing", "src/ui/drawing/parse-html.ts", "CHUNK", "500"),
  {
    file: "src/ui/drawing/clean-html.ts",
    find: "await cleanStyles(drawn)",
    replace: `${isWithout("styles")} ? { isOver: false, weight: 0 } : await cleanStyles(drawn)`,
  },
  endless(
    ["weight", "drawing", "frames", "scripts", "styles"],
    "src/ui/drawing/drawing-weight.ts",
    "MOST_WEIGHT",
    "6000",
  ),
  {
    file: "src/ui/drawing/draw-chart.ts",
    find: "spawned = await host.spawn(source);",
    replace: `if (${isWithout("charts")}) return await (await import("../../../worker/charts/draw-chart.js")).drawChart({ kind: "draw", language, spec, width: 640 }, () => undefined).then((outcome) => ({ facts: nothingKnown, outcome }));
    spawned = await host.spawn(source);`,
  },
  endless("drawing", "src/ui/drawing/markdown-pieces.ts", "MOST", "4000"),
  endless("drawing", "src/ui/drawing/markdown-pieces.ts", "ENOUGH", "2000"),
  endless("drawing", "src/ui/drawing/markdown-pieces.ts", "MOST_LINES", "500"),
  endless("drawing", "src/ui/components/content/markdown-view.ts", "LONGEST", "200_000"),
  endless("drawing", "src/ui/components/content/markdown-view.ts", "MOST", "500_000"),
  endless("drawing", "src/ui/drawing/svg-fault.ts", "LONGEST", "2_000_000"),
  endless(["drawing", "frames"], "src/ui/drawing/svg-fault.ts", "MOST_ELEMENTS", "10_000"),
  endless("turns", "src/bridge/request-turns.ts", "TEXT_A_TURN", "200_000"),
  endless("parsing", "src/ui/state/text/content-form.ts", "MAX_PARSED", "2_000_000"),
  {
    file: "src/ui/state/text/text-ends.ts",
    find: "export const MOST_DRAWN = 120_000;",
    replace: `export const MOST_DRAWN = ${isWithout("text")} ? Infinity : 120_000;`,
  },
  {
    file: "src/ui/state/text/text-ends.ts",
    find: "const LINE = 20;",
    replace: `const LINE = ${isWithout("text lines")} ? 0 : 20;`,
  },
  {
    file: "src/ui/state/text/text-ends.ts",
    find: "const OTHER = 8;",
    replace: `const OTHER = ${isWithout("scripts")} ? 1 : 8;`,
  },
  ...["FIRST = 200", "TURN = 40"].map((constant) => ({
    file: "src/ui/state/text/text-ends.ts",
    find: `const ${constant};`,
    replace: `const ${constant.replace("=", `= ${isWithout("scripts")} ? 0 :`)};`,
  })),
  {
    file: "src/ui/state/text/text-ends.ts",
    find: "const LARGE = 4;",
    replace: `const LARGE = ${isWithout("scripts")} ? 1 : 4;`,
  },
  {
    file: "src/ui/state/text/text-ends.ts",
    find: "if (!COMPLEX.test(text)) return text;",
    replace: `if (${isWithout("scripts")} || !COMPLEX.test(text)) return text;`,
  },
  {
    file: "src/ui/state/text/turns-of-direction.ts",
    find: "const MOST_TURNS = 5000;",
    replace: `const MOST_TURNS = ${isWithout("scripts")} ? 1e9 : 5000;`,
  },
  endless("text", "src/ui/drawing/highlight.ts", "LONGEST", "100_000"),
  endless(["text", "text lines"], "src/ui/components/questions/approval-card.ts", "LONGEST", "60_000"),
  endless(["text", "text lines"], "src/ui/components/content/output-view.ts", "LONGEST_END", "20_000"),
  endless(["text", "text lines"], "src/ui/components/questions/approval-card.ts", "LONGEST_VALUE", "20_000"),
  {
    file: "src/ui/drawing/picture-address.ts",
    find: "?? read(new Blob([new Uint8Array(bytes)], { type }))",
    replace: `?? (${isWithout("picture")} ? Promise.resolve("data:" + type + ";base64," + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))) : read(new Blob([new Uint8Array(bytes)], { type })))`,
  },
  endless("rows", "src/ui/state/text/content-form.ts", "MAX_ROWS", "1000"),
  {
    file: "src/ui/components/base/list-part.ts",
    find: "this.#wanted = first;",
    replace: `this.#wanted = ${isWithout("lists")} ? Infinity : first;`,
  },
  endless("lists", "src/ui/components/shelf/trace-panel.ts", "SHOWN", "300"),
  endless("lists", "src/ui/components/shelf/trace-panel.ts", "KNOWN", "1000"),
  endless(["lists", "frames", "lines"], "src/ui/drawing/drawing-pace.ts", "FIRST", "1"),
  endless("frames", "src/ui/drawing/drawing-pace.ts", "SHARE", "8"),
  {
    file: "src/ui/drawing/frame-queue.ts",
    find: "this.#watched.get(target)?.(isIntersecting)",
    replace: `this.#watched.get(target)?.(isIntersecting || ${isWithout("frames")})`,
  },
  {
    file: "src/ui/drawing/frame-queue.ts",
    find: "const turn = this.#last.then(",
    replace: `const turn = (${isWithout("frames")} ? Promise.resolve() : this.#last).then(`,
  },
  endless("frames", "src/ui/state/text/output-log.ts", "MOST_TEXT", "1_000_000"),
  endless(["slices", "frames", "packages"], "src/protocol/slices.ts", "SLICE", "4"),
  {
    file: "src/ui/components/shelf/skills-panel.ts",
    find: "this.#open.has(name) ?",
    replace: `${isWithout("lists")} || this.#open.has(name) ?`,
  },
  {
    file: "src/ui/components/content/content-view.ts",
    find: ".limit=${this.full ? 200 : 5}",
    replace: `.limit=\${this.full ? (${isWithout("rows")} ? Infinity : 200) : 5}`,
  },
  endless("rows", "src/ui/components/content/data-table.ts", "CELLS_A_THING", "100"),
  endless("rows", "src/ui/state/text/csv.ts", "MOST_PARTS", "50_000"),
  endless("rows", "src/ui/state/text/csv.ts", "LARGEST_CELL", "1000"),
  endless("drawing", "src/ui/components/content/json-tree.ts", "MAX_ITEMS", "100"),
  endless(["drawing", "rows"], "src/ui/state/text/csv.ts", "MOST_COLUMNS", "200"),
  endless(["drawing", "rows"], "src/ui/components/content/data-table.ts", "MOST_CELLS", "4000"),
];

/** Tells the page of the suite what the page's code does. */
export const reports: readonly Edit[] = [
  {
    file: "src/protocol/slices.ts",
    find: "async #yield(): Promise<void> {",
    replace: "async #yield(): Promise<void> {\n    globalThis.loadMeter?.yielded();",
  },
];
