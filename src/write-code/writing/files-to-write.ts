import type { FileDecision } from "../../tools/index.js";
import type { WorkspaceContent } from "../../workspace/index.js";
import type { WriteCodeFault, WriteCodeFaultCode } from "../outcome/faults.js";

/** A file that has passed everything but a person and the store. */
export interface FileToWrite {
  /** Relative to `/workspace`. */
  readonly path: string;
  /** As the call names it, for messages. */
  readonly filename: string;
  readonly content: FileText | FileImage;
  /** As it was when the batch began; null where there was none. */
  readonly read: WorkspaceContent | null;
  /** What a person should know of it. */
  readonly notes: readonly string[];
}

export interface FileText {
  readonly kind: "text";
  readonly text: string;
}

export interface FileImage {
  readonly kind: "image";
  readonly mime: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A file as it is now, beside what it was and is to be. */
export interface LookedAtFile {
  readonly file: FileToWrite;
  /** Null where there is none that may be read. */
  readonly now: WorkspaceContent | null;
  /** Whether somebody else has changed it since the batch began. */
  readonly isInConflict: boolean;
}

/** What became of one file. */
export type FileOutcome =
  | {
      readonly kind: "written";
      readonly operation: "create" | "modify";
      readonly version: string;
      /** What was written: another text than was wanted where two versions were brought together. */
      readonly content: FileText | FileImage;
      readonly notes: readonly string[];
    }
  | { readonly kind: "refused" | "conflict" | "failed"; readonly fault: WriteCodeFault };

export function refused({ filename }: FileToWrite, reason: string): FileOutcome {
  return notWritten("refused", "REFUSED", `${filename} was not written: ${ended(reason)}`);
}

export function inConflict({ filename }: FileToWrite, reason: string): FileOutcome {
  const message = `${filename} was not written, because it was changed while it was worked on: ${ended(reason)}`;
  return notWritten("conflict", "CONFLICT", `${message} Read it, and write it again if it is to be replaced.`);
}

export function notStored({ filename }: FileToWrite, reason: string): FileOutcome {
  return notWritten("failed", "WRITE_FAILED", `Error writing file ${filename}: ${ended(reason)}`);
}

export function cancelled({ filename }: FileToWrite): FileOutcome {
  return notWritten("failed", "CANCELLED", `${filename} was not written: the call was stopped before.`);
}

function notWritten(kind: "refused" | "conflict" | "failed", code: WriteCodeFaultCode, message: string): FileOutcome {
  return { kind, fault: { code, message } };
}

function ended(reason: string): string {
  const said = reason.trim();
  return /[.!?]$/.test(said) ? said : `${said}.`;
}

/** What a decision comes to: a file in conflict is written over only where that is said. */
export function meaningOf(
  decision: FileDecision | undefined,
  isInConflict: boolean,
): "write" | "merge" | "keep" | "refuse" {
  if (!isInConflict) return decision === "accept" ? "write" : "refuse";
  if (decision === "overwrite") return "write";
  return decision === "merge" || decision === "refuse" ? decision : "keep";
}
