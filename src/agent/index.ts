export type { AgentKind, ModelReply, Notify, StepOutcome } from "./agent-kind.js";
export type { AgentOptions } from "./agent-options.js";
export type { AgentRun } from "./agent-run.js";
export type { AgentDepthError, AgentFanOutError, AgentTaskError } from "./agent-task-errors.js";
export {
  agentTool,
  type AgentToolInput,
  type AgentToolOptions,
  type AgentToolSession,
  type SpreadLimits,
  type TaskSolver,
} from "./agent-tool.js";
export type {
  AgentCheck,
  AgentRunOptions,
  AgentSession,
  AgentSkill,
  OwnedSession,
  OwnedToolSession,
  ToolCalls,
  ToolClient,
  ToolSession,
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
  AgentLoadError,
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
  InterruptedStep,
  TaskResumed,
  StepEnded,
  StepStarted,
  TaskEnded,
  TaskFailed,
  TaskSignal,
  TaskStarted,
  UserMessage,
} from "./events.js";
export { Finalizer, type AnswerSource, type FinalAnswer, type FinalAnswerOptions } from "./finalizer.js";
export { rerunTask, type RerunParts } from "./rerun-task.js";
export { EarlierError, SavedTaskError, TaskNotFoundError, TaskNotResumableError } from "./saved/errors.js";
export { replayTask, type ReplayOptions } from "./saved/replay-task.js";
export type { SavedTask, SavedTaskState } from "./saved/saved-task.js";
export { TaskStore, type SavedTaskSummary, type TaskList, type TaskStoreOptions } from "./saved/task-store.js";
export { taskTranscript } from "./saved/task-transcript.js";
export { AgentTree, RunningTask, TaskPoint, type TaskInside } from "./running-task.js";
export { ReactAgent, type ReactAgentOptions } from "./react/react-agent.js";
export type { ToolCallingMode } from "./react/tool-calling-mode.js";
export { ModelCaller, type ModelCallerOptions } from "./model-caller.js";
export { StepInProgress, type EventPlace, type StepLog } from "./step.js";
export type { TaskOptions } from "./start-task.js";
export type { CallJournal } from "./take-up.js";
