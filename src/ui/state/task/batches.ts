import type { JournalEntry } from "../../../dispatch/index.js";
import type { WriteCodeEvent } from "../../../write-code/index.js";
import { formatCount } from "../text/format.js";
import { BatchView, type BatchPage } from "./batch-view.js";

/** The tool that has files written by several models. */
export const WRITING_TOOL = "write_codebase_tool";

/** Batches that are kept with all that the models wrote. */
const MOST_KEPT = 30;

/** The batches of this visit, by the calls that they answer. Their events are kept nowhere else. */
export class Batches {
  readonly #page: BatchPage;
  readonly #known = new Map<string, BatchView>();

  constructor(page: BatchPage) {
    this.#page = page;
  }

  /** Takes the next event of any batch. */
  hear(event: WriteCodeEvent): void {
    const batch = this.of(event.callId);
    batch.apply(event);
    if (event.type !== "batch-ended") return;
    const { written, all } = batch.count;
    this.#page.announce(`${String(written)} of ${formatCount(all, "file")} written.`);
  }

  /** The batch of a call, with whatever is known of it. */
  of(callId: string): BatchView {
    const known = this.#known.get(callId) ?? new BatchView(this.#page);
    this.#known.set(callId, known);
    if (this.#known.size > MOST_KEPT) {
      // One that goes on is still heard of.
      const [oldest] = [...this.#known].find(([id, { isOver }]) => isOver && id !== callId) ?? [];
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    return known;
  }
}

/** Whether a call has files written. */
export function writesFiles({ namespace, name }: JournalEntry): boolean {
  return namespace === "tools" && name === WRITING_TOOL;
}
