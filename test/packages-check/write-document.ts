import { sha256 } from "../../src/storage/index.js";
import { median, type CheckResult, type PackageResult, type SnippetResult } from "./result.js";
import type { CheckedPackage, Snippet, SourceName } from "./snippets/index.js";

/** A file of a source, as the source lists it. */
export interface KnownFile {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

/** The files of each source, by their file names. */
export type KnownFiles = Readonly<Record<SourceName, ReadonlyMap<string, KnownFile>>>;

/** A result, and the file that it was read from. */
export interface NamedResult {
  readonly file: string;
  readonly result: CheckResult;
}

const NOT_RUN = "not run here";

const titles: Readonly<Record<SourceName, string>> = {
  wheels: "Wheels of test/wheels",
  pyodide: "Packages that were built for Pyodide",
};

/** What a result has that its source does not: one line for each such file. Such a result is of no use here. */
export function foreignFiles({ file, result }: NamedResult, known: KnownFiles): string[] {
  return result.packages.flatMap(({ source, name, files, snippets }) => [
    ...(snippets.length > 0 && !files.some((each) => each.name === name)
      ? [`${file}: ${name} was run without a file of it.`]
      : []),
    ...files.flatMap((each) => {
      const listed = known[source].get(each.file);
      if (listed === undefined) return [`${file}: ${each.file} is not in the list of ${source}.`];
      if (listed.sha256 === each.sha256) return [];
      return [`${file}: ${each.file} has the SHA-256 ${each.sha256}, and in the list of ${source} ${listed.sha256}.`];
    }),
  ]);
}

/** docs/packages.md. The newest result of each engine counts, package by package. */
export function writeDocument(
  packages: readonly CheckedPackage[],
  results: readonly NamedResult[],
  known: KnownFiles,
): string {
  const newestFirst = [...results].sort((a, b) => (a.result.date < b.result.date ? 1 : -1));
  const sections = (["wheels", "pyodide"] as const).map((source) => {
    const ours = packages.filter((each) => each.source === source);
    return new Section(source, ours, newestFirst, known[source]);
  });
  const all = packages.reduce((sum, { snippets }) => sum + snippets.length, 0);
  const run = sections.reduce((sum, section) => sum + section.runCount, 0);
  return (
    [
      `# Packages: ${String(run)} of ${String(all)} snippets were run, ${String(all - run)} read “${NOT_RUN}”`,
      INTRODUCTION,
      resultsTable([...results].sort((a, b) => (a.file < b.file ? -1 : 1))),
      ...sections.flatMap((section) => section.write()),
      "",
    ]
      .join("\n\n")
      .trimEnd() + "\n"
  );
}

const INTRODUCTION = `\`npm run packages\` writes this page. It opens the package check in the browsers that are installed, with the wheels of
test/wheels, and reads the results in docs/packages-results. Where it is built, Pyodide's own packages cannot be had: what uses NumPy,
pandas, matplotlib, SciPy and Pillow is written against their documented interfaces.

To add a result, open the check in a browser with a network: \`npm run packages -- --serve\` prints its address, and
\`npm run packages -- --out FOLDER\` builds it for any static host (\`FOLDER/packages-check.html\`). Press Start, download the JSON, put it
into docs/packages-results, and run \`npm run packages -- --write\`. A result whose files have other hashes than the source lists is
refused, and a snippet that was changed since counts as not run.

Import times are medians of a few, each in an interpreter of its own. Machines that do other work meanwhile make them longer.`;

function resultsTable(results: readonly NamedResult[]): string {
  const rows = results.map(({ file, result: { date, engine, commit, pyodide, python } }) => [
    cell(file),
    date.slice(0, 10),
    cell(engine),
    cell(commit),
    cell(`${pyodide}, Python ${python}`),
  ]);
  return table(["result", "date", "engine", "commit", "Pyodide"], rows);
}

/** An engine, and its newest result for each package of one source. */
interface Column {
  readonly engine: string;
  readonly byPackage: ReadonlyMap<string, PackageResult>;
}

class Section {
  readonly #source: SourceName;
  readonly #packages: readonly CheckedPackage[];
  readonly #columns: readonly Column[];
  readonly #known: ReadonlyMap<string, KnownFile>;

  constructor(
    source: SourceName,
    packages: readonly CheckedPackage[],
    newestFirst: readonly NamedResult[],
    known: ReadonlyMap<string, KnownFile>,
  ) {
    this.#source = source;
    this.#packages = packages;
    this.#columns = columnsOf(source, newestFirst);
    this.#known = known;
  }

