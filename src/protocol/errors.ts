import type { Value } from "./value.js";

/**
 * Root of every error Vitrine throws.
 *
 * `code` never changes between releases, so callers may switch on it. `name` is
 * also the name of the Python class that is raised when the error crosses the
 * bridge, so that `except ToolTimeoutError` works in session code.
 *
 * Each class writes both down: a bundler renames classes, and a base that a function makes of them would stand in the public
 * declarations in the place of this one.
 */
export abstract class VitrineError extends Error {
  abstract readonly code: string;

  /** What travels to Python beside the message: attributes of the exception there. */
  details(): Readonly<Record<string, Value>> {
    return {};
  }
}

/** The other side of a port sent something that is not part of the protocol. The session is over. */
export class ProtocolViolationError extends VitrineError {
  override readonly name = "ProtocolViolationError";
  readonly code = "PROTOCOL_VIOLATION";

  constructor(readonly what: string) {
    super(`The worker sent a message that the protocol does not know: ${what}. The session was closed.`);
  }
}

/** A value cannot cross the bridge. Nothing was sent. */
export class ValueNotTransferableError extends VitrineError {
  override readonly name = "ValueNotTransferableError";
  readonly code = "VALUE_NOT_TRANSFERABLE";

  constructor(
    readonly path: string,
    readonly reason: string,
  ) {
    super(`The value at ${path} cannot cross to Python: ${reason}.`);
  }
}

/** A frame of the value codec is damaged. */
export class MalformedValueError extends VitrineError {
  override readonly name = "MalformedValueError";
  readonly code = "MALFORMED_VALUE";

  constructor(reason: string) {
    super(`A value from the other side of the bridge is malformed: ${reason}.`);
  }
}

/** What a thrown value says: the message of an error, any other value as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The same with an error's name before its message, for readers that know errors by their names. */
export function namedMessageOf(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}
