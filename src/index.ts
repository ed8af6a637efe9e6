/**
 * Vitrine: agent-written Python, run inside the browser tab.
 *
 * @packageDocumentation
 */
export {
  AgentOptionsError,
  CodeAgent,
  StepLimitReachedError,
  TaskSessionError,
  type AgentAnswer,
  type AgentEvent,
  type AgentResult,
  type AgentRun,
  type AgentStep,
  type CodeAgentOptions,
  type TaskOptions,
} from "./agent/index.js";
export {
  ArtifactDataError,
  ArtifactNameError,
  ArtifactNotFoundError,
  type Artifact,
  type ArtifactChange,
  type ArtifactOptions,
} from "./artifacts/index.js";
export { DepSpecError, DepUnavailableError, RuntimeDepsDisabledError } from "./deps/index.js";
export {
  CallCancelledError,
  CallNotAllowedError,
  type Call,
  type CallOutcome,
  type Decision,
  type Journal,
  type JournalEntry,
  type Policy,
  type Stage,
} from "./dispatch/index.js";
export {
  AssetLoadError,
  CspBlockedError,
  pageHost,
  sealedFrameHost,
  WorkerLostError,
  WorkerStartError,
  type ExecutorCapabilities,
  type LoadProgress,
  type WorkerHost,
} from "./executor/index.js";
export {
  loadTranscripts,
  ModelAuthError,
  ModelError,
  ModelRateLimitError,
  ModelResponseError,
  ModelServerError,
  ModelTimeoutError,
  ModelUnreachableError,
  openaiModel,
  parseTranscript,
  recordedModel,
  RecordingMismatchError,
  recordTranscript,
  UnknownTaskError,
  type Model,
  type ModelChunk,
  type ModelMessage,
  type ModelRequest,
  type OpenAIModelSettings,
  type RecordedModel,
  type Transcript,
} from "./model/index.js";
export {
  ProtocolViolationError,
  PythonFloat,
  PythonTemporal,
  pythonTypeOf,
  Tuple,
  VitrineError,
  ZonedDate,
  type Completion,
  type MimeBundle,
  type OutputChunk,
  type Problem,
  type SourceFile,
  type TransportKind,
  type TrustLevel,
  type Value,
} from "./protocol/index.js";
export {
  RunError,
  Session,
  SessionClosedError,
  SessionOptionsError,
  type DisplayChunk,
  type RunOptions,
  type RunResult,
  type SessionLimits,
  type SessionOptions,
  type SessionState,
} from "./session/index.js";
export { SkillNotFoundError, SkillSyntaxError, SkillValidationError, type Skill } from "./skills/index.js";
export {
  indexedDBStorage,
  memoryStorage,
  StorageBlockedError,
  StorageError,
  StorageFullError,
  type StorageBackend,
} from "./storage/index.js";
export {
  CorsError,
  functionTool,
  httpTool,
  parseToolFile,
  ToolCallError,
  ToolFileError,
  ToolNotFoundError,
  ToolTimeoutError,
  ToolUnavailableError,
  type Tool,
  type ToolAdapter,
  type ToolContext,
  type ToolHints,
} from "./tools/index.js";
export {
  WorkspaceFullError,
  WorkspaceNotFoundError,
  WorkspacePathError,
  type WorkspaceFile,
} from "./workspace/index.js";
