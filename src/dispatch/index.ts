export * from "./public.js";
export { approvalPolicy, defaultVerdict } from "./approval-rules.js";
export { Approver, requestFor, type ApproverOptions } from "./approver.js";
export { canonicalKey } from "./canonical-key.js";
export type { Invoke, InvokeContext } from "./call.js";
export { Dispatcher, type DispatcherOptions } from "./dispatcher.js";
export { Approval, CallCourse, CallOutcome, JournalEntry } from "./journal-entry.js";
export { Journal, type CallRecord, type FinishedOutcome, type JournalOptions, type Written } from "./journal.js";
export { summarize, summarizeText, type Summary } from "./summarize.js";
