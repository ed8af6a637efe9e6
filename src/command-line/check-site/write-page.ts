import { messageOf } from "../../protocol/index.js";
import type { CellReport } from "./cell-report.js";
import type { FileCell } from "./html-cells.js";
import { failed } from "./judge-cell.js";
import { replaceFile, type ReadFile } from "./replace-file.js";
import { whyNotWritten, withOutputs, type NewOutput } from "./write-outputs.js";

/** A cell that was run, and where it is in its file; null for one that a script of the page made. */
export interface CheckedCell {
  readonly report: CellReport;
  readonly place: FileCell | null;
}

type PageText = ReadFile & { readonly html: string | null };

/** Puts outputs that differ from what the file shows, or are missing there, into the file. */
export async function writeOutputs(
  file: PageText,
  checked: readonly CheckedCell[],
): Promise<{ readonly problem: string | null; readonly reports: readonly CellReport[] }> {
  const reports = checked.map(withWritten);
  const outputs = checked.flatMap(({ report: { output }, place }, at) =>
    reports[at]?.isWritten === true && output !== null && place !== null ? [{ cell: place, text: output }] : [],
  );
  if (outputs.length === 0) return { problem: null, reports };
  const why = await whyNotReplaced(file, outputs);
  if (why === null) return { problem: null, reports };
  return {
    problem: `No output was written: ${why}.`,
    reports: reports.map((report) => ({ ...report, isWritten: false })),
  };
}

async function whyNotReplaced(file: PageText, outputs: readonly NewOutput[]): Promise<string | null> {
  if (file.html === null) return "the file is not in UTF-8";
  try {
    const isReplaced = await replaceFile(file, withOutputs(file.html, outputs));
    return isReplaced ? null : "the file has changed since it was read";
  } catch (error) {
    // One file that cannot be written is no reason to leave the others.
    return messageOf(error);
  }
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
