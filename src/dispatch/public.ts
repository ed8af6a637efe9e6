export { ApprovalPatternError, type ApprovalRule, type Approvals, type ApprovalVerdict } from "./approval-rules.js";
export type { ApprovalAnswer, ApprovalRequest, ForeignContent, ForeignItem, OnApproval } from "./approver.js";
export type {
  Call,
  CallArguments,
  CallDescription,
  Caller,
  CallNamespace,
  CallNote,
  CallProgress,
  Decision,
  Policy,
  SkillDraft,
  Stage,
} from "./call.js";
export { CallPatternError, type CallPattern } from "./call-pattern.js";
export {
  CallCancelledError,
  CallEndedError,
  CallNotAllowedError,
  MiddlewareError,
  NestedArgumentsError,
} from "./errors.js";
export type { Approval, CallCourse, CallOutcome, JournalEntry } from "./journal-entry.js";
export type { Journal } from "./journal.js";
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
