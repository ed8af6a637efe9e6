/** Why there is no file, or none that was written. */
export interface WriteCodeFault {
  readonly code: WriteCodeFaultCode;
  /** What happened, with what input, and what to do next. */
  readonly message: string;
}

/** What a caller may switch on; none of them changes between releases. */
export type WriteCodeFaultCode =
  /** No model came to a text. */
  | "GENERATION_FAILED"
  /** Every model refused the key. */
  | "MODEL_AUTH"
  /** The budget of the task that calls allows no further request. */
  | "BUDGET_REACHED"
  | "EMPTY_CODE"
  /** Python, JSON or another language that could not be read, twice. */
  | "CHECK_FAILED"
  | "IMAGE_FAILED"
  /** A person, or a rule of the session, said no to this file. */
  | "REFUSED"
  /** Somebody else changed the file meanwhile. */
  | "CONFLICT"
  /** The path, the size or the store did not let it be written. */
  | "WRITE_FAILED"
  | "CANCELLED";
