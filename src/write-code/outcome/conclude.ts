import type { BatchResult, FileResult } from "./batch-result.js";
import type { FileTelemetry } from "./telemetry.js";

/** A file of a batch, at its end. */
export interface EndedFile {
  readonly kind: "code" | "image";
  readonly result: FileResult;
  /** Whether it was the writing that failed, and not what came before it. */
  readonly isWriteError: boolean;
}

export interface BatchEnd {
  /** In the order of the call. */
  readonly files: readonly EndedFile[];
  /** Where the files lie, as code names it. */
  readonly writePath: string;
  readonly warnings: readonly string[];
  readonly telemetry: readonly FileTelemetry[];
  readonly changes: string | null;
}

/** The result of a batch: every file of every kind counts, and one that was refused or is in conflict was not written. */
export function batchResult({ files, writePath, warnings, telemetry, changes }: BatchEnd): BatchResult {
  const code = files.filter(({ kind }) => kind === "code");
  const images = files.filter(({ kind }) => kind === "image");
  const successful = countOf(files, isWritten);
  const status = successful === files.length ? "success" : successful > 0 ? "partial_success" : "error";
  return {
    status,
    message: messageOf(status, { files, code, images, writePath }),
    files_processed: files.length,
    files_successful: successful,
    code_files_processed: code.length,
    code_files_successful: countOf(code, isWritten),
    image_files_processed: images.length,
    image_files_successful: countOf(images, isWritten),
    write_path: writePath,
    results: [...code, ...images].map(({ result }) => result),
    errors: [...code, ...images].flatMap(({ result }) => (result.status === "success" ? [] : [result.message])),
    warnings,
    telemetry,
    changes,
  };
}

interface Counted extends Pick<BatchEnd, "files" | "writePath"> {
  readonly code: readonly EndedFile[];
  readonly images: readonly EndedFile[];
}

function messageOf(status: BatchResult["status"], { files, code, images, writePath }: Counted): string {
  const isMixed = images.length > 0;
  const [subject, verb] = isMixed ? ["File", "created"] : ["Codebase", "written"];
  const lines = [
    `${subject} generation finished. Status: ${status}. ${ratioOf(files)} files ${verb} successfully to HOST path '${writePath}'.`,
  ];
  if (isMixed)
    lines.push(`  - Code files: ${ratioOf(code)} successful`, `  - Image files: ${ratioOf(images)} successful`);
  const failed = code.filter((file) => !isWritten(file));
  const counts = {
    "Code Generation Errors": countOf(failed, ({ isWriteError }) => !isWriteError),
    "File Write Errors": countOf(failed, ({ isWriteError }) => isWriteError),
    "Image Generation Errors": countOf(images, (file) => !isWritten(file)),
  };
  for (const [name, count] of Object.entries(counts)) if (count > 0) lines.push(`${name}: ${String(count)}`);
  return lines.join("\n");
}

function ratioOf(files: readonly EndedFile[]): string {
  return `${String(countOf(files, isWritten))}/${String(files.length)}`;
}

function isWritten({ result }: EndedFile): boolean {
  return result.status === "success";
}

function countOf<T>(items: readonly T[], fits: (item: T) => boolean): number {
  return items.filter((item) => fits(item)).length;
}
