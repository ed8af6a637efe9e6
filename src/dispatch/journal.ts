import { optionCheck } from "../options/index.js";
import { decodeText, listKeys, SegmentWriter, type StorageBackend } from "../storage/index.js";

import type { CallDescription } from "./call.js";
import { JournalLine, type Approval, type CallCourse, type CallOutcome, type JournalEntry } from "./journal-entry.js";
import { summarize } from "./summarize.js";

const checkListOptions = optionCheck<{ readonly limit?: number }>("session.journal.list", { limit: "number?" });

export interface JournalOptions {
  readonly sessionId: string;
  /** Told when entries could not be stored or read. The calls themselves go on. */
  readonly onProblem?: (error: unknown) => void;
  /** Stored segments (of some 20 calls at the least) beyond which the oldest are deleted at start. Default 5,000. */
  readonly maxSegments?: number;
}

/** What an entry is made of; see {@link CallDescription}. */
export type CallRecord = Pick<
  CallDescription,
  "runId" | "parent" | "caller" | "namespace" | "name" | "arguments" | "trust"
>;

/** How a call ended, with its value in full; the journal keeps a summary. */
export type FinishedOutcome = Exclude<CallOutcome, { kind: "pending" } | { kind: "unknown" }>;

export interface Written {
  readonly entry: JournalEntry;
  /** Settles when the entry is stored; rejects when it could not be. Need not be awaited. */
  readonly durable: Promise<void>;
}

/** Where the segments lie in the storage. */
const JOURNAL_PREFIX = "journal/";

/** Entries of this life that are kept at hand; whole runs are let go, oldest first. */
const MAX_AT_HAND = 2000;

/** Segments asked for together, which a backend may read in one go. */
const SEGMENTS_AT_ONCE = 64;

/**
 * The record of every call, in storage. It only grows: a beginning and an
 * outcome are lines of their own, so that a crash leaves the beginning.
 */
export class Journal {
  readonly #storage: StorageBackend;
  readonly #sessionId: string;
  readonly #onProblem: (error: unknown) => void;
  readonly #life = randomName();
  readonly #writer: SegmentWriter;
  readonly #runs = new Map<string, Map<string, JournalEntry>>();
  readonly #open = new Map<string, JournalEntry>();
  #watched: Promise<void> | undefined;
  #count = 0;
  #atHand = 0;
  #lastStart = 0;

  constructor(storage: StorageBackend, { sessionId, onProblem = () => undefined, maxSegments = 5000 }: JournalOptions) {
    this.#storage = storage;
    this.#sessionId = sessionId;
    this.#onProblem = onProblem;
    this.#writer = new SegmentWriter(storage, { prefix: JOURNAL_PREFIX, life: this.#life, maxSegments });
  }

