import type { ContractSlot, ProgramFault, ProgramNews, SlotOutput } from "../../../agent/index.js";
import { formatElapsed } from "../text/format.js";
import { CallList, type CutShort } from "./call-list.js";

/** How a slot stands: `handed-in` until somebody has looked at what the program made. */
export type SlotState = "waiting" | "handed-in" | "filled" | "refused" | "missing";

/** A slot of the contract as it fills. */
export interface SlotView {
  readonly slot: ContractSlot;
  /** Whether what is told of it came from a file that somebody shared. */
  readonly isImported: boolean;
  state: SlotState;
  draft: boolean;
  output: SlotOutput | null;
  summary: string;
  fault: ProgramFault | null;
  gaps: string | null;
  warnings: readonly string[];
}

/** One program of those that were written to fulfil the contract. `Task` is what is drawn of the agents that it calls. */
export interface AttemptView<Task> {
  readonly number: number;
  /** Null before its first character. */
  code: string | null;
  state: "writing" | "written" | "running" | "ended";
  /** Milliseconds that the model took, and that it ran. */
  writingTime: number | null;
  runningTime: number | null;
  fault: ProgramFault | null;
  objective: string;
  status: string;
  readonly story: string[];
  /** What went on while it was written. */
  readonly notices: string[];
  readonly calls: CallList<Task, ProgramView<Task>>;
  /** Whether the reader sees it; null before anybody has drawn it. */
  isUnfolded: boolean | null;
  /** Why another program was asked for; null where none was. */
  mended: { readonly fault: ProgramFault; readonly slots: readonly Readonly<SlotView>[] } | null;
}

/** A program and the contract that it fulfils, put together from what is told of it. */
export class ProgramView<Task> {
  /** Grows with every change. */
  version = 0;
  name = "Program";
  instruction = "";
  /** Who writes it; null where it was supplied. */
  model: string | null = null;
  state: "running" | "success" | "partial" | "error" | "interrupted" = "running";
  readonly slots: SlotView[] = [];
  readonly attempts: AttemptView<Task>[] = [];
  fault: ProgramFault | null = null;
  summary = "";
  warnings: readonly string[] = [];
  /** What was too much to be told. */
  leftOut = { calls: 0, sentences: 0 };
  /** It has a contract that can be fulfilled. */
  #hasBegun = false;

  constructor(
    readonly runId: string,
    /** Whether what is told of it came from a file that somebody shared. */
    readonly isImported = false,
  ) {}

  get active(): boolean {
    return this.state === "running";
  }

  /** What was asked for is no contract that can be fulfilled: it has no slots, and nobody writes a program for it. */
  get isRefused(): boolean {
    return this.state === "error" && !this.#hasBegun;
  }

  /** What it is doing, in words. */
  get doing(): string {
    const attempt = this.attempts.at(-1);
    if (attempt === undefined) return "begins";
    const again = attempt.number > 1 ? ", mended" : "";
    switch (attempt.state) {
      case "writing":
        return attempt.number > 1 ? "the model mends the program" : "the model writes the program";
      case "written":
        return `the program starts${again}`;
      case "running":
        return attempt.status === "" ? `the program runs${again}` : attempt.status;
      case "ended":
        return "the page looks at what was made";
    }
  }

  apply(news: ProgramNews): void {
    switch (news.kind) {
      case "begun":
        this.#hasBegun = true;
        this.name = news.name;
        this.instruction = news.instruction;
        this.model = news.model;
        this.slots.push(...news.slots.map((slot) => emptySlot(slot, this.isImported)));
        break;
      case "writing":
        this.#attempt(news.attempt);
        break;
      case "text": {
        const attempt = this.#attempt(news.attempt);
        attempt.code = (attempt.code ?? "") + news.text;
        break;
      }
      case "asked-again": {
        const attempt = this.#attempt(news.attempt);
        attempt.code = null;
        attempt.notices.push(`${news.message} It is asked again in ${formatElapsed(news.delay)}.`);
        break;
      }
      case "written": {
        const attempt = this.#attempt(news.attempt);
        attempt.code = news.code;
        attempt.fault = news.fault;
        attempt.writingTime = news.elapsed;
        attempt.state = news.code === null ? "ended" : "written";
        break;
      }
      case "running": {
        const attempt = this.#attempt(news.attempt);
        attempt.code = news.code ?? attempt.code;
        attempt.state = "running";
        break;
      }
      case "progress": {
        const attempt = this.#attempt(news.attempt);
        attempt.objective = news.objective ?? attempt.objective;
        attempt.status = news.status ?? attempt.status;
        attempt.story.push(...news.story);
        break;
      }
      case "handed-in": {
        const slot = this.#slot(news.slot);
        if (slot !== undefined) Object.assign(slot, { state: "handed-in", draft: news.draft });
        break;
      }
      case "ran": {
        const attempt = this.#attempt(news.attempt);
        attempt.state = "ended";
        attempt.fault = news.fault;
        attempt.runningTime = news.elapsed;
        break;
      }
      case "slot": {
        const { state, output, summary, fault, draft, gaps, warnings } = news;
        const slot = this.#slot(news.slot);
        if (slot !== undefined) Object.assign(slot, { state, output, summary, fault, draft, gaps, warnings });
        break;
      }
      case "mending": {
        // Its files are let go of.
        const slots = this.slots.map((slot) => ({ ...slot, output: null }));
        this.#attempt(news.attempt).mended = { fault: news.fault, slots };
        // The next program begins anew.
        for (const slot of this.slots) Object.assign(slot, emptySlot(slot.slot, this.isImported));
        break;
      }
      case "ended":
        this.state = news.status;
        this.fault = news.fault;
        this.summary = news.summary;
        this.warnings = news.warnings;
        this.leftOut = news.leftOut;
        break;
    }
  }

  /** Nothing more comes of it. */
  settle(why: CutShort): void {
    if (!this.active) return;
    this.state = "interrupted";
    this.version += 1;
    for (const attempt of this.attempts) {
      attempt.state = "ended";
      attempt.calls.settle(why);
    }
  }

  /** By the number, which what is told of its calls does not say: they are those of the latest. */
  get latest(): AttemptView<Task> | undefined {
    return this.attempts.at(-1);
  }

  #slot(id: string): SlotView | undefined {
    return this.slots.find(({ slot }) => slot.id === id);
  }

  #attempt(number: number): AttemptView<Task> {
    const known = this.attempts.find((attempt) => attempt.number === number);
    if (known !== undefined) return known;
    const attempt: AttemptView<Task> = {
      number,
      code: null,
      state: "writing",
      writingTime: null,
      runningTime: null,
      fault: null,
      objective: "",
      status: "",
      story: [],
      notices: [],
      calls: new CallList(),
      isUnfolded: null,
      mended: null,
    };
    this.attempts.push(attempt);
    return attempt;
  }
}

function emptySlot(slot: ContractSlot, isImported: boolean): SlotView {
  return {
    slot,
    isImported,
    state: "waiting",
    draft: false,
    output: null,
    summary: "",
    fault: null,
    gaps: null,
    warnings: [],
  };
}
