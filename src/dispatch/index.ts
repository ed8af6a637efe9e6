export * from "./public.js";
export { approvalPolicy } from "./approval-rules.js";
export { Approver, requestFor } from "./approver.js";
export { canonicalKey } from "./canonical-key.js";
export type { Invoke, InvokeContext } from "./call.js";
export { Dispatcher, type DispatcherOptions } from "./dispatcher.js";
export { JournalEntry } from "./journal-entry.js";
export { Journal, type CallRecord } from "./journal.js";
export { summarize, summarizeText } from "./summarize.js";
