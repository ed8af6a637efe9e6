export { auditMiddleware, type AuditOptions, type AuditOutcome, type AuditRecord } from "./audit-middleware.js";
export { cacheResults, type CacheOptions } from "./cache-results.js";
export { denyCalls } from "./deny-calls.js";
export { retryCalls, type RetryOptions } from "./retry-calls.js";
export { rewriteArguments, type ArgumentsRewrite } from "./rewrite-arguments.js";
