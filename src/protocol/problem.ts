/** A text file as it came from a folder, a bundle or the site, before anything parsed it. */
export interface SourceFile {
  /** Relative path, `skills/clean_table.py` for instance. */
  readonly file: string;
  readonly text: string;
}

/**
 * Something that could not be used and was left out, while the rest went on: a
 * broken tool file, a skill with a syntax error, a damaged record.
 */
export interface Problem {
  /** The file, or the storage key of the record. */
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Dotted path of the field at fault, `recipes.get.preset` for instance. */
  readonly field?: string;
  readonly message: string;
  /** The `code` of the error behind it. */
  readonly code: string;
}
