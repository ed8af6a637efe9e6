export { randomId } from "./random-id.js";
export { MalformedValueError, ProtocolViolationError, ValueNotTransferableError, VitrineError } from "./errors.js";
export {
  BATCH_SIZE,
  decodeMail,
  encodeMail,
  readSpelling,
  readySign,
  SIGN_SIZE,
  spell,
  type Mail,
} from "./blob-mail.js";
export { createMailbox, MailboxReader, MailboxWriter } from "./mailbox.js";
export {
  BootReport,
  BridgeRequest,
  BytesSchema,
  Completion,
  EncodedValueSchema,
  MimeBundle,
  OutputChunk,
  PrepareReport,
  RunErrorData,
  RunPhase,
  RunReply,
  TransportKind,
  TrustLevel,
  WorkspaceChange,
  type BootRequest,
  type BridgeEvent,
  type PageApi,
  type PrepareRequest,
  type PyodideFiles,
  type RunRequest,
  type WheelBytes,
  type WorkerApi,
} from "./messages.js";
export { outputSize } from "./output-size.js";
export type { Problem, SourceFile } from "./problem.js";
export {
  isRecord,
  markPythonType,
  PythonFloat,
  PythonTemporal,
  pythonTypeOf,
  Tuple,
  ZonedDate,
  type Opaque,
  type TemporalKind,
  type Value,
} from "./value.js";
export { decodeValue, encodeValue, MAX_DEPTH, type EncodedValue } from "./value-codec.js";
