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
  readonly #taskIsRunning: () => boolean;
  /** Names of calls that the user allowed for the task that runs. */
  readonly #allowedForTask = new Set<string>();

  constructor(taskIsRunning: () => boolean) {
    super();
    this.#taskIsRunning = taskIsRunning;
  }

  /** Resolves once the user has answered; rejects when nobody waits for the answer any more. */
  ask(request: ApprovalRequest, { signal }: { readonly signal: AbortSignal }): Promise<ApprovalAnswer> {
    const place = request.caller !== "code" && this.#taskIsRunning() ? "task" : "console";
    const ofTask = place === "task" && request.foreign === null;
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
