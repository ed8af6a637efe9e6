import type { ApprovalAnswer, ApprovalRequest } from "../../../dispatch/index.js";
import { Observable } from "../text/observable.js";
import { FileChoices, type FileDecisions } from "./file-choices.js";

/** A question that waits for the user. */
export interface PendingApproval {
  readonly request: ApprovalRequest;
  /** Where the card is drawn: beside the step whose call waits, or in the console. */
  readonly place: "task" | "console";
  readonly allowOnce: () => void;
  /** Until the task ends, or from the console as long as the session is open. */
  readonly allowAll: () => void;
  readonly deny: (reason: string) => void;
  /** Every call of the name, until the task ends, or from the console until the run does. */
  readonly denyAll: (reason: string) => void;
  /** What the user chooses of the files that the call would write; absent where it is asked about itself. */
  readonly files?: FileChoices;
}

/** What code of the session wants and the user has to agree to, one question at a time. */
export class Approvals extends Observable {
  pending: PendingApproval | null = null;
  readonly #runningTask: () => string | null;
  /** What the user said for the task that runs, by what it is about. */
  readonly #saidForTask = new Map<string, ApprovalAnswer>();

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
    const topic = topicOf(request);
    const said = place === "task" ? this.#saidForTask.get(topic) : undefined;
    // Files are shown each time: a person agrees to what they have seen.
    const { files } = request;
    if (said !== undefined && (files === undefined || said.decision === "deny")) return Promise.resolve(said);
    /** What the user says to all calls of this name; `beyond` is how long the session remembers it where no task does. */
    const sayToAll = (given: ApprovalAnswer, beyond: NonNullable<ApprovalAnswer["remember"]>): ApprovalAnswer => {
      if (place === "console") return { ...given, remember: beyond };
      this.#saidForTask.set(topic, given);
      return given;
    };
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
      const allowFiles = (decisions: FileDecisions, reason: string): void => {
        answer({ decision: "allow", files: decisions, ...(reason === "" ? {} : { reason }) });
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#show({
        request,
        place,
        allowOnce: () => {
          answer({ decision: "allow" });
        },
        allowAll: () => {
          // What a person has to see is agreed to once, each time that it is shown.
          const isShown = request.foreign !== null || request.skill !== undefined || files !== undefined;
          answer(isShown ? { decision: "allow" } : sayToAll({ decision: "allow" }, "session"));
        },
        deny: (reason) => {
          answer({ decision: "deny", reason });
        },
        denyAll: (reason) => {
          answer(sayToAll({ decision: "deny", reason }, "run"));
        },
        ...(files === undefined ? {} : { files: new FileChoices(files, allowFiles) }),
      });
    });
  }

  /** What was said for a task ends with it. */
  endTask(): void {
    this.#saidForTask.clear();
  }

  #show(pending: PendingApproval | null): void {
    this.pending = pending;
    this.changed();
  }
}

/** Also the tool behind the name: code may give it to another. Foreign content is a matter of its own. */
function topicOf({ name, definitionId, foreign }: ApprovalRequest): string {
  return JSON.stringify([name, definitionId ?? null, foreign?.kind ?? null]);
}
