import {
  Dispatcher,
  Journal,
  type CallDescription,
  type DispatcherOptions,
  type JournalEntry,
} from "../../src/dispatch/index.js";
import { memoryStorage, type StorageBackend } from "../../src/storage/index.js";

/** Aborted by nobody. */
export const signal = new AbortController().signal;

export function description(changes: Partial<CallDescription> = {}): CallDescription {
  return {
    namespace: "tools",
    name: "echo.shout",
    arguments: { text: "hi" },
    hints: {},
    tags: [],
    runId: "run-1",
    parent: null,
    caller: "code",
    trust: "sandboxed",
    ...changes,
  };
}

/** What makes a call one that changes nothing. */
export const readOnly = { hints: { readOnly: true } } as const;

export interface SetUp {
  readonly dispatcher: Dispatcher;
  readonly journal: Journal;
  readonly storage: StorageBackend;
}

export function setUp(options: Partial<DispatcherOptions> = {}, storage: StorageBackend = memoryStorage()): SetUp {
  const journal = new Journal(storage, { sessionId: "s" });
  return { dispatcher: new Dispatcher({ journal, ...options }), journal, storage };
}

/** What a later life of the page reads, had this one ended in good order. */
export async function stored({ journal, storage }: SetUp): Promise<JournalEntry[]> {
  await journal.flush();
  return storedSoFar(storage);
}

/** What a later life of the page reads, had this one ended now. */
export function storedSoFar(storage: StorageBackend): Promise<JournalEntry[]> {
  return new Journal(storage, { sessionId: "reader" }).list();
}
