import type { StorageBackend } from "../storage/index.js";
import type { ReactContext } from "./react-context.js";

export interface OpenContextOptions {
  /** Where it is kept. Closing it is the caller's affair. */
  readonly storage: StorageBackend;
  /** Letters, digits, `_` and `-`: the conversation's. */
  readonly id: string;
}

/**
 * Opens the context of a conversation, a new one where there is none of that id. One page at a time should write to it.
 *
 * @throws {ContextError} `CONTEXT_ID` @throws {StorageError}
 */
export async function openContext({ storage, id }: OpenContextOptions): Promise<ReactContext> {
  // A page that has no such conversation does not load how.
  const { readContext } = await import("./react-context.js");
  return readContext(id, storage);
}
