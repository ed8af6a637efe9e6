export { firstMessage } from "./first-message.js";
export { OnDemand } from "./on-demand.js";
export * from "./public.js";
export { Allowance } from "./allowance.js";
export { randomId } from "./random-id.js";
export { MalformedValueError, messageOf, namedMessageOf, ValueNotTransferableError } from "./errors.js";
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
export { LONGEST_CHART_ROWS, LONGEST_CHART_SVG, LONGEST_CHART_WORDS, MOST_CHART_WARNINGS } from "./chart-limits.js";
export { ChartAnswer, type ChartFacts, type ChartLanguage, type ChartOrder } from "./chart-messages.js";
export {
  ContentAnswer,
  ContentFacts,
  ContentFaultCode,
  ContentFinding,
  ContentFormat,
  ContentOddity,
  ContentOddityCode,
  type ContentLimits,
  type ContentOrder,
} from "./content-messages.js";
export { MOST_FILE_PROBLEMS, MOST_FILES, MOST_UNSTORED } from "./file-limits.js";
export { countParts } from "./count-parts.js";
export { decodeValueInSlices, encodeValueInSlices } from "./large-values.js";
export { EventHistory } from "./event-history.js";
export { jsonIn, parseJson, withDigits, withSizes, type ParsedJson } from "./json.js";
export { createMailbox, MailboxReader, MailboxWriter } from "./mailbox.js";
export {
  BootReport,
  BridgeRequest,
  BytesSchema,
  Completion,
  EncodedValueSchema,
  FileProblem,
  MemoryReport,
  MimeBundle,
  OutputChunk,
  PrepareReport,
  RunErrorData,
  RunPhase,
  RunReply,
  RunRequest,
  SignalType,
  textUpTo,
  TransportKind,
  TrustLevel,
  WorkspaceChange,
  type BootRequest,
  type BridgeEvent,
  type PrepareRequest,
  type PyodideFiles,
  type RunContext,
  type SentChange,
  type SentEvent,
  type SentValue,
  type WheelBytes,
} from "./messages.js";
export {
  type CheckReport,
  CheckReports,
  type CheckedArgument,
  type CheckedFinding,
  type CheckRequest,
  type ToolUse,
} from "./check-messages.js";
export { outputSize } from "./output-size.js";
export { signalText } from "./signal-text.js";
export { bytesOf, textOf, toBlobInSlices } from "./content-blobs.js";
export { countForOneGo, isLarge, SMALL } from "./large-contents.js";
export { hasBlobs, withBlobs } from "./large-messages.js";
export { readBlobs } from "./read-blobs.js";
export { SearchReport, type SearchableFile, type SearchContents, type SearchOrder } from "./search-messages.js";
export {
  MAX_COMMAND_OUTPUT,
  ShellReport,
  type ShellAnswer,
  type ShellOrder,
  type ShellProgram,
  type ShellRun,
} from "./shell-messages.js";
export { nextTurn, Slices } from "./slices.js";
export { stepped, type Steps } from "./stepped.js";
export { shorten, shortenBytes, shortenTo, shortenUnits, shortenUnitsTo } from "./text.js";
export { decodeTextInSlices, encodeTextInSlices, textPieces, textSize } from "./text-bytes.js";
export { unlessAborted } from "./unless-aborted.js";
export { isNumberArray, isOpaque, isRecord, markPythonType } from "./value.js";
export { valueSize } from "./value-size.js";
export { decodeValue, encodeValue, MAX_DEPTH, type EncodedValue } from "./value-codec.js";
export { isNestedDeeper } from "./value-depth.js";
export { VERSION } from "./version.js";
export type { PageApi, WorkerApi } from "./worker-api.js";
