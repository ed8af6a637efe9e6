import { VitrineError } from "../../protocol/index.js";
import { BudgetReachedError } from "../errors.js";
import type { AgentNotice, EventBase, LimitReached } from "../events/events.js";
import type { WorkLog } from "./event-log.js";
import type { Work } from "./work.js";

/** Reports what happens to a work as a whole. */
export class WorkReporter<Log extends WorkLog> {
  readonly log: Log;
  readonly #work: Work<Log>;

  constructor(work: Work<Log>) {
    this.log = work.log;
    this.#work = work;
  }

  /** Of the work itself. */
  get root(): { readonly id: string; readonly parentId: string | null; readonly step: null } {
    return { id: this.log.taskId, parentId: this.log.parentId, step: null };
  }

  /** Of something that happens once in it. */
  part(name: string): { readonly id: string; readonly parentId: string; readonly step: null } {
    const { taskId } = this.log;
    return { id: `${taskId}/${name}`, parentId: taskId, step: null };
  }

  /** Of something that there may be several of. */
  next(name: string): ReturnType<WorkReporter<Log>["part"]> {
    return this.part(`${name}-${String(this.log.events.length)}`);
  }

  notice(notice: AgentNotice): void {
    this.log.add({ type: "notice", ...this.next("notice"), notice });
  }

  limit({ kind, limit, message }: Pick<LimitReached, "kind" | "limit" | "message">): void {
    this.log.add({ type: "limit", ...this.root, kind, limit, message });
  }

  /**
   * Reports why the work ends that something was thrown in.
   *
   * @param ids - of what it was thrown in. Default: the work itself.
   * @returns null, with nothing reported, where the work was cancelled.
   */
  failure(thrown: unknown, ids?: ErrorIds): Error | null {
    const { cancellation, timeIsOver } = this.#work;
    if (cancellation.aborted) return null;
    const cause: unknown = timeIsOver.signal.aborted ? timeIsOver.signal.reason : thrown;
    const error = asError(cause);
    if (error instanceof BudgetReachedError) this.limit(error);
    else this.error(error, ids);
    return error;
  }

  error(thrown: unknown, ids: ErrorIds = this.part("error")): void {
    const error = asError(thrown);
    const { name, message } = error;
    const code = error instanceof VitrineError ? error.code : "INTERNAL";
    this.log.add({ type: "error", ...ids, name, code, message, error });
  }
}

type ErrorIds = Pick<EventBase, "id" | "parentId" | "step">;

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
