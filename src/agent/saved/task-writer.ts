import { SegmentWriter, type StorageBackend } from "../../storage/index.js";
import type { AgentEvent } from "../events/events.js";
import { writeEventLine } from "./write-event-line.js";
import { eventsPrefix } from "./keys.js";

/** Milliseconds for which pieces of one text are gathered before they are written. */
const GATHERING = 250;

/** Writes the events of a task as they come; a crash leaves what was written until then. */
export class TaskWriter {
  readonly #writer: SegmentWriter;
  readonly #onProblem: (error: unknown) => void;
  /** A piece of text that the next one may be joined to. */
  #open: AgentEvent | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watched: Promise<void> | undefined;

  constructor(
    storage: StorageBackend,
    {
      taskId,
      life,
      onProblem,
    }: { readonly taskId: string; readonly life: string; onProblem: (error: unknown) => void },
  ) {
    this.#writer = new SegmentWriter(storage, { prefix: eventsPrefix(taskId), life });
    this.#onProblem = onProblem;
  }

  add(event: AgentEvent): void {
    const joint = this.#open === null ? null : joined(this.#open, event);
    if (joint !== null) {
      this.#open = joint;
      return;
    }
    this.#writeOpen();
    if (isPiece(event)) {
      this.#open = event;
      this.#timer = setTimeout(() => {
        this.#writeOpen();
      }, GATHERING);
    } else {
      this.#write(event);
    }
  }

  /** Waits until everything so far is stored. @throws {StorageError} when the storage refuses it. */
  async flush(): Promise<void> {
    this.#writeOpen();
    await this.#writer.flush({ again: true });
  }

  #writeOpen(): void {
    clearTimeout(this.#timer);
    const event = this.#open;
    this.#open = null;
    if (event !== null) this.#write(event);
  }

  #write(event: AgentEvent): void {
    const durable = this.#writer.append(writeEventLine(event), { urgent: isUrgent(event) });
    // Of events that share a write, one report is enough.
    if (durable === this.#watched) return;
    this.#watched = durable;
    durable.catch(this.#onProblem);
  }
}

/** What a task could not be taken up without, and a call that begins: what was printed before it goes with it. */
function isUrgent(event: AgentEvent): boolean {
  if (event.type === "call") return event.entry.outcome.kind === "pending";
  return event.type === "task-started" || event.type === "step-ended";
}

function isPiece(event: AgentEvent): boolean {
  if (event.type === "output") return event.chunk.kind === "stdout" || event.chunk.kind === "stderr";
  if (event.type === "program") return event.news.kind === "text";
  return event.type === "model-text" || event.type === "model-reasoning";
}

/** Two pieces of one text as one, by the first one's place; null where they are not. */
function joined(first: AgentEvent, next: AgentEvent): AgentEvent | null {
  if (first.id !== next.id) return null;
  if (first.type === "model-text" && next.type === "model-text") return { ...first, text: first.text + next.text };
  if (first.type === "model-reasoning" && next.type === "model-reasoning") {
    return { ...first, text: first.text + next.text };
  }
  if (first.type === "program" && next.type === "program") {
    const [one, other] = [first.news, next.news];
    if (one.kind !== "text" || other.kind !== "text") return null;
    return { ...first, news: { ...one, text: one.text + other.text } };
  }
  if (first.type !== "output" || next.type !== "output") return null;
  const [one, other] = [first.chunk, next.chunk];
  if (one.kind !== "stdout" && one.kind !== "stderr") return null;
  if (other.kind !== one.kind) return null;
  return { ...first, chunk: { kind: one.kind, text: one.text + other.text } };
}
