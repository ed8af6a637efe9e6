import type { JournalEntry } from "../../../dispatch/index.js";
import type { FileResult, WriteCodeEvent } from "../../../write-code/index.js";
import type { DemoSession } from "../session/demo-session.js";
import { Observable } from "../text/observable.js";
import { BatchFile, type FileEnd } from "./batch-file.js";
import { keptResult } from "./kept-result.js";

/** Where what a batch has written is undone. */
export interface BatchPage {
  readonly session: DemoSession;
  announce(text: string): void;
}

/** Files that several models write, in the course of one call: what its events come to, or what the journal has kept of it. */
export class BatchView extends Observable {
  /** By path, in the order of the call. */
  readonly files = new Map<string, BatchFile>();
  readonly warnings: string[] = [];
  /** Under which it can be undone; null where it cannot. */
  changes: string | null = null;
  /** Whether its events were heard. The journal keeps none of them. */
  isHeard = false;
  isOver = false;
  /** Null where nothing of it may be opened or undone here. */
  readonly page: BatchPage | null;

  constructor(page: BatchPage | null) {
    super();
    this.page = page;
  }

  get count(): { readonly written: number; readonly all: number } {
    const all = [...this.files.values()];
    return { written: all.filter(({ standing }) => standing === "written").length, all: all.length };
  }

  apply(event: WriteCodeEvent): void {
    this.isHeard = true;
    switch (event.type) {
      case "batch-started":
        for (const { path, kind } of event.files) this.files.set(path, new BatchFile(path, kind));
        break;
      case "proposed":
        for (const proposal of event.files) this.#file(proposal.path).proposal = proposal;
        break;
      case "file-ended":
        this.#file(event.path).end = endOfResult(event.result);
        break;
      case "warning":
        this.warnings.push(event.message);
        break;
      case "batch-ended":
        this.changes = event.result.changes;
        this.settle();
        break;
      default:
        this.#file(event.path).apply(event);
        break;
    }
    this.changed();
  }

  /** Takes what the journal says of the call. */
  take({ outcome }: JournalEntry): void {
    if (outcome.kind === "pending" || this.isOver) return;
    if (!this.isHeard && outcome.kind === "ok") {
      const kept = keptResult(outcome.summary);
      this.changes = kept.changes;
      this.warnings.push(...kept.warnings);
      for (const { path, end } of kept.files) this.#file(path).end = end;
    }
    this.settle();
  }

  /** Nothing more comes. */
  settle(): void {
    this.isOver = true;
    for (const file of this.files.values()) file.settle();
    this.changed();
  }

  #file(path: string): BatchFile {
    const known = this.files.get(path);
    if (known !== undefined) return known;
    const file = new BatchFile(path);
    this.files.set(path, file);
    return file;
  }
}

function endOfResult(result: FileResult): FileEnd {
  return {
    status: result.status,
    operation: "operation" in result ? result.operation : null,
    message: "message" in result ? result.message : "",
    model: "model" in result ? result.model : null,
    reason: "reason" in result ? result.reason : null,
    warnings: result.warnings,
  };
}
