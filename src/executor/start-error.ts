import { messageOf, VitrineError } from "../protocol/index.js";
import { CspBlockedError, WorkerStartError } from "./errors.js";

/** The worker's errors arrive as plain text; a policy that refused something says so at its beginning. */
export function startError(error: unknown): Error {
  if (error instanceof VitrineError) return error;
  const message = messageOf(error);
  const [, directive, blocked] = /CSP_BLOCKED (\S+) (\S*)/.exec(message) ?? [];
  // The violation names a blob by its bare scheme, which a policy writes with a colon.
  const source = blocked === "blob" || blocked === "data" ? `${blocked}:` : (blocked ?? "");
  if (directive !== undefined) return new CspBlockedError([`${directive} ${source}`.trim()]);
  return new WorkerStartError(message, { cause: error });
}
