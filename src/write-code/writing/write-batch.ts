import { comparableText } from "../../difference/index.js";
import { messageOf } from "../../protocol/index.js";
import { StorageError } from "../../storage/index.js";
import type { CallProposal, FileProposal, ProposalAnswer } from "../../tools/index.js";
import {
  WorkspaceConflictError,
  WorkspaceFullError,
  WorkspacePathError,
  type WorkspaceContent,
} from "../../workspace/index.js";
import type { ReportWriteCode } from "../events.js";
import type { WriteCodeFault } from "../outcome/faults.js";
import type { WritingFiles, WritingSession } from "../writing-session.js";
import {
  cancelled,
  inConflict,
  meaningOf,
  notStored,
  refused,
  type FileOutcome,
  type FileToWrite,
  type LookedAtFile,
} from "./files-to-write.js";
import { proposalsOf } from "./proposals.js";

/** Two versions of one file, which a model is to bring together. */
export interface Versions {
  /** What somebody else made of it; null where it was deleted. */
  readonly theirs: string | null;
  readonly ours: string;
}

/** What came of that, looked at like any text that a model wrote. */
export type Merged =
  | { readonly kind: "text"; readonly text: string; readonly notes: readonly string[] }
  | { readonly kind: "failed"; readonly fault: WriteCodeFault };

export interface BatchWriting {
  readonly session: Pick<WritingSession, "files">;
  /** Under which the changes can be undone: `workspace.changes(batchId)`. */
  readonly batchId: string;
  /** As the context of the tool's call has it. */
  readonly ask: (proposal: CallProposal) => Promise<ProposalAnswer>;
  /** Has a model bring two versions together, once for a file. */
  readonly merge: (file: FileToWrite, versions: Versions) => Promise<Merged>;
  readonly report: ReportWriteCode;
  /** Once it is aborted, nothing is written any more. */
  readonly signal: AbortSignal;
}

/** What became of a batch. */
export interface WrittenBatch {
  /** By path, of every file. */
  readonly outcomes: ReadonlyMap<string, FileOutcome>;
  /** Under which the changes can be undone; null where nothing was written. */
  readonly changes: string | null;
  readonly warnings: readonly string[];
}

/**
 * Shows files to whoever decides about them, and writes those that may be written, in one step that can be undone as one. A
 * file that cannot be written is left out and named; where the store is full, or broken, none is written.
 *
 * @throws what `ask` and `merge` throw, with nothing written, unless the call was stopped.
 */
export function writeBatch(files: readonly FileToWrite[], writing: BatchWriting): Promise<WrittenBatch> {
  return new BatchWriter(writing).write(files);
}

class BatchWriter {
  readonly #writing: BatchWriting;
  readonly #files: WritingFiles;
  readonly #outcomes = new Map<string, FileOutcome>();

  constructor(writing: BatchWriting) {
    this.#writing = writing;
    this.#files = writing.session.files;
  }

