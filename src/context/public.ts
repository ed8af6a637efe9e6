export type { ArtifactDraft, ExpectedArtifact, ToolOutcome, ToolResult, ReadResult } from "./artifacts-of-result.js";
export type { BindingFault, BindOptions, BoundParams, FetchDirective } from "./bind-params.js";
export type { ContextError, ContextFault } from "./errors.js";
export type { Json as JsonValue } from "./json-value.js";
export type { ArtifactSnapshot, MappingOutcome, MappingRefusal, SlotMapping } from "./map-slots.js";
export { openContext, type OpenContextOptions } from "./open-context.js";
export type { NewFile, NewTurn } from "./new-turn.js";
export type { MapOptions, NewRound, ReactContext } from "./react-context.js";
export type {
  ArtifactFailure,
  BegunCall,
  ContextArtifact,
  ContextFile,
  LineageEntry,
  RoundNote,
  Slot,
  TurnBudget,
  TurnEnd,
  TurnRecord,
} from "./records.js";
export type { RegisteredCall, Registration } from "./registered-call.js";
export type { TurnContents } from "./resolve-path.js";
