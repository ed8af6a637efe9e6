import { Slices, VitrineError, type Problem, type TrustLevel, type WorkspaceChange } from "../protocol/index.js";
import { WorkspaceConflictError } from "./errors.js";
import type { ExpectedVersions } from "./expected-versions.js";
import { FileTable, type FileRecord, type SizeLimits } from "./file-table.js";

/** In place of a version: no file has it. */
const NEVER_SENT = "";

/** How often a write begins again because another tab was faster, before it is given up. */
const MOST_ATTEMPTS = 10;

/** What a mirror needs of its workspace. */
interface WorkspaceSide {
  readonly limits: SizeLimits;
  /** In a turn. Of paths that are not given they may be older. Default: all are read. */
  records(paths?: Iterable<string>): Promise<ReadonlyMap<string, FileRecord>>;
  read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * All or none. @returns the records of what was written.
   *
   * @throws {WorkspaceConflictError} when another tab has written one of them since the records were read.
   */
  write(
    files: ReadonlyMap<string, Uint8Array | null>,
    expected: ExpectedVersions,
  ): Promise<ReadonlyMap<string, FileRecord>>;
  inTurn<T>(step: () => Promise<T>): Promise<T>;
}

/** A file that the interpreter is to get only once a person agreed. */
export interface WithheldFile {
  readonly path: string;
  /** Of its content. */
  readonly version: string;
  /** The level of the session that wrote it. */
  readonly trust: TrustLevel;
  /** Undefined when it is gone by now. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** Page and run changed the same file. The page's content stays under its path. */
export interface WorkspaceConflict {
  readonly path: string;
  /** Where the run's content is now; null when the run had deleted the file. */
  readonly keptAs: string | null;
}

export interface AppliedChanges {
  /** What was written or deleted. */
  readonly paths: readonly string[];
  readonly conflicts: readonly WorkspaceConflict[];
  /** Files that were refused; the interpreter still has them. */
  readonly problems: readonly Problem[];
}

/**
 * Keeps the `/workspace` of one interpreter level with the stored files: what to
 * send before a run, what to store after it. A new interpreter needs a new one.
 */
export class WorkspaceMirror {
  readonly #workspace: WorkspaceSide;
  /** Version of each file that the interpreter has. */
  readonly #known = new Map<string, string>();
  /** What a run wrote and the storage refused. */
  readonly #unsaved = new Map<string, WorkspaceChange["content"]>();
  readonly #withholds: (author: TrustLevel) => boolean;
  /** Versions of files that are not withheld any more. */
  readonly #admitted = new Set<string>();

  /** @internal Use `workspace.mirror()`. */
  constructor(workspace: WorkspaceSide, withholds: (author: TrustLevel) => boolean) {
    this.#workspace = workspace;
    this.#withholds = withholds;
  }

