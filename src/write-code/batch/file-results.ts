import type { FileRequest } from "../call/file-request.js";
import type { FileResult } from "../outcome/batch-result.js";
import type { EndedFile } from "../outcome/conclude.js";
import type { WriteCodeFault } from "../outcome/faults.js";
import type { GenerationTelemetry } from "../outcome/telemetry.js";
import type { FileOutcome } from "../writing/files-to-write.js";

/** What led to a file, whatever came of it. */
export interface FileCourse {
  readonly request: FileRequest;
  /** As answers name it: relative to the folder that names are relative to. */
  readonly shownName: string;
  readonly telemetry: GenerationTelemetry;
  readonly warnings: readonly string[];
}

/** A file that nothing was written for. */
export function failedFile(
  { request, warnings }: Pick<FileCourse, "request" | "warnings">,
  fault: WriteCodeFault,
): EndedFile {
  const result = {
    filename: request.filename,
    status: "error",
    error_code: fault.code,
    message: fault.message,
    warnings,
  } as const;
  return { kind: request.kind, result, isWriteError: WRITING.has(fault.code) };
}

const WRITING: ReadonlySet<WriteCodeFault["code"]> = new Set(["WRITE_FAILED", "REFUSED", "CONFLICT"]);

/** A file at the end of the writing. */
export function endedFile(course: FileCourse, outcome: FileOutcome, strike: (text: string) => string): EndedFile {
  const { request, warnings } = course;
  if (outcome.kind === "written")
    return { kind: request.kind, result: writtenResult(course, outcome, strike), isWriteError: false };
  const ended = failedFile({ request, warnings }, outcome.fault);
  if (outcome.kind === "failed" || ended.result.status === "success") return ended;
  return { ...ended, result: { ...ended.result, status: outcome.kind } };
}

function writtenResult(
  { shownName: filename, telemetry, warnings }: FileCourse,
  { operation, content, notes }: Extract<FileOutcome, { kind: "written" }>,
  strike: (text: string) => string,
): FileResult {
  const model = telemetry.chosen ?? "";
  // A text that was brought together has notes of its own.
  const all = [...warnings, ...notes.filter((note) => !warnings.includes(note))];
  if (content.kind === "image") {
    const message = "Image generated successfully";
    return { filename, status: "success", operation: "image_generation", message, model, warnings: all };
  }
  const { attempts, arbiter } = telemetry;
  return {
    filename,
    status: "success",
    operation,
    code: strike(content.text),
    model,
    attempts: attempts.length,
    tokens: {
      input: attempts.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      output: attempts.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    },
    reason: arbiter.reason,
    warnings: all,
  };
}