  /**
   * Notes that a call begins. With `urgent` the write starts before this tick ends, otherwise within some 30 ms.
   *
   * @internal
   */
  begin(call: CallRecord, { urgent = true }: { readonly urgent?: boolean } = {}): Written {
    this.#count += 1;
    const { runId, parent, caller, namespace, name, trust } = call;
    const fields = {
      id: `${this.#life}.${String(this.#count)}`,
      sessionId: this.#sessionId,
      runId,
      parent,
      caller,
      namespace,
      name,
      arguments: summarizeArguments(call.arguments),
      trust,
      startedAt: this.#now(),
    };
    const entry: JournalEntry = { ...fields, outcome: { kind: "pending" } };
    this.#open.set(entry.id, entry);
    this.#keep(entry);
    return { entry, durable: this.#append({ kind: "begin", id: fields.id, call: fields }, urgent) };
  }

  /**
   * Notes that a person is asked about a call, or what they said. An id that is not under way is a mistake of the caller.
   *
   * @internal
   */
  noteApproval(id: string, approval: Approval): JournalEntry {
    const begun = this.#open.get(id);
    if (begun === undefined) throw new RangeError(`No call ${id} is under way.`);
    const entry: JournalEntry = { ...begun, approval };
    this.#open.set(id, entry);
    this.#replace(entry);
    void this.#append({ kind: "approval", id, approval }, false);
    return entry;
  }

  /**
   * Adds to what became of a call on its way. That it waits for its turn is shown and not stored.
   *
   * @internal
   */
  noteCourse(id: string, course: CallCourse): JournalEntry {
    const begun = this.#open.get(id);
    if (begun === undefined) throw new RangeError(`No call ${id} is under way.`);
    const entry: JournalEntry = { ...begun, course: { ...begun.course, ...course } };
    this.#open.set(id, entry);
    this.#replace(entry);
    if (course.queue?.kind !== "waiting") void this.#append({ kind: "course", id, course: { ...entry.course } }, false);
    return entry;
  }

  /**
   * Notes how a call ended. An id that is not under way is a mistake of the caller.
   *
   * @internal
   */
  finish(id: string, outcome: FinishedOutcome, { urgent = true }: { readonly urgent?: boolean } = {}): Written {
    const begun = this.#open.get(id);
    if (begun === undefined) throw new RangeError(`No call ${id} is under way.`);
    this.#open.delete(id);
    const entry: JournalEntry = { ...begun, outcome };
    this.#replace(entry);
    return { entry, durable: this.#append({ kind: "end", id, outcome }, urgent) };
  }

  /** The calls of a run of this page's life, in the order they began. */
  forRun(runId: string): JournalEntry[] {
    return [...(this.#runs.get(runId)?.values() ?? [])];
  }

  /**
   * The newest entries, oldest of them first, those of earlier lives of the page included. A call that was under way
   * when its page went away has the outcome `unknown`. A damaged record is left out and told to `onProblem`.
   *
   * @throws {StorageError} when the storage cannot be reached.
   */
  async list(options: { readonly limit?: number } = {}): Promise<JournalEntry[]> {
    checkListOptions(options);
    const { limit = 1000 } = options;
    // What the storage refuses is still at hand.
    await this.#writer.flush().catch(this.#onProblem);
    const stored = await this.#readNewest(limit);
    const mine = new Map(this.#mine().map((entry) => [entry.id, entry]));
    const entries = [...stored.filter(({ id }) => !mine.has(id)), ...mine.values()];
    // Sorting is stable: calls of one millisecond stay in the order in which they were noted.
    return entries.sort((a, b) => a.startedAt - b.startedAt).slice(limit > 0 ? -limit : entries.length);
  }

  /** Every entry as a line of JSON. */
  async exportJsonLines(): Promise<string> {
    const entries = await this.list({ limit: Infinity });
    return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  }

  /** Waits until everything so far is stored. @throws {StorageError} when the storage refuses it. */
  async flush(): Promise<void> {
    await this.#writer.flush();
  }

  /** A clock that is set back must not put later entries before earlier ones. */
  #now(): number {
    this.#lastStart = Math.max(this.#lastStart, Date.now());
    return this.#lastStart;
  }

  #append(line: JournalLine, urgent: boolean): Promise<void> {
    const durable = this.#writer.append(JSON.stringify(line), { urgent });
    // Of calls that share a write, one report is enough.
    if (durable !== this.#watched) {
      this.#watched = durable;
      durable.catch(this.#onProblem);
    }
    return durable;
  }

  #keep(entry: JournalEntry): void {
    let run = this.#runs.get(entry.runId);
    if (run === undefined) {
      run = new Map();
      this.#runs.set(entry.runId, run);
    }
    run.set(entry.id, entry);
    this.#atHand += 1;
    if (this.#atHand > MAX_AT_HAND && this.#runs.size > 1) this.#letGo(entry.runId);
  }

  #replace(entry: JournalEntry): void {
    const run = this.#runs.get(entry.runId);
    if (run?.has(entry.id) === true) run.set(entry.id, entry);
  }

  #letGo(current: string): void {
    for (const [runId, run] of this.#runs) {
      if (this.#atHand <= MAX_AT_HAND) return;
      if (runId === current) continue;
      this.#runs.delete(runId);
      this.#atHand -= run.size;
    }
  }

  #mine(): JournalEntry[] {
    return [...Array.from(this.#runs.values(), (run) => [...run.values()]).flat(), ...this.#open.values()];
  }

  /** At least so many of the stored entries, if there are, in the order in which they were noted. */
  async #readNewest(limit: number): Promise<JournalEntry[]> {
    const outcomes = new Map<string, CallOutcome>();
    const approvals = new Map<string, Approval>();
    const courses = new Map<string, CallCourse>();
    const newestFirst: JournalEntry[] = [];
    const keys = await listKeys(this.#storage, JOURNAL_PREFIX);
    // From the end, so that a long journal is not read whole. An outcome comes after its beginning.
    while (keys.length > 0 && newestFirst.length < limit) {
      const segments = await Promise.all(keys.splice(-SEGMENTS_AT_ONCE).map((key) => this.#readSegment(key)));
      for (const line of segments.flat().reverse()) {
        if (line.kind === "end") outcomes.set(line.id, line.outcome);
        // Read backwards, so the first that is met is the last word.
        else if (line.kind === "approval") approvals.set(line.id, approvals.get(line.id) ?? line.approval);
        else if (line.kind === "course") courses.set(line.id, courses.get(line.id) ?? line.course);
        else {
          const { id } = line;
          newestFirst.push(
            storedEntry(line, { outcome: outcomes.get(id), approval: approvals.get(id), course: courses.get(id) }),
          );
        }
      }
    }
    return newestFirst.reverse();
  }

  async #readSegment(key: string): Promise<JournalLine[]> {
    try {
      const bytes = await this.#storage.get(key);
      const text = bytes === undefined ? "" : decodeText(bytes);
      if (text === null) throw new SyntaxError(`${key} is not text`);
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JournalLine.parse(JSON.parse(line)));
    } catch (error) {
      this.#onProblem(error);
      return [];
    }
  }
}

interface StoredParts {
  readonly outcome: CallOutcome | undefined;
  readonly approval: Approval | undefined;
  readonly course: CallCourse | undefined;
}

function storedEntry(
  { call }: Extract<JournalLine, { kind: "begin" }>,
  { outcome, approval, course }: StoredParts,
): JournalEntry {
  return {
    ...call,
    ...(approval === undefined ? {} : { approval }),
    ...(course === undefined ? {} : { course }),
    outcome: outcome ?? { kind: "unknown" },
  };
}

/** Arguments as the journal keeps them. */
export function summarizeArguments(args: CallRecord["arguments"]): JournalEntry["arguments"] {
  const summary = summarize(args);
  // Arguments are a dict, and a dict stays one.
  return typeof summary === "object" && summary !== null && !Array.isArray(summary)
    ? (summary as JournalEntry["arguments"])
    : {};
}

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36).padStart(7, "0")).join("");
}
