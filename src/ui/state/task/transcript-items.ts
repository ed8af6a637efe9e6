import type { FileView } from "./given-files.js";
import type { TaskView } from "./task-view.js";

/** A line between tasks: that the interpreter is a clean one, for instance. */
export interface TranscriptNote {
  readonly kind: "note";
  readonly id: string;
  readonly text: string;
}

/** A file that the user handed over. */
export interface TranscriptFile {
  readonly kind: "file";
  readonly id: string;
  readonly file: FileView;
}

export type TranscriptItem =
  | { readonly kind: "task"; readonly id: string; readonly view: TaskView }
  | TranscriptNote
  | TranscriptFile;
