export { ProtocolViolationError, VitrineError } from "./errors.js";
export type {
  Completion,
  MemoryReport,
  MimeBundle,
  OutputChunk,
  RunErrorData,
  SignalType,
  TransportKind,
  TrustLevel,
  HelperKind,
  RunHelpers,
} from "./messages.js";
export type { Problem, SourceFile } from "./problem.js";
export {
  Content,
  PythonFloat,
  PythonTemporal,
  pythonTypeOf,
  Tuple,
  ZonedDate,
  type ContentFields,
  type ContentKind,
  type NumberArray,
  type Opaque,
  type TemporalKind,
  type Value,
} from "./value.js";
