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
  TaskCallsOptions,
  ToolCalls,
  ToolClient,
  ToolSession,
  WorkspaceFile as AgentWorkspaceFile,
} from "./agent-session.js";
export { BudgetMeter, type ModelPrices, type TaskBudget, type TaskUsage, type TokenUsage } from "./budget/budget.js";
export { CodeAgent, type CodeAgentOptions, type ExecutionLimits } from "./code/code-agent.js";
export type { OnQuestion, QuestionContext } from "./code/code-kind.js";
export {
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
  Answer as AnswerEvent,
  ArtifactSaved,
  Call as CallEvent,
  Code as CodeEvent,
  EventBase,
  LimitReached,
  ModelEnded,
  ModelReasoning,
  ModelRetry,
  ModelText,
  Notice as NoticeEvent,
  Output as OutputEvent,
  ProgramTold,
  Pruned as PrunedEvent,
  Question as QuestionEvent,
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
export type { ParentCall as TaskInside } from "./work/work.js";
export { ReactAgent, type ReactAgentOptions } from "./react/react-agent.js";
export type { ToolCallingMode, SpokenMode } from "./react/tool-calling-mode.js";
export type { LearnedSkill, SkillOutcome, SkillProposal, SkillTrial, TriedCall } from "./events/learned-skill.js";
export type { OpeningTask, SessionOpener } from "./task-session.js";
export type { TaskOptions } from "./loop/start-task.js";
