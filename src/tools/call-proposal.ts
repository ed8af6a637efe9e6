/** A file that a call would write, for a person who is asked about it. */
export interface FileProposal {
  /** Relative to `/workspace`. */
  readonly path: string;
  readonly operation: "create" | "modify";
  /** What the file holds now; null where there is none, or no text. */
  readonly before: string | null;
  /** What it would hold; null for an image. */
  readonly after: string | null;
  /** The difference as `diff -u` writes it, without the names of files; empty for an image. */
  readonly difference: string;
  readonly image: { readonly mime: string; readonly bytes: Uint8Array<ArrayBuffer> } | null;
  /** What a person should know of it, as sentences: that it failed a check, for instance. */
  readonly notes: readonly string[];
  /** What somebody else made of the file meanwhile: its text, null where it was deleted. Absent where it is as it was. */
  readonly conflict?: { readonly theirs: string | null };
}

/**
 * What a person says about one file of a call. A file in conflict is kept as it is (`keep`), written over (`overwrite`), or
 * brought together with what is there (`merge`); any other is written (`accept`) or not (`refuse`).
 */
export type FileDecision = "accept" | "refuse" | "keep" | "overwrite" | "merge";

/** What a call is about to do, which is known only once it has worked. */
export interface CallProposal {
  readonly files: readonly FileProposal[];
}

/** What is to become of the files of a proposal, by path. */
export type ProposalAnswer = ReadonlyMap<string, { readonly decision: FileDecision; readonly reason: string }>;