  /** Snippets that were run in at least one engine. */
  get runCount(): number {
    return this.#packages
      .flatMap((checked) => checked.snippets.map((snippet) => this.#outcomes(checked, snippet)))
      .filter((outcomes) => outcomes.some((outcome) => outcome !== undefined)).length;
  }

  write(): string[] {
    const all = this.#packages.reduce((sum, { snippets }) => sum + snippets.length, 0);
    const engines = this.#columns.length === 0 ? ["outcome"] : this.#columns.map(({ engine }) => cell(engine));
    return [
      `## ${titles[this.#source]}: ${String(this.runCount)} of ${String(all)} snippets were run`,
      table(
        ["package", "version", "bytes", "SHA-256", ...engines],
        this.#packages.map((checked) => this.#packageRow(checked)),
      ),
      table(
        ["package", "snippet", ...engines],
        this.#packages.flatMap((checked) => checked.snippets.map((snippet) => this.#snippetRow(checked, snippet))),
      ),
    ];
  }

  #packageRow(checked: CheckedPackage): string[] {
    const found = this.#columns.map(({ byPackage }) => byPackage.get(checked.name));
    const installed = found.flatMap((result) => result?.files ?? []).find(({ name }) => name === checked.name);
    // Versions and hashes are in the source's own list, whether or not the file was ever fetched.
    const listed = [...this.#known.values()].find(({ name }) => name === checked.name);
    const sha256 = installed?.sha256 ?? listed?.sha256;
    return [
      checked.name,
      cell(installed?.version ?? listed?.version ?? NOT_RUN),
      installed === undefined ? NOT_RUN : installed.size.toLocaleString("en-US"),
      sha256 === undefined ? NOT_RUN : `\`${sha256.slice(0, 12)}\``,
      ...inColumns(this.#columns, (_column, index) => packageCell(checked, found[index])),
    ];
  }

  #snippetRow(checked: CheckedPackage, snippet: Snippet): string[] {
    const outcomes = this.#outcomes(checked, snippet);
    return [
      checked.name,
      cell(snippet.title),
      ...inColumns(this.#columns, (_column, index) => snippetCell(outcomes[index])),
    ];
  }

  /** One for each column; undefined where the snippet, as it is now, was not run. */
  #outcomes(checked: CheckedPackage, snippet: Snippet): readonly (SnippetResult | string | undefined)[] {
    return this.#columns.map(({ byPackage }) => {
      const result = byPackage.get(checked.name);
      return result?.snippets.find((each) => isOf(snippet, each)) ?? result?.problem ?? undefined;
    });
  }
}

function columnsOf(source: SourceName, newestFirst: readonly NamedResult[]): Column[] {
  const engines = new Map<string, Map<string, PackageResult>>();
  for (const { result } of newestFirst) {
    for (const each of result.packages) {
      if (each.source !== source) continue;
      const byPackage = engines.get(result.engine) ?? new Map<string, PackageResult>();
      if (!byPackage.has(each.name)) byPackage.set(each.name, each);
      engines.set(result.engine, byPackage);
    }
  }
  const columns = Array.from(engines, ([engine, byPackage]) => ({ engine, byPackage }));
  return columns.sort((a, b) => (a.engine < b.engine ? -1 : 1));
}

function isOf(snippet: Snippet, { id, codeSha256 }: SnippetResult): boolean {
  return id === snippet.id && codeSha256 === sha256(snippet.code);
}

/** A cell for each column; where there is none, one that says so. */
function inColumns(columns: readonly Column[], cellOf: (column: Column, index: number) => string): string[] {
  return columns.length === 0 ? [NOT_RUN] : columns.map(cellOf);
}

function packageCell({ snippets }: CheckedPackage, result: PackageResult | undefined): string {
  if (result === undefined) return NOT_RUN;
  const done = snippets.flatMap((snippet) => result.snippets.find((each) => isOf(snippet, each)) ?? []);
  const passed = done.filter(({ outcome }) => outcome === "passed").length;
  const time = median(result.importTimes);
  const parts = [
    ...(done.length === 0 ? [] : [`${String(passed)} of ${String(snippets.length)}`]),
    ...(time === null ? [] : [`import ${time.toFixed(1)} ms`]),
    ...(result.problem === null ? [] : [failed(result.problem)]),
  ];
  return done.length === 0 && result.problem === null ? NOT_RUN : parts.join("; ");
}

function snippetCell(outcome: SnippetResult | string | undefined): string {
  if (outcome === undefined) return NOT_RUN;
  if (typeof outcome === "string") return failed(outcome);
  return outcome.outcome === "passed" ? "passed" : failed(outcome.differences.join("; "));
}

const LONGEST_REASON = 200;

/** The end of a traceback says most. */
function failed(reason: string): string {
  const text = reason.trim().replaceAll(/\s+/g, " ");
  return `**failed**: ${cell(text.length <= LONGEST_REASON ? text : `…${text.slice(-LONGEST_REASON)}`)}`;
}

/** Text of a table's cell. Results come from elsewhere: nothing in them is Markdown or HTML. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|&#!~]/g, String.raw`\$&`);
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}
