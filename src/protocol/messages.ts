import { MOST_FILE_PROBLEMS, MOST_FILES } from "./file-limits.js";
import { shortenUnits } from "./text.js";
import type { EncodedValue } from "./value-codec.js";
import { isRecord } from "./value.js";
import { z } from "./zod.js";

/**
 * Everything that page and worker say to each other. The worker runs hostile
 * code, so whatever arrives from it is parsed with these schemas; the types are
 * what both sides compile against.
 */

const bytes = z.custom<Uint8Array<ArrayBuffer>>(
  (value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer,
  "bytes were expected",
);

/** Text of which the page keeps so many characters: Python sends less, unless session code has changed what it sends. */
export const textUpTo = (characters: number): z.ZodType<string> =>
  z.string().transform((text) => shortenUnits(text, characters));

export const EncodedValueSchema: z.ZodType<EncodedValue> = z.strictObject({
  text: z.string(),
  buffers: z.array(bytes),
});

/** How a synchronous call waits: see DESIGN's transports. `none`: the code runs, calls to the page cannot. */
export const TransportKind = z.enum(["shared-memory", "jspi", "blob-channel", "none"]);
export type TransportKind = z.infer<typeof TransportKind>;

/** A call from Python to the page. `parent` is the call in whose course it was made. */
export const BridgeRequest = z.strictObject({
  id: z.int().positive(),
  runId: z.string().max(64),
  parent: z.string().max(64).nullable(),
  method: z.string().max(64),
  payload: EncodedValueSchema,
});
export type BridgeRequest = z.infer<typeof BridgeRequest>;

/** A value on its way to the worker, what is large in it as a blob. */
export interface SentValue {
  readonly text: string | Blob;
  readonly buffers: readonly (Uint8Array<ArrayBuffer> | Blob)[];
}

/**
 * What a waiting worker is told. `reply` and `failure` answer the request of
 * that id, and a `part` is what is there of its answer before; `invoke` asks
 * Python to run a function while it waits (a tool that runs a skill),
 * `interrupt` ends the run. `pause` and `resume` say that a person
 * is asked and has answered: the run's deadline stands still in between. Their
 * `id` and `payload` are empty, so that all events but one have the same form.
 */
export type BridgeEvent<Payload = EncodedValue> =
  | { readonly kind: "reply"; readonly id: number; readonly payload: Payload }
  | { readonly kind: "failure"; readonly id: number; readonly payload: Payload }
  | { readonly kind: "part"; readonly id: number; readonly payload: Payload }
  | { readonly kind: "invoke"; readonly id: number; readonly runId: string; readonly payload: Payload }
  | { readonly kind: "pause" | "resume"; readonly id: 0; readonly runId: string; readonly payload: Payload }
  | { readonly kind: "interrupt" };

/** An event as the page sends it. */
export type SentEvent = BridgeEvent<SentValue>;

/** The MIME types of one rich output, most expressive first as `_repr_*_` gave them. */
export const MimeBundle = z.record(z.string().max(200), z.union([z.string(), bytes]));
export type MimeBundle = z.infer<typeof MimeBundle>;

/** What an agent's code says of its work: a doubt, something it tries, something it has decided. */
export const SignalType = z.enum(["uncertain", "explore", "commit"]);
export type SignalType = z.infer<typeof SignalType>;

/** A piece of what a run gives out, in the order in which it did. */
export const OutputChunk = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("stdout"), text: z.string() }),
  z.strictObject({ kind: z.literal("stderr"), text: z.string() }),
  z.strictObject({
    kind: z.literal("display"),
    /** `value`: the last expression of the run; `display`: a call of `display()`; `figure`: an open matplotlib figure. */
    source: z.enum(["value", "display", "figure"]),
    data: MimeBundle,
  }),
  z.strictObject({ kind: z.literal("signal"), type: SignalType, message: textUpTo(4000) }),
]);
export type OutputChunk = z.infer<typeof OutputChunk>;

/** A file of `/workspace`; `null` says that it was deleted. */
export const WorkspaceChange = z.strictObject({
  path: z.string().max(1024),
  content: bytes.nullable(),
});
export type WorkspaceChange = z.infer<typeof WorkspaceChange>;

/** A change on its way to the worker. */
export interface SentChange {
  readonly path: string;
  readonly content: Uint8Array<ArrayBuffer> | Blob | null;
}

