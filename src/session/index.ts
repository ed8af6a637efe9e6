export { BridgeArgumentError } from "./bridge-handlers.js";
export { NoInputError, NoRunError, RunFailedError, SessionClosedError, SessionOptionsError } from "./errors.js";
export type { SessionArtifacts, SessionDeps, SessionSkills } from "./facades.js";
export { CallBudgetError, CallLimitError, NestingDepthError, OpenCallsError } from "./limit-errors.js";
export { RunError, type DisplayChunk, type RunResult } from "./run-result.js";
export { Session, type RunOptions, type SessionState } from "./session.js";
export type { SessionLimits, SessionOptions } from "./session-options.js";
export type { SessionTools } from "./session-tools.js";
export { SkillFailedError } from "./skill-runs.js";