  async write(files: readonly FileToWrite[]): Promise<WrittenBatch> {
    const outcomes = this.#outcomes;
    try {
      const isWritten = await this.#store(await this.#agreed(await this.#lookAt(files)));
      const warnings = isWritten ? await this.#handOver() : [];
      return { outcomes, changes: isWritten ? this.#writing.batchId : null, warnings };
    } catch (error) {
      if (!this.#writing.signal.aborted) throw error;
      for (const file of files) if (!outcomes.has(file.path)) outcomes.set(file.path, cancelled(file));
      return { outcomes, changes: null, warnings: [] };
    }
  }

  /** As they are now, those that can be read. */
  async #lookAt(files: readonly FileToWrite[]): Promise<LookedAtFile[]> {
    this.#writing.signal.throwIfAborted();
    // Code that waits for the call may have written one of them.
    await this.#files.collect();
    const looks = files.map(async (file): Promise<LookedAtFile[]> => {
      try {
        const now = (await this.#files.readVersion(file.path)) ?? null;
        return [{ file, now, isInConflict: !isUnchanged(file.read, now) }];
      } catch (error) {
        this.#outcomes.set(file.path, notStored(file, messageOf(error)));
        return [];
      }
    });
    return (await Promise.all(looks)).flat();
  }

  /** Those that may be written. */
  async #agreed(files: readonly LookedAtFile[]): Promise<LookedAtFile[]> {
    const { accepted, toMerge } = await this.#ask(files);
    if (toMerge.length === 0) return accepted;
    const merged = await Promise.all(toMerge.map((file) => this.#merged(file)));
    const again = await this.#lookAt(merged.flat());
    // A model brings a file together once: what was changed again meanwhile is left to a person.
    for (const { file, isInConflict } of again) {
      if (isInConflict) this.#outcomes.set(file.path, inConflict(file, "it was changed once more meanwhile"));
    }
    const brought = again.filter(({ isInConflict }) => !isInConflict);
    try {
      return [...accepted, ...(await this.#ask(brought)).accepted];
    } catch (error) {
      this.#writing.signal.throwIfAborted();
      // The others are agreed on already.
      for (const { file } of brought) this.#outcomes.set(file.path, refused(file, messageOf(error)));
      return accepted;
    }
  }

  async #ask(files: readonly LookedAtFile[]): Promise<{ accepted: LookedAtFile[]; toMerge: LookedAtFile[] }> {
    const accepted: LookedAtFile[] = [];
    const toMerge: LookedAtFile[] = [];
    if (files.length === 0) return { accepted, toMerge };
    const answer = await this.#answerTo(await proposalsOf(files));
    for (const looked of files) {
      const { file, isInConflict } = looked;
      const { decision, reason = "nothing was decided about it" } = answer.get(file.path) ?? {};
      const meaning = meaningOf(decision, isInConflict);
      if (meaning === "write") accepted.push(looked);
      else if (meaning === "merge") toMerge.push(looked);
      else this.#outcomes.set(file.path, meaning === "keep" ? inConflict(file, reason) : refused(file, reason));
    }
    return { accepted, toMerge };
  }

  async #answerTo(files: readonly FileProposal[]): Promise<ProposalAnswer> {
    const { ask, report, signal } = this.#writing;
    signal.throwIfAborted();
    report({ type: "proposed", files });
    const answer = await ask({ files });
    signal.throwIfAborted();
    return answer;
  }

  /** The file as a model has brought it together with what is there, to be written in the place of that. */
  async #merged({ file, now }: LookedAtFile): Promise<FileToWrite[]> {
    const { path, content } = file;
    const theirs = await comparableText(now?.content ?? null);
    if (content.kind === "image" || theirs === undefined) {
      this.#outcomes.set(path, inConflict(file, "only texts can be brought together"));
      return [];
    }
    const merged = await this.#writing.merge(file, { theirs, ours: content.text });
    this.#writing.signal.throwIfAborted();
    if (merged.kind === "failed") {
      this.#outcomes.set(path, { kind: "failed", fault: merged.fault });
      return [];
    }
    return [{ ...file, content: { kind: "text", text: merged.text }, read: now, notes: merged.notes }];
  }

  /** Writes the files in one step. @returns whether any was written. */
  async #store(files: readonly LookedAtFile[]): Promise<boolean> {
    if (files.length === 0) return false;
    // What code that waits has written meanwhile is a conflict, too.
    await this.#files.collect();
    const left = new Map(files.map((looked) => [looked.file.path, looked]));
    // Each turn but the last leaves out a file.
    while (left.size > 0) {
      this.#writing.signal.throwIfAborted();
      try {
        this.#note(left, await this.#writeAll(left));
        return true;
      } catch (error) {
        const failure = failureOf(error);
        const only = left.get(failure.path ?? "");
        for (const { file } of only === undefined ? [...left.values()] : [only]) {
          this.#outcomes.set(file.path, failure.of(file));
          left.delete(file.path);
        }
      }
    }
    return false;
  }

  #writeAll(files: ReadonlyMap<string, LookedAtFile>): Promise<ReadonlyMap<string, string>> {
    const all = [...files];
    return this.#files.writeAll(new Map(all.map(([path, { file }]) => [path, bytesOrText(file)])), {
      ifVersion: new Map(all.map(([path, { now }]) => [path, now?.version ?? null])),
      recordsChanges: this.#writing.batchId,
    });
  }

  #note(files: ReadonlyMap<string, LookedAtFile>, versions: ReadonlyMap<string, string>): void {
    for (const [path, { file, now }] of files) {
      const { content, notes } = file;
      const operation = now === null ? "create" : "modify";
      this.#outcomes.set(path, { kind: "written", operation, version: versions.get(path) ?? "", content, notes });
    }
  }

  /** What is written is written, whether code that waits can have it now or not. @returns what to say of it. */
  async #handOver(): Promise<readonly string[]> {
    try {
      await this.#files.exchange();
      return [];
    } catch (error) {
      return [`The code that waits gets the files with its next run: ${messageOf(error)}`];
    }
  }
}

/** Bytes of files that are compared; of larger ones the versions say whether they have changed. */
const LARGEST_COMPARED = 2_000_000;

/** Whether two looks at a file saw the same: another version of an equal content is no loss to anybody. */
function isUnchanged(one: WorkspaceContent | null, other: WorkspaceContent | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.version === other.version) return true;
  const [before, after] = [one.content, other.content];
  if (before.byteLength !== after.byteLength || before.byteLength > LARGEST_COMPARED) return false;
  return before.every((byte, index) => byte === after[index]);
}

function bytesOrText({ content }: FileToWrite): string | Uint8Array {
  return content.kind === "text" ? content.text : content.bytes;
}

interface WriteFailure {
  /** The file that was in the way; absent where it was none of them alone. */
  readonly path?: string;
  readonly of: (file: FileToWrite) => FileOutcome;
}

/** Why a write failed. @throws what is no failure of a write. */
function failureOf(error: unknown): WriteFailure {
  if (error instanceof WorkspaceConflictError) {
    return { path: error.path, of: (file) => inConflict(file, "somebody else has written it meanwhile") };
  }
  const of = (file: FileToWrite): FileOutcome => notStored(file, messageOf(error));
  if (error instanceof WorkspacePathError) return { path: error.path, of };
  if (error instanceof WorkspaceFullError) return error.scope === "file" ? { path: error.path, of } : { of };
  if (error instanceof StorageError) return { of };
  throw error;
}
