import { VitrineError, type Value } from "../protocol/index.js";

/** A tool needs a secret that the session's store does not have. Nothing was called. */
export class SecretNotFoundError extends VitrineError {
  override readonly name = "SecretNotFoundError";
  readonly code = "SECRET_NOT_FOUND";

  constructor(
    readonly secretName: string,
    /** Who needs it: `tool 'library'`. */
    readonly neededBy: string,
  ) {
    super(
      `The secret ${secretName}, which ${neededBy} needs, is not in the session's secret store. ` +
        `The person at the page has to put it there: code cannot, and must not ask for its value.`,
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { secret_name: this.secretName };
  }
}

/** A text refers to a secret in a way that names none. */
export class SecretReferenceError extends VitrineError {
  override readonly name = "ValueError";
  readonly code = "SECRET_REFERENCE";

  constructor(readonly reference: string) {
    super(
      `'${reference}' names no secret. A reference is \${NAME} with letters, digits and _, and $\${ stands for \${ itself.`,
    );
  }
}
