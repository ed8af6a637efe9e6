export type { AgentKind, ModelReply, Notify, StepOutcome } from "./work/agent-kind.js";
export type { AgentOptions } from "./agent-options.js";
export type { AgentRun } from "./work/agent-run.js";
export type { AgentDepthError, AgentFanOutError, AgentTaskError } from "./nesting/agent-task-errors.js";
export { agentTool } from "./nesting/agent-tool.js";
export type {
  AgentToolInput,
  AgentToolOptions,
  AgentToolSession,
  SpreadLimits,
  TaskSolver,
} from "./nesting/agent-tool-options.js";
export type {
  AgentCheck,
  AgentRunOptions,
  AgentSession,
  AgentSkill,
  CallJournal,
  OwnedSession,
  OwnedToolSession,
  SkillCallOptions,
  ToolCalls,
  ToolClient,
  ToolSession,
  WorkspaceFile,
} from "./agent-session.js";
export {
  MODEL_PRICES,
  TASK_BUDGET,
  BudgetMeter,
  type ModelPrices,
  type TaskBudget,
  type TaskUsage,
  type TokenUsage,
} from "./budget/budget.js";
export { budgetPolicy } from "./budget/budget-policy.js";
export { CodeAgent, type CodeAgentOptions, type ExecutionLimits } from "./code/code-agent.js";
export type { OnQuestion, QuestionContext } from "./code/code-kind.js";
export { extractCode, type ExtractedCode } from "./conversation/extract-code.js";
export {
  Conversation,
  keepLastSteps,
  noPruning,
  pruneOldObservations,
  type ConversationItem,
  type ConversationStep,
  type ConversationTurn,
  type PruningStrategy,
} from "./conversation/conversation.js";
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
  type BudgetKind,
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
  ProgramTold,
  Pruned,
  Question,
  SignalGiven,
  SkillAsked,
  SkillEnded,
  SkillProposed,
  SkillTried,
  InterruptedStep,
  TaskResumed,
  StepEnded,
  StepStarted,
  TaskEnded,
  TaskFailed,
  TaskSignal,
  TaskStarted,
  UserMessage,
} from "./events/events.js";
export { TaskFold, type OpenStep } from "./events/task-fold.js";
export { fencedJson } from "./conversation/fenced-json.js";
export { Finalizer, type AnswerSource, type FinalAnswer, type FinalAnswerOptions } from "./events/finalizer.js";
export type { ContractSlot, ProgramFault, ProgramNews, SlotOutput } from "./events/program-news.js";
export { rerunTask, type RerunParts } from "./loop/rerun-task.js";
export type { ArtifactSource, AttachedArtifact, Attachments, MissingArtifact } from "./saved/attachments.js";
export { EarlierError, SavedTaskError, TaskNotFoundError, TaskNotResumableError } from "./saved/errors.js";
export { replayTask, type ReplayOptions } from "./saved/replay-task.js";
export type { SavedTask, SavedTaskState } from "./saved/saved-task.js";
export type { LoadTaskOptions, SavedTaskSummary, TaskList } from "./saved/task-archive.js";
export { TaskStore, type TaskStoreOptions } from "./saved/task-store.js";
export { taskTranscript } from "./saved/task-transcript.js";
export { taskWork, Work, WorkCaller, type ParentCall as TaskInside } from "./work/work.js";
export { watchTime } from "./work/watch-time.js";
export { WorkReporter } from "./work/work-reporter.js";
export { CallReporter } from "./work/call-reporter.js";
export { EventLog, type CallEvents } from "./work/event-log.js";
export { ReactAgent, type ReactAgentOptions } from "./react/react-agent.js";
export type { ToolCallingMode, SpokenMode } from "./react/tool-calling-mode.js";
export type { LearnedSkill, SkillOutcome, SkillProposal, SkillTrial, TriedCall } from "./events/learned-skill.js";
export { ModelCaller, type ModelCallerOptions } from "./work/model-caller.js";
export { StepInProgress } from "./work/step.js";
export type { TaskOptions } from "./loop/start-task.js";
export { withoutThoughts } from "./conversation/without-thoughts.js";
