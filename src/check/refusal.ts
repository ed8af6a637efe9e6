import type { RunErrorData } from "../protocol/index.js";
import type { Finding } from "./finding.js";

const MOST_SHOWN = 10;

/** What a run ends with whose code was checked and not run; null where no finding is certain. */
export function refusalOf(findings: readonly Finding[], code: string, filename: string): RunErrorData | null {
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined) return null;
  const lines = code.split(/\r\n|\r|\n/);
  const shown = errors.slice(0, MOST_SHOWN).map((finding) => showFinding(finding, lines, filename));
  const left = errors.length - shown.length;
  const more = left > 0 ? [`and ${String(left)} more`] : [];
  const traceback = ["Found before the run; none of the code was run:", ...shown, ...more].join("\n");
  const message = `${first.message} (line ${String(first.line)}; found before the run, none of the code was run)`;
  return { code: "CHECK_FAILED", pythonType: first.pythonType, message, traceback };
}

/** A warning on one line, for whoever wrote the code. */
export function warningText({ line, message, suggestion }: Finding): string {
  return `line ${String(line)}: ${[message, suggestion].filter((part) => part !== "").join(". ")}`;
}

/** As Python shows an exception, with what to write instead. */
function showFinding(finding: Finding, lines: readonly string[], filename: string): string {
  const { line, column, endLine, endColumn, message, pythonType, suggestion } = finding;
  const source = lines[line - 1] ?? "";
  const margin = /^\s*/.exec(source)?.[0].length ?? 0;
  const end = endLine === line && endColumn !== undefined ? endColumn : column + 1;
  const marks = `${" ".repeat(Math.max(0, column - 1 - margin))}${"^".repeat(Math.max(1, end - column))}`;
  return [
    `  File "${filename}", line ${String(line)}`,
    `    ${source.trim().slice(0, 300)}`,
    ...(source.length <= 300 ? [`    ${marks}`] : []),
    `${pythonType}: ${message}`,
    ...(suggestion === "" ? [] : [suggestion]),
  ].join("\n");
}
