export {
  type Call,
  type CallArguments,
  type CallDescription,
  type Caller,
  type CallNamespace,
  type Decision,
  type Invoke,
  type InvokeContext,
  type Policy,
  type Stage,
} from "./call.js";
export { Dispatcher, type DispatcherOptions } from "./dispatcher.js";
export { CallCancelledError, CallNotAllowedError } from "./errors.js";
export { CallOutcome, JournalEntry } from "./journal-entry.js";
export { Journal, type CallRecord, type FinishedOutcome, type JournalOptions, type Written } from "./journal.js";
export { summarize, summarizeText, type Summary } from "./summarize.js";