/** What a run finds beside the namespaces. */
export type RunHelpers =
  | { readonly kind: "none" }
  /** `final_answer`, signals and a memory. */
  | {
      readonly kind: "agent";
      /** Whose memory it is. */
      readonly taskId: string;
      /** What the agent has seen fail; it is noted in the memory. */
      readonly failures: readonly string[];
      /** What was noted before, for an interpreter that knows nothing of the task. Default: nothing. */
      readonly observations?: readonly string[];
      /** What its code noted as failed before, for the same. Default: nothing. */
      readonly failedApproaches?: readonly string[];
    }
  /** A generated program: the names of its header. What it says reaches the page as {@link HelperCall}s. */
  | {
      readonly kind: "codegen";
      /** Where it writes: an absolute path below `/workspace`. */
      readonly outputDir: string;
      /** Within `outputDir`. */
      readonly resultFilename: string;
      readonly executionId: string;
      readonly contract: Readonly<Record<string, Readonly<Record<string, string>>>>;
      /** The tools that have a name of their own in the program: by that name, what they were registered as. */
      readonly aliases: Readonly<Record<string, string>>;
    };
/** Which helpers code has as built-in names: those of an agent's steps, or of a program by contract. */
export type HelperKind = RunHelpers["kind"];

const note = textUpTo(4100);

/** What an agent noted down, as it is shown: the latest hundred of each kind, long ones cut. */
export const MemoryReport = z.strictObject({
  values: z.array(z.strictObject({ name: textUpTo(210), /** `repr()` of the value. */ shown: textUpTo(210) })).max(100),
  observations: z.array(note).max(100),
  failedApproaches: z.array(note).max(100),
  /** The names that code made in the interpreter, modules among them; the first thousand. */
  variables: z.array(textUpTo(400)).max(1000),
});
export type MemoryReport = z.infer<typeof MemoryReport>;

// The page makes requests and parses none: in this form a build leaves the schema out.
/** A run as the page plans it. The worker hands it to Python, where `_run_request.py` reads it once. */
export const RunRequest = /* @__PURE__ */ (() =>
  z
    .strictObject({
      runId: z.string(),
      code: z.string(),
      /** How tracebacks call the code, `<run 3>` for instance. */
      filename: z.string(),
      /** Milliseconds; null for no deadline. */
      timeout: z.number().nullable(),
      helpers: z.custom<RunHelpers>(isRecord),
      /** Modules that may be imported; null for what the trust level allows. */
      imports: z.array(z.string()).readonly().nullable(),
      /** A value whose encoding is larger comes back as `{repr, type}`, cut, with its text beside it. Bytes. */
      maxValueSize: z.number(),
      /** Bytes of output after which the run is stopped. */
      outputBytes: z.number(),
      /** Bytes that the run may add to Python's heap; null for what the session's limit leaves. */
      heapGrowth: z.number().nullable(),
      /** Calls that may wait for their answer at once. Python refuses more itself, and the page does in any case. */
      maxOpenCalls: z.number(),
      /** Whether Python asks the page for packages that the code imports and that are not there. */
      autoInstall: z.boolean(),
      /**
       * A tool that session code defined, to be called in place of `code`, and the call that it serves. Python asks for the
       * arguments by that call.
       */
      toolCall: z.strictObject({ name: z.string(), callId: z.string() }).readonly().nullable(),
    })
    .readonly())();
export type RunRequest = z.infer<typeof RunRequest>;

/** What a run finds in its session when its turn comes. */
export interface RunContext<Change = SentChange> {
  /** What changed in the workspace since the last run, large files as blobs. */
  readonly files: readonly Change[];
  /** Changes whenever a tool is added or removed, so that Python forgets what it knew. */
  readonly toolsVersion: number;
  /** Blob URLs that the page revokes to stop this run; none where a request to stop comes another way. */
  readonly stopSign: readonly string[];
}

/** How a run ended badly. `code` is Vitrine's, `pythonType` the class of the exception. */
export const RunErrorData = z.strictObject({
  code: z.string().max(64),
  pythonType: z.string().max(200),
  message: textUpTo(250_000),
  /** The formatted traceback, with the author's frames only. */
  traceback: textUpTo(500_000),
  /** Of a module that is missing: the package that would help, if the session's package folder has it. */
  wantedPackage: z.string().max(200).optional(),
});
export type RunErrorData = z.infer<typeof RunErrorData>;

/** A file that could not be brought into the interpreter, or taken out, and why. */
export const FileProblem = z.strictObject({ path: textUpTo(1100), reason: textUpTo(500) });

