export { BridgeArgumentError } from "./bridge-handlers.js";
export { ClientCalls, type ClientCallsOptions } from "./client-calls.js";
export type { CheckOptions } from "./code-check-options.js";
export { ChildSession, type ChildOptions } from "./child-session.js";
export {
  NoHelperError,
  NoInputError,
  NoRunError,
  RunFailedError,
  SessionClosedError,
  SessionOptionsError,
} from "./errors.js";
export type { SessionArtifacts, SessionDeps, SessionSkills } from "./facades.js";
export { CallBudgetError, CallLimitError, NestingDepthError, OpenCallsError } from "./limit-errors.js";
export {
  RunError,
  type DisplayChunk,
  type FinalResult,
  type NamedTool,
  type RunResult,
  signalText,
  type Signal,
} from "./run-result.js";
export { newRunId } from "./plan-run.js";
export type { HelperCall, RunOptions } from "./run-options.js";
export type { ObserveTool } from "./call-origin.js";
export { LONGEST_TIMEOUT, SESSION_LIMITS } from "./check-options.js";
export { Session } from "./session.js";
export type { SessionState } from "./session-work.js";
export { SessionClient, type CallToolOptions, type ClientOptions, type ClientRunOptions } from "./session-client.js";
export type { SessionLimits, SessionOptions } from "./session-options.js";
export type { SessionTools, WhenKnownOptions } from "./session-tools.js";
export { SkillFailedError } from "./skill-runs.js";
export { skillSignature } from "./skill-signature.js";
export type { TrialOptions, TrialSession } from "./trial-session.js";
