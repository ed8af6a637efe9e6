import type { JournalEntry } from "../../../dispatch/index.js";
import type { BatchView } from "./batch-view.js";

/** What goes on in the course of one call: the tasks of agents that are tools, programs that fulfil a contract, files that are written. */
export interface CallContents<Task, Program> {
  readonly tasks: Task[];
  readonly programs: Program[];
  /** One, where the call has files written. */
  readonly batches: BatchView[];
}

/** Calls of one list that are shown at first, with those that failed, and at most. */
const FIRST_CALLS = 12;
const MOST_CALLS = 40;

/** What kept calls from their end: what made them is gone, or nothing was made and a replay was stopped. */
export type CutShort = "task" | "replay";

/** Calls by their ids, and by the same ids what goes on in their course. */
export class CallList<Task, Program> {
  readonly entries = new Map<string, JournalEntry>();
  /** An id without a call is that of what they belong to where no call is known. */
  readonly contents = new Map<string, CallContents<Task, Program>>();

  /**
   * The calls that are shown before someone asks for more. What failed is of interest, wherever it is, so is the latest,
   * and what has contents is where agents and programs are found.
   */
  get first(): JournalEntry[] {
    const all = [...this.entries.values()];
    const wanted = all
      .filter(({ outcome }, index) => index < FIRST_CALLS || index === all.length - 1 || outcome.kind === "error")
      .slice(0, MOST_CALLS);
    const shown = new Set(wanted);
    return all.filter((entry) => shown.has(entry) || this.contents.has(entry.id));
  }

  contentsOf(id: string): CallContents<Task, Program> {
    const known = this.contents.get(id);
    if (known !== undefined) return known;
    const contents: CallContents<Task, Program> = { tasks: [], programs: [], batches: [] };
    this.contents.set(id, contents);
    return contents;
  }

  /** The agents' tasks, the programs and the batches of files in the course of all these calls, in the order of the calls. */
  get all(): CallContents<Task, Program> {
    const known = [...this.entries.keys()].flatMap((id) => this.contents.get(id) ?? []);
    const strays = [...this.contents].filter(([id]) => !this.entries.has(id)).map(([, contents]) => contents);
    const all = [...known, ...strays];
    return {
      tasks: all.flatMap(({ tasks }) => tasks),
      programs: all.flatMap(({ programs }) => programs),
      batches: all.flatMap(({ batches }) => batches),
    };
  }

  /** Calls whose end a replay did not come to. */
  readonly notReplayed = new Set<string>();

  /** What began and has not ended never will. */
  settle(why: CutShort): void {
    for (const entry of this.entries.values()) {
      if (entry.outcome.kind !== "pending") continue;
      if (why === "replay") this.notReplayed.add(entry.id);
      else this.entries.set(entry.id, { ...entry, outcome: { kind: "unknown" } });
    }
    for (const { batches } of this.contents.values()) for (const batch of batches) batch.settle();
  }
}