export const RunReply = z.strictObject({
  value: EncodedValueSchema.nullable(),
  /** The beginning of the text of the whole value, and how many characters follow it, when `value` had to be cut. */
  fullText: z.strictObject({ text: z.string(), omitted: z.int().nonnegative() }).nullable(),
  error: RunErrorData.nullable(),
  /** `repr()` of the value, at most some 10,000 characters; null where there is no value. */
  valueRepr: textUpTo(25_000).nullable(),
  /** What the code handed to `final_answer`, and `str()` of it. */
  finalAnswer: z
    .strictObject({ value: EncodedValueSchema, text: textUpTo(2_000_000), verifiedBy: note.nullable() })
    .nullable(),
  /** The memory of the task; null in a run that has none. */
  memory: MemoryReport.nullable(),
  files: z.array(WorkspaceChange).max(MOST_FILES),
  /** Files that could not be brought in or taken out. */
  fileProblems: z.array(FileProblem).max(2 * MOST_FILE_PROBLEMS),
  /** Bytes that the run added to Python's heap, which never shrinks. */
  heapGrowth: z.int().nonnegative(),
  /** Milliseconds. */
  elapsed: z.number().nonnegative(),
});
export type RunReply = z.infer<typeof RunReply>;

/** What may stand at a place in code: from which offset on it would be replaced, and by what. */
export const Completion = z.strictObject({
  /** Where in the code the completed text starts, as a UTF-16 offset. */
  from: z.int().nonnegative(),
  options: z.array(z.strictObject({ label: z.string(), kind: z.string(), detail: z.string() })).max(500),
});
export type Completion = z.infer<typeof Completion>;

/** The files that make an interpreter. Blobs, because they cross frames without being copied. */
export interface PyodideFiles {
  readonly loader: Blob;
  readonly script: Blob;
  readonly wasm: Blob;
  readonly standardLibrary: Blob;
  readonly lockfile: Blob;
}

/** What the worker makes an interpreter of, before it belongs to a session. */
export interface PrepareRequest {
  readonly pyodide: PyodideFiles;
  /** What `pyodide.wasm` was compiled to. Null: the worker compiles it. */
  readonly module: WebAssembly.Module | null;
  /** Memory of an interpreter with Vitrine's package imported. Null: the plain load. */
  readonly snapshot: Blob | null;
  /** Packages to unpack, none of whose code is run. */
  readonly wheels: readonly WheelBytes[];
}

/** A wheel as it was published. */
export interface WheelBytes {
  readonly filename: string;
  readonly bytes: Uint8Array;
  /** Whether its source names its hash, which the page has compared. */
  readonly verified: boolean;
}

export const PrepareReport = z.strictObject({
  /** Whether the snapshot was taken. */
  fromSnapshot: z.boolean(),
  /** Why a given snapshot was not taken. */
  refused: z.string().nullable(),
  /** Bytes of Python's heap. */
  heapSize: z.number().nonnegative(),
  /** Wheels that could not be unpacked, and why. */
  wheelProblems: z.array(z.string()),
  /** Milliseconds from the start to the end of each stage. */
  stages: z.record(z.string(), z.number()),
});
export type PrepareReport = z.infer<typeof PrepareReport>;

export const BytesSchema: z.ZodType<Uint8Array<ArrayBuffer>> = bytes;

/** What makes a prepared interpreter that of a session. */
export interface BootRequest {
  readonly trust: TrustLevel;
  /** The mailbox of the shared-memory transport, where the page can share memory. */
  readonly mailbox: SharedArrayBuffer | null;
  /** The first batch of URLs of the blob channel. */
  readonly blobBatch: readonly string[];
  /** Overrides the probe. */
  readonly transport: TransportKind | null;
  /** Bytes that Python's heap may take. */
  readonly heapLimit: number;
  /** What relative addresses are relative to; null where code has no network. */
  readonly baseURL: string | null;
}

export const BootReport = z.strictObject({
  python: z.string(),
  pyodide: z.string(),
  transport: TransportKind,
  /** Why no faster transport was taken. */
  transportReason: z.string(),
  /** Whether the worker can read blob URLs while Python computes, which a stop by URL needs. */
  readsBlobUrls: z.boolean(),
  /** Milliseconds from the start of boot to the end of each stage. */
  stages: z.record(z.string(), z.number()),
});
export type BootReport = z.infer<typeof BootReport>;

/** Where a session's code runs and what it can reach, the weakest seal first. */
export const TrustLevel = z.enum(["local", "isolated", "sandboxed"]);
export type TrustLevel = z.infer<typeof TrustLevel>;

/**
 * `waiting`: for the page, while that stops its clock; `running` after it says that the code goes on. `interrupted`: the
 * code has heard of its first interrupt.
 */
export const RunPhase = z.enum(["running", "waiting", "interrupted", "finishing"]);
export type RunPhase = z.infer<typeof RunPhase>;