  /** The files that `takeChanges` leaves out, because the session that wrote them is of another level. */
  async withheld(): Promise<WithheldFile[]> {
    const files: WithheldFile[] = [];
    for (const [path, record] of await this.#workspace.inTurn(() => this.#workspace.records())) {
      const { version, trust } = record;
      if (trust === undefined || !this.#isWithheld(record)) continue;
      files.push({ path, version, trust, read: () => this.#workspace.read(path) });
    }
    return files;
  }

  /** Lets the interpreter have a file in this version. */
  admit(version: string): void {
    this.#admitted.add(version);
  }

  /** The versions of files that a person let the interpreter have. */
  get admitted(): ReadonlySet<string> {
    return this.#admitted;
  }

  /** The interpreter did not get these changes after all: `takeChanges` hands them out again. */
  notTaken(changes: readonly WorkspaceChange[]): void {
    for (const { path } of changes) this.#known.set(path, NEVER_SENT);
  }

  /** Whatever changed in storage since the last call, in another tab too. Deletions first. */
  async takeChanges(): Promise<WorkspaceChange[]> {
    return await this.#workspace.inTurn(async () => {
      const all = await this.#workspace.records();
      const records = new Map([...all].filter(([, record]) => !this.#isWithheld(record)));
      const changes: WorkspaceChange[] = [];
      // One that is withheld now keeps in the interpreter what that had of it.
      for (const path of this.#known.keys()) if (!all.has(path)) changes.push({ path, content: null });
      const stale = [...records].filter(([path, { version }]) => this.#known.get(path) !== version);
      const slices = new Slices();
      const contents = await Promise.all(stale.map(([path]) => this.#workspace.read(path)));
      // To read large files takes the browser long, and so does it to send them.
      await slices.rest();
      for (const { path } of changes) this.#known.delete(path);
      stale.forEach(([path, { version }], index) => {
        const content = contents[index];
        if (content === undefined) return;
        changes.push({ path, content });
        this.#known.set(path, version);
      });
      return changes;
    });
  }

  /**
   * Stores what a run changed, in one write. A file that the page has changed since it was sent stays as the page left
   * it, and the run's content is kept beside it.
   *
   * @throws {StorageError} with nothing stored; the changes are kept and go with the next call.
   */
  async applyChanges(changes: readonly WorkspaceChange[]): Promise<AppliedChanges> {
    return await this.#workspace.inTurn(async () => {
      for (const { path, content } of changes) this.#unsaved.set(path, content);
      if (this.#unsaved.size === 0) return { paths: [], conflicts: [], problems: [] };
      const { plan, written } = await this.#write();
      this.#unsaved.clear();
      this.#learn(plan, written);
      return { paths: [...plan.files.keys()], conflicts: plan.conflicts, problems: plan.problems };
    });
  }

  /** In a turn. What another tab writes meanwhile is looked at again. */
  async #write(attempts = MOST_ATTEMPTS): Promise<{ plan: WritePlan; written: ReadonlyMap<string, FileRecord> }> {
    const plan = await this.#plan();
    if (plan.files.size === 0) return { plan, written: new Map() };
    try {
      return { plan, written: await this.#workspace.write(plan.files, plan.versions) };
    } catch (error) {
      if (!(error instanceof WorkspaceConflictError) || attempts === 1) throw error;
      return this.#write(attempts - 1);
    }
  }

  async #plan(): Promise<WritePlan> {
    const records = await this.#workspace.records(this.#unsaved.keys());
    const plan = new WritePlan(records, this.#known, this.#workspace.limits);
    const slices = new Slices();
    const unsaved = [...this.#unsaved];
    // Deletions first: what was a file may be a folder now.
    for (const [path, content] of unsaved) {
      if (content === null) plan.remove(path);
      await slices.rest();
    }
    for (const [path, content] of unsaved) {
      if (content !== null) plan.put(path, content);
      await slices.rest();
    }
    return plan;
  }

  /** What the interpreter wrote or has seen already is not withheld from it. */
  #isWithheld({ trust, version }: FileRecord): boolean {
    return trust !== undefined && this.#withholds(trust) && !this.#admitted.has(version);
  }

  #learn({ files, conflicts }: WritePlan, written: ReadonlyMap<string, FileRecord>): void {
    // The copy beside a conflict is not in the interpreter yet; the next run gets it with the page's content.
    const copies = new Set(conflicts.map(({ keptAs }) => keptAs));
    for (const path of files.keys()) {
      const record = written.get(path);
      if (record === undefined) this.#known.delete(path);
      else if (!copies.has(path)) this.#known.set(path, record.version);
    }
  }
}

/** What of a run's changes is to be written, and under which path. */
class WritePlan {
  readonly files = new Map<string, Uint8Array | null>();
  readonly conflicts: WorkspaceConflict[] = [];
  readonly problems: Problem[] = [];
  readonly #table: FileTable;

  constructor(
    private readonly records: ReadonlyMap<string, FileRecord>,
    private readonly known: ReadonlyMap<string, string>,
    limits: SizeLimits,
  ) {
    this.#table = new FileTable(records, limits);
  }

  /** Of the files that are to be written, as they were looked at; null where there was none. */
  get versions(): ExpectedVersions {
    return new Map(Array.from(this.files.keys(), (path) => [path, this.records.get(path)?.version ?? null] as const));
  }

  remove(path: string): void {
    if (!this.#table.has(path)) return;
    if (this.#isPages(path)) {
      this.conflicts.push({ path, keptAs: null });
      return;
    }
    this.#table.remove(path);
    this.files.set(path, null);
  }

  put(path: string, content: Uint8Array): void {
    const target = this.#isPages(path) ? this.#freePath(path) : path;
    try {
      this.#table.put(target, content.byteLength);
    } catch (error) {
      if (!(error instanceof VitrineError)) throw error;
      this.problems.push({ file: path, message: error.message, code: error.code });
      return;
    }
    this.files.set(target, content);
    if (target !== path) this.conflicts.push({ path, keptAs: target });
  }

  /** Whether the stored file is one that the interpreter has never seen. */
  #isPages(path: string): boolean {
    const stored = this.records.get(path)?.version;
    return stored !== undefined && stored !== this.known.get(path);
  }

  #freePath(path: string): string {
    const [, stem = path, extension = ""] = /^(.+?)(\.[^./]*)?$/.exec(path) ?? [];
    for (let number = 1; ; number += 1) {
      const free = `${stem}.conflict-${String(number)}${extension}`;
      if (!this.#table.has(free)) return free;
    }
  }
}
