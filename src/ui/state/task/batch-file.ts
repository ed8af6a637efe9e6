import type { FileProposal } from "../../../tools/index.js";
import type { WriteCodeEventBody, WriteCodeFault } from "../../../write-code/index.js";
import { CandidateView } from "./candidate-view.js";

type Chosen = Extract<WriteCodeEventBody, { type: "chosen" }>;
type Checked = Extract<WriteCodeEventBody, { type: "checked" }>;

/** How a file stands. `unknown`: nothing is known of its end. */
export type FileStanding = "running" | "waiting" | "written" | "refused" | "conflict" | "failed" | "unknown";

/** What became of a file, as events say, or what the journal has kept of it. */
export interface FileEnd {
  readonly status: "success" | "error" | "refused" | "conflict";
  readonly operation: string | null;
  readonly message: string;
  readonly model: string | null;
  readonly reason: string | null;
  readonly warnings: readonly string[];
}

/** A file of a batch, from the first request to its end. */
export class BatchFile {
  /** Within `/workspace`. */
  readonly path: string;
  readonly kind: "code" | "image";
  /** By their numbers, in the order in which they began. */
  readonly candidates = new Map<number, CandidateView>();
  chosen: Chosen | null = null;
  readonly checks: Checked[] = [];
  fault: WriteCodeFault | null = null;
  proposal: FileProposal | null = null;
  end: FileEnd | null = null;
  isOver = false;

  constructor(path: string, kind: "code" | "image" = "code") {
    this.path = path;
    this.kind = kind;
  }

  get standing(): FileStanding {
    if (this.end !== null) return this.end.status === "success" ? "written" : endOf(this.end.status);
    if (this.fault !== null) return "failed";
    if (this.isOver) return "unknown";
    return this.proposal === null ? "running" : "waiting";
  }

  /** What goes on with it, in words. */
  get doing(): string {
    const all = [...this.candidates.values()];
    const writing = all.filter(({ state }) => state === "writing");
    const [first] = writing;
    if (this.proposal !== null) return "waits for your word";
    if (this.chosen !== null && writing.length === 0) return "is checked";
    if (writing.some(({ role }) => role === "merge")) return `${first?.model ?? ""} merges both`;
    if (writing.some(({ role }) => role === "repair")) return `${first?.model ?? ""} mends it`;
    if (writing.length > 1) return `${String(writing.length)} models write`;
    if (first !== undefined) return this.kind === "image" ? `${first.model} draws` : `${first.model} writes`;
    return all.some(({ state }) => state === "written") ? "is chosen between" : "waits for its turn";
  }

  apply(event: Exclude<Extract<WriteCodeEventBody, { path: string }>, { type: "file-ended" }>): void {
    switch (event.type) {
      case "candidate-started":
        this.candidates.set(event.candidate, new CandidateView(event));
        // What was proposed is not waited for any more: another text comes, of both that are in conflict for instance.
        this.proposal = null;
        break;
      case "candidate-text":
        this.candidates.get(event.candidate)?.hear(event.text);
        break;
      case "candidate-notice":
        this.candidates.get(event.candidate)?.note(event.notice);
        break;
      case "candidate-retry":
        this.candidates.get(event.candidate)?.retry(event);
        break;
      case "candidate-ended":
        this.candidates.get(event.candidate)?.end(event.end, event.elapsed);
        break;
      case "chosen":
        this.chosen = event;
        break;
      case "checked":
        this.checks.push(event);
        break;
      case "failed":
        this.fault = event.fault;
        break;
    }
  }

  settle(): void {
    this.isOver = true;
    for (const candidate of this.candidates.values()) candidate.settle();
  }
}

function endOf(status: "error" | "refused" | "conflict"): FileStanding {
  return status === "error" ? "failed" : status;
}
