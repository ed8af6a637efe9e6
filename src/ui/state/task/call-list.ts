import type { JournalEntry } from "../../../dispatch/index.js";

/** What goes on in the course of one call: the tasks of agents that are tools, programs that fulfil a contract. */
export interface CallCourse<Task, Program> {
  readonly tasks: Task[];
  readonly programs: Program[];
}

/** Calls of one list that are shown at first, with those that failed, and at most. */
const FIRST_CALLS = 12;
const MOST_CALLS = 40;

/** What kept calls from their end: what made them is gone, or nothing was made and a replay was stopped. */
export type CutShort = "task" | "replay";

/** Calls by their ids, and by the same ids what goes on in their course. */
export class CallList<Task, Program> {
  readonly entries = new Map<string, JournalEntry>();
  /** An id without a call is that of what the course belongs to where no call is known. */
  readonly courses = new Map<string, CallCourse<Task, Program>>();

  /**
   * The calls that are shown before someone asks for more. What failed is of interest, wherever it is, so is the latest,
   * and what has a course of its own is where agents and programs are found.
   */
  get first(): JournalEntry[] {
    const all = [...this.entries.values()];
    const wanted = all
      .filter(({ outcome }, index) => index < FIRST_CALLS || index === all.length - 1 || outcome.kind === "error")
      .slice(0, MOST_CALLS);
    const shown = new Set(wanted);
    return all.filter((entry) => shown.has(entry) || this.courses.has(entry.id));
  }

  courseOf(id: string): CallCourse<Task, Program> {
    const known = this.courses.get(id);
    if (known !== undefined) return known;
    const course: CallCourse<Task, Program> = { tasks: [], programs: [] };
    this.courses.set(id, course);
    return course;
  }

  /** The agents' tasks and the programs in the course of all these calls, in the order of the calls. */
  get all(): CallCourse<Task, Program> {
    const known = [...this.entries.keys()].flatMap((id) => this.courses.get(id) ?? []);
    const strays = [...this.courses].filter(([id]) => !this.entries.has(id)).map(([, course]) => course);
    const courses = [...known, ...strays];
    return { tasks: courses.flatMap(({ tasks }) => tasks), programs: courses.flatMap(({ programs }) => programs) };
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
  }
}
