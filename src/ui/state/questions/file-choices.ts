import type { ApprovalAnswer } from "../../../dispatch/index.js";
import type { FileDecision, FileProposal } from "../../../tools/index.js";
import type { DiffFile } from "../text/file-difference.js";
import { Observable } from "../text/observable.js";

/** What is to become of files, by path. */
export type FileDecisions = NonNullable<ApprovalAnswer["files"]>;

/** What the user chooses, file by file, of those that a call would write. Nothing of it is done before they answer. */
export class FileChoices extends Observable {
  readonly files: readonly FileProposal[];
  readonly #answer: (decisions: FileDecisions, reason: string) => void;
  readonly #chosen = new Map<string, FileDecision>();

  /** @param answer - lets the call go on with the files of which that is said. The reason is for those that are refused. */
  constructor(files: readonly FileProposal[], answer: (decisions: FileDecisions, reason: string) => void) {
    super();
    this.files = files;
    this.#answer = answer;
  }

  of(file: FileProposal): FileDecision {
    return this.#chosen.get(file.path) ?? (isInConflict(file) ? "keep" : "accept");
  }

  choose({ path }: FileProposal, decision: FileDecision): void {
    this.#chosen.set(path, decision);
    this.changed();
  }

  /** Has each file be what the user has chosen. */
  acceptChosen(reason: string): void {
    this.#answer(
      this.#decisions((file) => this.of(file)),
      reason,
    );
  }

  /** Has every file written. One in conflict would lose what somebody else wrote, so it is as the user has chosen. */
  acceptAll(reason: string): void {
    this.#answer(
      this.#decisions((file) => (isInConflict(file) ? this.of(file) : "accept")),
      reason,
    );
  }

  #decisions(decide: (file: FileProposal) => FileDecision): FileDecisions {
    return Object.fromEntries(this.files.map((file) => [file.path, decide(file)]));
  }
}

export function isInConflict({ conflict }: FileProposal): boolean {
  return conflict !== undefined;
}

/** What may become of a file. Texts alone can be brought together, and only where there are two of them. */
export function decisionsOn(file: FileProposal): readonly FileDecision[] {
  if (file.conflict === undefined) return ["accept", "refuse"];
  const isMergeable = file.conflict.theirs !== null && file.after !== null;
  return isMergeable ? ["keep", "overwrite", "merge"] : ["keep", "overwrite"];
}

/** What would be different in the file; null for an image. */
export function proposedDifference({ path, before, after }: FileProposal): DiffFile | null {
  return after === null ? null : { path, before, after };
}

/** What somebody else made of the file; null where it is as it was, or where that is what it is compared with already. */
export function foreignDifference({ path, before, conflict }: FileProposal): DiffFile | null {
  if (conflict === undefined || conflict.theirs === before) return null;
  return { path, before, after: conflict.theirs };
}
