export type { AgentRun } from "./agent-run.js";
export type { AgentRunOptions, AgentSession, AgentSkill, WorkspaceFile } from "./agent-session.js";
export { CodeAgent, type CodeAgentOptions, type TaskOptions } from "./code-agent.js";
export { AgentOptionsError, StepLimitReachedError, TaskSessionError } from "./errors.js";
export type {
  AgentAnswer,
  AgentEvent,
  AgentResult,
  AgentStep,
  Answer,
  ArtifactSaved,
  Call,
  Code,
  LimitReached,
  ModelEnded,
  ModelText,
  Notice,
  Output,
  StepEnded,
  StepStarted,
  TaskEnded,
  TaskFailed,
  TaskStarted,
} from "./events.js";
export { extractCode, type ExtractedCode } from "./extract-code.js";
