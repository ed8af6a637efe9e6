import type { ModelNotice } from "../../../model/index.js";
import type { CandidateEnd, WriteCodeEventBody } from "../../../write-code/index.js";
import { formatElapsed } from "../text/format.js";
import { beginningOf, broken, endOf } from "../text/text-ends.js";

type Started = Extract<WriteCodeEventBody, { type: "candidate-started" }>;
type Retry = Extract<WriteCodeEventBody, { type: "candidate-retry" }>;

/** Characters that are kept of a text that goes on for ever. */
const LONGEST = 1_000_000;

/** Lines of the end that are shown while a text comes, and characters of them. */
const TAIL_LINES = 24;
const TAIL = 3000;

/** Lines of the beginning that are shown of a whole text, and characters of them. */
const HEAD_LINES = 14;
const HEAD = 2000;

/** A text that one model has come to, or is writing, for one file. */
export class CandidateView {
  readonly model: string;
  readonly role: Started["role"];
  state: "writing" | "written" | "failed" | "left" = "writing";
  /** While it comes what has come of the reply, and then the file that was taken out of it. */
  text = "";
  lines = 0;
  failure: Extract<CandidateEnd, { kind: "failed" }> | null = null;
  readonly notices: string[] = [];
  /** That it is asked again; empty where it is not waited for. */
  again = "";
  /** Milliseconds; null until it has ended. */
  elapsed: number | null = null;
  /** Whether the reader has asked for all of it. */
  isWhole = false;

  constructor({ model, role }: Pick<Started, "model" | "role">) {
    this.model = model;
    this.role = role;
  }

  /** The last lines of what has come: all of it is too much to be laid out with each piece. */
  get tail(): string {
    const end = endOf(this.text.slice(-TAIL), TAIL);
    let from = end.length;
    for (let line = 0; line < TAIL_LINES && from > 0; line++) from = end.lastIndexOf("\n", from - 1);
    return broken(from > 0 ? end.slice(from + 1) : end);
  }

  /** The first lines. */
  get head(): string {
    const beginning = beginningOf(this.text.slice(0, HEAD), HEAD);
    let to = -1;
    for (let line = 0; line < HEAD_LINES; line++) {
      to = beginning.indexOf("\n", to + 1);
      if (to < 0) return beginning;
    }
    return beginning.slice(0, to);
  }

  hear(text: string): void {
    this.again = "";
    this.text += text;
    this.lines += countEnds(text) + (this.lines === 0 && text !== "" ? 1 : 0);
    if (this.text.length > LONGEST) this.text = this.text.slice(-LONGEST / 2);
  }

  note({ message }: ModelNotice): void {
    this.notices.push(message);
  }

  /** It failed, and is asked again, from the start. */
  retry({ message, delay }: Retry): void {
    this.text = "";
    this.lines = 0;
    this.again = `${message} It is asked again in ${formatElapsed(delay)}.`;
  }

  end(end: CandidateEnd, elapsed: number): void {
    this.elapsed = elapsed;
    this.again = "";
    if (end.kind === "failed") {
      this.state = "failed";
      this.failure = end;
      return;
    }
    this.state = "written";
    this.text = end.text;
    this.lines = countEnds(end.text) + (end.text === "" || end.text.endsWith("\n") ? 0 : 1);
  }

  /** Nothing more comes. */
  settle(): void {
    if (this.state === "writing") this.state = "left";
    this.again = "";
  }
}

function countEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
