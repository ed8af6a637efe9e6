import type { ApprovalAnswer, ApprovalRequest } from "../../dispatch/index.js";
import { Observable } from "./observable.js";

/** A question that waits for the user. */
export interface PendingApproval {
  readonly request: ApprovalRequest;
  /** Where the card is drawn: beside the step whose call waits, or in the console. */
  readonly place: "task" | "console";
  readonly allowOnce: () => void;
  /** Until the task ends, or from the console as long as the session is open. */
  readonly allowAll: () => void;
  readonly deny: (reason: string) => void;
}

/** What code of the session wants and the user has to agree to, one question at a time. */
export class Approvals extends Observable {
  pending: PendingApproval | null = null;
  readonly #runningTask: () => string | null;
  /** Names of calls that the user allowed for the task that runs. */
  readonly #allowedForTask = new Set<string>();

  /** @param runningTask - the id of the task that runs. One that is replayed does not. */
  constructor(runningTask: () => string | null) {
    super();
    this.#runningTask = runningTask;
  }

  /** Resolves once the user has answered; rejects when nobody waits for the answer any more. */
  ask(request: ApprovalRequest, { signal }: { readonly signal: AbortSignal }): Promise<ApprovalAnswer> {
    // Beside a task there may be agents that the console called: what they ask has no step in it.
    const root = request.path[0]?.taskId;
    const place = root !== undefined && root === this.#runningTask() ? "task" : "console";
    // What a person has to see is agreed to once, each time that it is shown.
    const ofTask = place === "task" && request.foreign === null && request.skill === undefined;
    if (ofTask && this.#allowedForTask.has(request.name)) return Promise.resolve({ decision: "allow" });
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#show(null);
        reject(new DOMException("Nobody waits for the answer any more.", "AbortError"));
      };
      const answer = (given: ApprovalAnswer): void => {
        signal.removeEventListener("abort", stop);
        this.#show(null);
        resolve(given);
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#show({
        request,
        place,
        allowOnce: () => {
          answer({ decision: "allow" });
        },
        allowAll: () => {
          if (ofTask) this.#allowedForTask.add(request.name);
          answer(ofTask ? { decision: "allow" } : { decision: "allow", remember: "session" });
        },
        deny: (reason) => {
          answer({ decision: "deny", reason });
        },
      });
    });
  }

  /** What was allowed for a task ends with it. */
  endTask(): void {
    this.#allowedForTask.clear();
  }

  #show(pending: PendingApproval | null): void {
    this.pending = pending;
    this.changed();
  }
}
