import type { FileRequest } from "../call/file-request.js";

/** What a model reads of the work around a file. */
export interface PromptContext {
  /** What all files are for; null where nothing is said of it. */
  readonly task: string | null;
  /** The other files of the batch, in the order of the call. */
  readonly siblings: readonly Sibling[];
  /** What the file holds now; null where there is none. */
  readonly present: string | null;
  /** Files of the workspace that the internal imports name, the most important first. */
  readonly related: readonly { readonly path: string; readonly text: string }[];
  /** What was written before, the newest first: see `WriteLog.promptEntries`. */
  readonly log: readonly LogEntry[];
}

export interface Sibling {
  readonly request: FileRequest;
  /** Where the file imports it, and it was written first. */
  readonly text: string | null;
}

/** A file that an earlier call wrote. */
export interface LogEntry {
  readonly path: string;
  /** `YYYY-MM-DD HH:MM:SS`. */
  readonly timestamp: string;
  readonly operation: "create" | "modify";
  readonly description: string;
  /** Empty for an image. */
  readonly text: string;
}
