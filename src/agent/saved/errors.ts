import { VitrineError } from "../../protocol/index.js";

/** A saved task, or a file that should hold one, cannot be read. */
export class SavedTaskError extends VitrineError {
  override readonly name = "SavedTaskError";
  readonly code = "SAVED_TASK";

  constructor(
    /** What is wrong with it. */
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`The saved task cannot be read: ${problem}. Save it anew where it comes from, or delete it.`, options);
  }
}

/** No task is saved under that id. */
export class TaskNotFoundError extends VitrineError {
  override readonly name = "TaskNotFoundError";
  readonly code = "TASK_NOT_FOUND";

  constructor(readonly taskId: string) {
    super(
      `No task is saved as "${taskId.slice(0, 100)}". It may have been deleted; the list of saved tasks has the others.`,
    );
  }
}

/** The task cannot go on, or not here. */
export class TaskNotResumableError extends VitrineError {
  override readonly name = "TaskNotResumableError";
  readonly code = "TASK_NOT_RESUMABLE";

  constructor(
    readonly taskId: string,
    problem: string,
  ) {
    super(`The task cannot be taken up again: ${problem}`);
  }
}

/** An error that a saved task ended with, as it was saved: the class it had is not there any more. */
export class EarlierError extends VitrineError {
  override readonly name: string;
  readonly code: string;

  constructor({ name, code, message }: { readonly name: string; readonly code: string; readonly message: string }) {
    super(message);
    this.name = name;
    this.code = code;
  }
}
