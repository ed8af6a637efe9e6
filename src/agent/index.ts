export type { AgentKind, ModelReply, Notify, StepOutcome } from "./agent-kind.js";
export type { AgentRun } from "./agent-run.js";
export type {
  AgentCheck,
  AgentRunOptions,
  AgentSession,
  AgentSkill,
  OwnedSession,
  WorkspaceFile,
} from "./agent-session.js";
export {
  BudgetMeter,
  type BudgetKind,
  type ModelPrices,
  type TaskBudget,
  type TaskUsage,
  type TokenUsage,
} from "./budget.js";
export { CodeAgent, type CodeAgentOptions, type ExecutionLimits } from "./code/code-agent.js";
export type { OnQuestion } from "./code/code-kind.js";
export { extractCode, type ExtractedCode } from "./code/extract-code.js";
export {
  Conversation,
  keepLastSteps,
  noPruning,
  pruneOldObservations,
  type ConversationItem,
  type ConversationStep,
  type ConversationTurn,
  type PruningStrategy,
} from "./conversation.js";
export {
  AgentOptionsError,
  BudgetReachedError,
  InvalidFinalAnswerError,
  MultipleFinalAnswersError,
  PromptFileError,
  StepLimitReachedError,
  TaskEndedError,
  TaskSessionError,
} from "./errors.js";
export type {
  AgentAnswer,
  AgentEvent,
  AgentName,
  AgentNotice,
  AgentResult,
  AgentStep,
  Answer,
  ArtifactSaved,
  Call,
  Code,
  EventBase,
  EventBody,
  LimitReached,
  ModelEnded,
  ModelReasoning,
  ModelRetry,
  ModelText,
  Notice,
  Output,
  Pruned,
  Question,
  SignalGiven,
  StepEnded,
  StepStarted,
  TaskEnded,
  TaskFailed,
  TaskSignal,
  TaskStarted,
  UserMessage,
} from "./events.js";
export { Finalizer, type AnswerSource, type FinalAnswer, type FinalAnswerOptions } from "./finalizer.js";
export { ModelCaller, type ModelCallerOptions } from "./model-caller.js";
export { StepInProgress, type EventPlace, type StepLog } from "./step.js";
export type { TaskOptions } from "./start-task.js";
