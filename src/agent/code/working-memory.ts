import { shortenBytes, type MemoryReport } from "../../protocol/index.js";
import { MAX_OBSERVATION_SIZE } from "../conversation/conversation.js";

const EMPTY: MemoryReport = { values: [], observations: [], failedApproaches: [], variables: [] };

/** Approaches that failed and are told of: the latest. */
const MOST_FAILURES = 20;

/** What the task knows by heart: what its code noted down, and what failed before the agent's eyes. */
export class WorkingMemory {
  #report = EMPTY;
  /** The approaches that the agent has seen fail, each with the steps in which it did. */
  readonly #failures = new Map<string, number[]>();

  /** What the agent has seen fail, for the interpreter's copy of the memory: each approach once, with its first step. */
  get failures(): readonly string[] {
    return Array.from(this.#failures, ([approach, steps]) => failureNote(approach, steps.slice(0, 1)));
  }

  /** What the code has found out, for an interpreter that knows nothing of it. */
  get observations(): readonly string[] {
    return this.#report.observations;
  }

  /** What the code has noted as failed, for the same; what the agent has seen fail may be among it. */
  get failedApproaches(): readonly string[] {
    return this.#report.failedApproaches;
  }

  /** Names that the code has made in the interpreter. */
  get variables(): readonly string[] {
    return this.#report.variables;
  }

  /** Takes over what a run left. Null: the run has told nothing. */
  update(report: MemoryReport | null): void {
    if (report !== null) this.#report = report;
  }

  /** The interpreter is gone, and with it what was stored there; what was found out stays true. */
  loseValues(): void {
    const { observations, failedApproaches } = this.#report;
    this.#report = { ...EMPTY, observations, failedApproaches };
  }

  /** Notes an approach that failed in a step. Of one that is known only the step is noted. */
  fail(step: number, approach: string): void {
    this.#failures.set(approach, [...(this.#failures.get(approach) ?? []), step]);
  }

  /** As the model is shown it: the latest notes, in about so many bytes; empty when there is nothing. */
  text(limit = MAX_OBSERVATION_SIZE): string {
    const { values, observations } = this.#report;
    const shown = values.map(({ name, shown: text }) => `${name}: ${text}`);
    const lists = [
      noteList("### Stored Values", "memory.variables", shown),
      noteList("### Observations", "memory.observations", observations),
      noteList("### Failed Approaches (avoid these)", "memory.failed_approaches", this.#failed, MOST_FAILURES),
    ].filter(({ notes }) => notes.length > 0);
    if (lists.length === 0) return "";
    const texts = new Map<NoteList, string>();
    let left = limit;
    // The shortest first: the room that it does not need is the others'.
    for (const [index, list] of lists.toSorted((one, other) => one.size - other.size).entries()) {
      const text = latestOf(list, left / (lists.length - index));
      left -= sizeOf(text);
      texts.set(list, text);
    }
    return ["## Working Memory", ...lists.map((list) => `${list.heading}\n${texts.get(list) ?? ""}`)].join("\n\n");
  }

  /** What the code noted as failed, and what the agent has seen fail, of which the interpreter's copy may tell too. */
  get #failed(): readonly string[] {
    const seen = new Map(
      Array.from(this.#failures, ([approach, steps]): [string, string] => [
        failureNote(approach, steps.slice(0, 1)),
        failureNote(approach, steps),
      ]),
    );
    const notes = new Set([...this.#report.failedApproaches, ...seen.keys()]);
    return Array.from(notes, (note) => seen.get(note) ?? note);
  }
}

interface NoteList {
  readonly heading: string;
  /** Where code finds all of them. */
  readonly place: string;
  readonly notes: readonly string[];
  /** Notes that are shown. */
  readonly most: number;
  readonly size: number;
}

function noteList(heading: string, place: string, notes: readonly string[], most = Infinity): NoteList {
  const lines = notes.map((note) => `- ${note}`);
  return { heading, place, notes: lines, most, size: sizeOf(lines.join("\n")) };
}

function latestOf({ notes, most, place }: NoteList, bytes: number): string {
  const shown: string[] = [];
  let left = bytes + 1;
  for (const note of notes.slice(-most).toReversed()) {
    left -= sizeOf(note) + 1;
    if (left < 0) break;
    shown.unshift(note);
  }
  if (shown.length === 0) shown.push(shortenBytes(notes.at(-1) ?? "", bytes));
  if (shown.length < notes.length) shown.unshift(`- … the earlier ones are in ${place}`);
  return shown.join("\n");
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function failureNote(approach: string, steps: readonly number[]): string {
  return `${steps.length === 1 ? "Step" : "Steps"} ${steps.join(", ")}: ${approach}`;
}
