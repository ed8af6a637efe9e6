export {
  ApprovalPatternError,
  approvalPolicy,
  defaultVerdict,
  type ApprovalRule,
  type Approvals,
  type ApprovalVerdict,
} from "./approval-rules.js";
export {
  Approver,
  requestFor,
  type ApprovalAnswer,
  type ApprovalRequest,
  type ApproverOptions,
  type ForeignContent,
  type ForeignItem,
  type OnApproval,
} from "./approver.js";
export { canonicalKey } from "./canonical-key.js";
export {
  type Call,
  type CallArguments,
  type CallDescription,
  type Caller,
  type CallNamespace,
  type CallNote,
  type CallProgress,
  type Decision,
  type Invoke,
  type InvokeContext,
  type Policy,
  type SkillDraft,
  type Stage,
} from "./call.js";
export { Dispatcher, type DispatcherOptions } from "./dispatcher.js";
export { CallPatternError, type CallPattern } from "./call-pattern.js";
export {
  CallCancelledError,
  CallEndedError,
  CallNotAllowedError,
  MiddlewareError,
  NestedArgumentsError,
} from "./errors.js";
export { Approval, CallCourse, CallOutcome, JournalEntry } from "./journal-entry.js";
export { Journal, type CallRecord, type FinishedOutcome, type JournalOptions, type Written } from "./journal.js";
export {
  auditMiddleware,
  cacheResults,
  denyCalls,
  retryCalls,
  rewriteArguments,
  type ArgumentsRewrite,
  type AuditOptions,
  type AuditOutcome,
  type AuditRecord,
  type CacheOptions,
  type RetryOptions,
} from "./middleware/index.js";
export { summarize, summarizeText, type Summary } from "./summarize.js";
