import type { Policy, Stage } from "../dispatch/index.js";
import type { LoadProgress, SparePolicy, WorkerHost } from "../executor/index.js";
import type { SourceFile, TransportKind, TrustLevel } from "../protocol/index.js";
import type { StorageBackend } from "../storage/index.js";
import type { ToolAdapter } from "../tools/index.js";

/** Bounds of a run. Sizes in characters or bytes as named, times in milliseconds. */
export interface SessionLimits {
  /** Characters of stdout, and of stderr, that a result shows. Default 1,000,000. */
  readonly outputLength?: number;
  /**
   * Bytes of output that a run may make, text and rich output together, a piece counting at least 256. One that makes
   * more is stopped with `OUTPUT_LIMIT`. Default 64 MiB.
   */
  readonly outputBytes?: number;
  /** Bytes of a run's value, encoded. A larger one comes back as `{repr, type}`. Default 64 MiB. */
  readonly valueSize?: number;
  /**
   * Bytes that Python's heap may take; past it allocations raise MemoryError, and the run fails with the code
   * `HEAP_LIMIT` if nobody catches it. Default 1 GiB. For code that runs away: what code takes through JavaScript is
   * not counted.
   */
  readonly heapSize?: number;
}

export interface SessionOptions {
  /** Where tools, skills, artifacts, files, packages and the journal are kept. */
  readonly storage: StorageBackend;
  /** Default: `sandboxed`. */
  readonly trust?: TrustLevel;
  /** Milliseconds that a run may take. Default 30,000; null for no limit. */
  readonly timeout?: number | null;
  readonly limits?: SessionLimits;
  /**
   * Whether a spare interpreter is kept ready for `reset()` and for the next session of this trust level and these
   * packages. One costs about 80 MB; see `session.spare`. `sparePolicyHere()` tells what suits the place. Default: `none`.
   */
  readonly spare?: SparePolicy;
  /** Tools beside those whose files lie in the storage. */
  readonly tools?: readonly ToolAdapter[];
  /** Files that a fresh storage is given: `tools/*.yaml` and `skills/*.py`. Changed ones stay as they are. */
  readonly seeds?: readonly SourceFile[];
  /** Where the five files of Pyodide lie, if not beside Vitrine's own script. */
  readonly pyodideBaseURL?: string;
  /** A folder of pure Python wheels with an `index.json`. Without it no package can be added. */
  readonly packagesURL?: string;
  /** Packages that the session's code finds installed. */
  readonly deps?: readonly string[];
  /** Whether code may change the list of packages. Default: true. */
  readonly allowRuntimeDeps?: boolean;
  /** Hosts that HTTP tools may reach, `api.example.org` for instance. Default: all. */
  readonly allowedHosts?: readonly string[];
  /** A proxy, chosen by the user, for requests that CORS forbids. */
  readonly corsProxy?: string;
  /** Decides about every call. Default: all are allowed. */
  readonly policy?: Policy;
  /** Wraps every call; the first is outermost. */
  readonly middleware?: readonly Stage[];
  /** Answers `input()`. Without it `input()` raises EOFError. */
  readonly onInput?: (prompt: string) => Promise<string>;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Hears of what went wrong beside any call: a journal that cannot be written, for instance. Default: the console. */
  readonly onProblem?: (error: unknown) => void;
  /** Overrides where workers are spawned. For tests. */
  readonly host?: WorkerHost;
  /** False: Python always starts the plain way. For tests and measurements. */
  readonly useSnapshot?: boolean;
  /** Overrides the probe for the way Python waits. For tests. */
  readonly transport?: TransportKind;
}

export const DEFAULT_TIMEOUT = 30_000;
export const DEFAULT_OUTPUT_LENGTH = 1_000_000;
export const DEFAULT_OUTPUT_BYTES = 64 * 2 ** 20;
export const DEFAULT_VALUE_SIZE = 64 * 2 ** 20;
