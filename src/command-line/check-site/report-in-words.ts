import { relative } from "node:path";

import { countInWords } from "../in-words.js";
import type { CellReport, PageReport } from "./cell-report.js";
import type { SiteReport } from "./check-site.js";

/** Whether something of a page is not as it should be. */
export function isFailure({ cells, problem }: PageReport): boolean {
  return problem !== null || cells.some(({ outcome }) => outcome === "failed");
}

/** A line for the page, and lines for all that there is to say of it. */
export function pageInWords(report: PageReport, cwd: string): string {
  const file = shownPath(report.file, cwd);
  const counts = [
    countInWords(report.cells.filter(({ outcome }) => outcome === "passed").length, "cell passed", "cells passed"),
    ...count(report.cells, ({ outcome }) => outcome === "failed", "failed"),
    ...count(report.cells, ({ outcome }) => outcome === "skipped", "skipped"),
    ...count(report.cells, ({ isWritten }) => isWritten, "written"),
  ];
  const isChecked = report.problem === null || report.cells.length > 0;
  const lines = [
    `${isFailure(report) ? "✗" : "✓"} ${file}: ${isChecked ? counts.join(", ") : "not checked"}`,
    ...(report.problem === null ? [] : [`  ${report.problem}`]),
    ...report.cells.flatMap((cell) => cellInWords(cell, file)),
    ...report.notes.map((note) => `  ${note}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function siteInWords({ root, pages, otherPages }: SiteReport, cwd: string): string {
  const cells = pages.flatMap((page) => page.cells);
  const failedPages = pages.filter(isFailure).length;
  const counts = [
    countInWords(cells.length, "cell"),
    ...count(cells, ({ outcome }) => outcome === "failed", "failed"),
    ...count(cells, ({ outcome }) => outcome === "skipped", "skipped"),
    ...count(cells, ({ isWritten }) => isWritten, "written"),
  ];
  const others = otherPages === 0 ? "" : ` ${countInWords(otherPages, "page has", "pages have")} no cells.`;
  const ending = failedPages === 0 ? "" : ` ${countInWords(failedPages, "page")} with failures.`;
  const where = shownPath(root, cwd);
  if (pages.length === 0) return `No page below ${where} has a cell.\n`;
  return `${countInWords(pages.length, "page")} of ${where}: ${counts.join(", ")}.${ending}${others}\n`;
}

/** A site without cells is none that was checked. */
export function isSiteFine({ pages }: SiteReport): boolean {
  return pages.length > 0 && !pages.some(isFailure);
}

/** For programs. */
export function siteAsJson(report: SiteReport): unknown {
  return { ok: isSiteFine(report), ...report };
}

/** As short as it is from here, for what lies here. */
function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith("..") ? path : short || ".";
}

function cellInWords(cell: CellReport, file: string): string[] {
  const { number, label, line, outcome, message, difference, notes, isWritten } = cell;
  const place = line === null ? file : `${file}:${String(line)}`;
  const called = [...(number === null ? [] : [`cell ${String(number)}`]), ...(label === "" ? [] : [`“${label}”`])];
  const said = [...(message === "" ? [] : [message]), ...(isWritten ? ["Its output was written."] : []), ...notes];
  if (said.length === 0) return [];
  const mark = outcome === "skipped" ? "skipped: " : "";
  const shown = outcome === "failed" || isWritten ? difference.map((each) => `      ${each}`) : [];
  return [`  ${place} ${called.join(" ")}: ${mark}${said.join(" ")}`, ...shown];
}

function count(cells: readonly CellReport[], isOne: (cell: CellReport) => boolean, word: string): string[] {
  const found = cells.filter(isOne).length;
  return found === 0 ? [] : [`${String(found)} ${word}`];
}
