import type { AgentName } from "../../../agent/index.js";
import type { JournalEntry } from "../../../dispatch/index.js";
import type { ModelToolCall } from "../../../model/index.js";
import type { RunResult } from "../../../session/index.js";
import { OutputLog } from "../text/output-log.js";
import type { ProgramView } from "./program-view.js";
import type { TaskView } from "./task-view.js";

/** What goes on in the course of one call: the tasks of agents that are tools, programs that fulfil a contract. */
export interface CallCourse {
  readonly tasks: TaskView[];
  readonly programs: ProgramView[];
}

/** Calls of one list that are shown at first, with those that failed, and at most. */
const FIRST_CALLS = 12;
const MOST_CALLS = 40;

/** What kept calls from their end: what made them is gone, or nothing was made and a replay was stopped. */
export type CutShort = "task" | "replay";

/** Calls by their ids, and by the same ids what goes on in their course. */
export class CallList {
  readonly entries = new Map<string, JournalEntry>();
  /** An id without a call is that of what the course belongs to where no call is known. */
  readonly courses = new Map<string, CallCourse>();

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

  courseOf(id: string): CallCourse {
    const known = this.courses.get(id);
    if (known !== undefined) return known;
    const course: CallCourse = { tasks: [], programs: [] };
    this.courses.set(id, course);
    return course;
  }

  /** The agents' tasks and the programs in the course of all these calls, in the order of the calls. */
  get all(): CallCourse {
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

/** What the code asked the person. */
export interface AskedQuestion {
  /** That of its event. */
  readonly id: string;
  readonly question: string;
  /** Null while it is waited for. */
  readonly answer: string | null;
}

/** A step as the page draws it. `version` grows with every change. */
export class StepView {
  version = 0;
  reply = "";
  reasoning = "";
  /** The tool calls that the model asked for beside its text. */
  toolCalls: readonly ModelToolCall[] = [];
  code: string | null = null;
  ignoredBlocks = 0;
  readonly calls = new CallList();
  readonly output = new OutputLog();
  readonly notices: string[] = [];
  /** What the code asked the person, by the id of the question. */
  readonly questions = new Map<string, AskedQuestion>();
  /** Ids of questions that the person does not answer. */
  readonly refused = new Set<string>();
  run: RunResult | null = null;
  /** What the model is told of it; null before that, and where it is told nothing more. */
  observation: string | null = null;
  readonly agent: AgentName;
  /** Whether its task came from a file. */
  readonly isImported: boolean;
  state: "asking" | "running" | "ended" = "asking";
  endedAt: number | null = null;
  /** Whether it is shown whole where the steps of a task that is over are a line each. */
  isUnfolded = false;

  /** What its code waits for the person to say. */
  get asked(): AskedQuestion | undefined {
    return [...this.questions.values()].find((asked) => this.waitsFor(asked));
  }

  /** Whether its code waits for the answer to that. */
  waitsFor({ id, answer }: AskedQuestion): boolean {
    return answer === null && this.state !== "ended" && !this.refused.has(id);
  }

  constructor(
    readonly number: number,
    /** Milliseconds since 1970. */
    readonly startedAt: number,
    { agent, isImported }: { readonly agent: AgentName; readonly isImported: boolean },
  ) {
    this.agent = agent;
    this.isImported = isImported;
  }
}
