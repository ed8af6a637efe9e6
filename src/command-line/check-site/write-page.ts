import type { CellReport } from "./cell-report.js";
import type { FileCell } from "./html-cells.js";
import { failed } from "./judge-cell.js";
import { replaceFile, type ReadFile } from "./replace-file.js";
import { whyNotWritten, withOutputs } from "./write-outputs.js";

/** A cell that was run, and where it stands in its file; null for one that a script of the page made. */
export interface CheckedCell {
  readonly report: CellReport;
  readonly place: FileCell | null;
}

/** Puts outputs that differ from what the file shows, or are missing there, into the file. */
export async function writeOutputs(
  file: ReadFile & { readonly html: string | null },
  checked: readonly CheckedCell[],
): Promise<{ readonly problem: string | null; readonly reports: readonly CellReport[] }> {
  const reports = checked.map(withWritten);
  const outputs = checked.flatMap(({ report: { output }, place }, at) =>
    reports[at]?.isWritten === true && output !== null && place !== null ? [{ cell: place, text: output }] : [],
  );
  if (outputs.length === 0) return { problem: null, reports };
  const { html } = file;
  const isReplaced = html !== null && (await replaceFile(file, withOutputs(html, outputs)));
  if (isReplaced) return { problem: null, reports };
  const why = html === null ? "is not in UTF-8" : "has changed since it was read";
  return {
    problem: `No output was written: the file ${why}.`,
    reports: reports.map((report) => ({ ...report, isWritten: false })),
  };
}

/** As it will be once the file is written. */
function withWritten({ report, place }: CheckedCell): CellReport {
  const isNew = place === null || place.outputs.length === 0;
  if (report.output === null || (report.difference.length === 0 && !isNew)) return report;
  const reason = place === null ? "a script of the page made the cell" : whyNotWritten(place);
  if (reason === null) return { ...report, isWritten: true };
  return {
    ...report,
    ...failed("output", `Its output was not written: ${reason}.`, report.notes),
    difference: report.difference,
  };
}
