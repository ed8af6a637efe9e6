import { validateContent, type ContentReport } from "../../content/index.js";
import { messageOf, shortenUnitsTo } from "../../protocol/index.js";
import type { TextInterpreter } from "../writing-session.js";
import { numberedLines } from "./numbered-lines.js";
import { providedModules } from "./provided-modules.js";

/** A text that is to be a file. */
export interface CheckedText {
  /** Relative to `/workspace`. */
  readonly path: string;
  readonly text: string;
  /** Lower case; counts where the name has no ending. */
  readonly language: string;
  /** Of all files of the batch: what is imported of them will be there. */
  readonly batchPaths: readonly string[];
  /** Imports that the call names: whether they are there is its own affair. */
  readonly externalImports?: readonly string[] | undefined;
}

/** What a look at a text came to. */
export interface TextCheck {
  /** Why the text cannot be what it is said to be; empty where nothing speaks against it. */
  readonly problems: readonly string[];
  /** The problems for the model that wrote the text, with its lines around them, numbered; empty where there are none. */
  readonly words: string;
  /** What a person may want to know: oddities, and that something could not be checked. */
  readonly warnings: readonly string[];
}

/** Problems and warnings that are listed, and characters of each. */
const MOST_PROBLEMS = 10;
const MOST_WARNINGS = 5;
const LONGEST_PROBLEM = 500;

/** Files of that name are JSON with comments for the programs that read them. */
const JSON_WITH_COMMENTS =
  /(?:^|\/)(?:[tj]sconfig[^/]*\.json|devcontainer\.json|\.eslintrc\.json|\.vscode\/[^/]*\.json)$/iu;

/** What is looked at for more than whether it is text. */
const CONTENT =
  /\.(?:json|geojson|ipynb|ya?ml|toml|html?|svg|xml|xsd|xsl|rss|atom|kml|css|csv|tsv|md|markdown|mmd|mermaid)$/iu;

/**
 * Looks whether a text is what its name says: Python in an interpreter, for its syntax and then as `session.check` does, and
 * formats of data and documents by `validateContent`. A check that could not be made speaks against no text.
 */
export async function checkText(
  checked: CheckedText,
  interpreter: () => Promise<TextInterpreter>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<TextCheck> {
  // An empty `__init__.py` is a module, and of other files the caller says what it means that there is nothing in them.
  if (checked.text.trim() === "") return { problems: [], words: "", warnings: [] };
  try {
    const found = isPython(checked)
      ? await checkPython(checked, interpreter, signal)
      : await checkContent(checked, signal);
    return listed(checked, found);
  } catch (error) {
    signal?.throwIfAborted();
    return { problems: [], words: "", warnings: [`It was not checked: ${messageOf(error)}`] };
  }
}

/** Something that is to be said of a text. */
interface Found {
  readonly isProblem: boolean;
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

function isPython({ path, language }: CheckedText): boolean {
  return /\.pyi?$/iu.test(path) || (/^python3?$/u.test(language) && !/\.[^./]+$/u.test(path));
}

async function checkPython(
  { text, batchPaths, externalImports = [] }: CheckedText,
  interpreter: () => Promise<TextInterpreter>,
  signal: AbortSignal | undefined,
): Promise<readonly Found[]> {
  const python = await interpreter();
  const provided = providedModules(batchPaths, externalImports);
  const findings = await python.check(text, { provided, signal });
  return findings.map(({ severity, message, pythonType, suggestion, line, column }) => {
    const said = `${pythonType}: ${message}${suggestion === "" ? "" : ` (${suggestion})`}`;
    return { isProblem: severity === "error", message: said, line, column };
  });
}

async function checkContent({ path, text }: CheckedText, signal: AbortSignal | undefined): Promise<readonly Found[]> {
  if (!CONTENT.test(path)) return [];
  const report: ContentReport = await validateContent({ text, filename: path }, { signal });
  if (report.kind === "valid") return [];
  if (report.kind === "warning") return report.warnings.map((each) => ({ ...each, isProblem: false }));
  const { message, line, column } = report;
  return [{ isProblem: !JSON_WITH_COMMENTS.test(path), message, line, column }];
}

function listed({ path, text }: CheckedText, found: readonly Found[]): TextCheck {
  const problems = found.filter(({ isProblem }) => isProblem);
  const warnings = found.filter(({ isProblem }) => !isProblem);
  return {
    problems: lines(problems, MOST_PROBLEMS),
    words: problems.length === 0 ? "" : wordsFor(path, text, problems),
    warnings: lines(warnings, MOST_WARNINGS),
  };
}

function wordsFor(path: string, text: string, problems: readonly Found[]): string {
  const places = problems.slice(0, MOST_PROBLEMS).flatMap(({ line }) => (line === undefined ? [] : [line]));
  const shown = places.length === 0 ? "" : `\n\nThe lines around it:\n${numberedLines(text, places)}`;
  const list = lines(problems, MOST_PROBLEMS).map((problem) => `- ${problem}`);
  return `${path} was checked and cannot be used as it is:\n${list.join("\n")}${shown}`;
}

function lines(found: readonly Found[], most: number): readonly string[] {
  const shown = found.slice(0, most).map(({ message, line, column }) => {
    const place =
      line === undefined ? "" : `line ${String(line)}${column === undefined ? "" : `, column ${String(column)}`}: `;
    return shortenUnitsTo(`${place}${message}`, LONGEST_PROBLEM);
  });
  return found.length > most ? [...shown, `and ${String(found.length - most)} more`] : shown;
}
