export { countTokens, type CountTokensOptions, type TokenCount } from "./count-tokens.js";
export {
  ModelAuthError,
  ModelClientError,
  ModelContextError,
  ModelError,
  ModelQuotaError,
  ModelRateLimitError,
  ModelRefusedError,
  ModelRequestError,
  ModelResponseError,
  ModelServerError,
  ModelSettingsError,
  ModelTimeoutError,
  ModelToolsError,
  ModelUnreachableError,
  type ModelAddress,
} from "./errors.js";
export type {
  CompleteOptions,
  ContentPart,
  FinishReason,
  Model,
  ModelChunk,
  ModelMessage,
  ModelNotice,
  ModelRequest,
  ModelTool,
  ModelToolCall,
  ModelUsage,
} from "./model.js";
export { openaiModel, type OpenAIModelSettings } from "./openai-model.js";
export { recordTranscript, type TranscriptRecorder } from "./record-transcript.js";
export {
  RecordingMismatchError,
  recordedModel,
  UnknownTaskError,
  type RecordedModel,
  type RecordedModelOptions,
} from "./recorded-model.js";
export { loadTranscripts, parseTranscript, TranscriptError, type Transcript } from "./transcript.js";
