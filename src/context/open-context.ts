import { optionCheck } from "../options/index.js";
import type { StorageBackend } from "../storage/index.js";
import type { ReactContext } from "./react-context.js";

/** Which conversation is opened, and where it is kept. */
export interface OpenContextOptions {
  /** Where it is kept. Closing it is the caller's affair. */
  readonly storage: StorageBackend;
  /** Letters, digits, `_` and `-`: the conversation's. */
  readonly id: string;
}

const checkOptions = optionCheck<OpenContextOptions>("openContext", { storage: "object", id: "string" });

/**
 * Opens the context of a conversation, a new one where there is none of that id. Whoever changes it
 * after another opening of it has done so, or while a loop works on it elsewhere, gets a {@link ContextError}
 * `CONTEXT_CHANGED` or `CONTEXT_IN_USE`.
 *
 * @throws {ContextError} `CONTEXT_ID` @throws {StorageError}
 */
export async function openContext(options: OpenContextOptions): Promise<ReactContext> {
  checkOptions(options);
  const { storage, id } = options;
  // A page that has no such conversation does not load how.
  const { readContext } = await import("./react-context.js");
  return readContext(id, storage);
}
