export type { ClientCalls, ClientCallsOptions, ShownPicture } from "./client/client-calls.js";
export type { CheckOptions } from "./runs/code-check-options.js";
export type { ChildOptions } from "./child/child-options.js";
export { ChildSession } from "./child/child-session.js";
export { RunFailedError, SessionClosedError, SessionOptionsError } from "./errors.js";
export type { SessionArtifacts, SessionDeps, SessionSkills } from "./facades.js";
export { CallBudgetError, CallLimitError, NestingDepthError, OpenCallsError } from "./limit-errors.js";
export {
  RunError,
  type DisplayChunk,
  type FinalResult,
  type NamedTool,
  type RunResult,
  type Signal,
} from "./runs/run-result.js";
export type { RunOptions } from "./runs/run-options.js";
export type { HelperCall, ObserveTool } from "./calls/call-origin.js";
export { Session } from "./session.js";
export type { SessionState } from "./runs/run-queue.js";
export {
  SessionClient,
  type CallFileToolOptions,
  type CallToolOptions,
  type ClientOptions,
  type ClientRunOptions,
} from "./client/session-client.js";
export type { AutoInstall, SessionLimits, SessionOptions } from "./session-options.js";
export type { SessionTools, WhenKnownOptions } from "./session-tools.js";
export type { TrialOptions, TrialSession } from "./child/trial-session.js";
