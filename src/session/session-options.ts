import type { Approvals, OnApproval, Policy, Stage } from "../dispatch/index.js";
import type { PageCommand } from "../commands/index.js";
import type { PackageSourceOptions } from "../deps/index.js";
import type { LoadProgress, SparePolicy, WorkerHost } from "../executor/index.js";
import type { SourceFile, TransportKind, TrustLevel } from "../protocol/index.js";
import type { SecretStore } from "../secrets/index.js";
import type { StorageBackend } from "../storage/index.js";
import type { McpAnswers, ToolAdapter, ToolScope } from "../tools/index.js";
import type { WriteCodeOptions } from "../write-code/index.js";

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
  /** Bytes of all artifacts together; `artifacts.save` then fails with `ARTIFACTS_FULL`. Default 512 MiB. */
  readonly artifactsSize?: number;
  /**
   * Bytes and files that the packages of the session may unpack to, all together; `deps.add` then fails with `DEPS_FULL`.
   * Default 200 MB and 20,000.
   */
  readonly packagesSize?: number;
  readonly packagesFiles?: number;
  /**
   * Bytes that Python's heap may take; past it allocations raise MemoryError, and the run fails with the code
   * `HEAP_LIMIT` if nobody catches it. Default 1 GiB. For code that runs away: what code takes through JavaScript is
   * not counted.
   */
  readonly heapSize?: number;
  /**
   * Requests that the code of one run may make of the page, reads and `input()` included; and calls that the page makes
   * together without code, as for a task of the JSON agent. Default 10,000.
   */
  readonly callsPerRun?: number;
  /** Requests of one run that may wait for their answer at once. Default 250. */
  readonly openCalls?: number;
  /**
   * Calls of tools that are at work at once; others wait in the order in which they came. A call that has called another
   * tool, or a skill that did, lends it its permit. Default 32.
   */
  readonly concurrentCalls?: number;
  /** How many calls may be inside one another: a skill that calls a tool that runs a skill is three, tools that call tools count alike. Default 16. */
  readonly nestingDepth?: number;
}

/** Whether packages that code imports are installed before it runs. */
export type AutoInstall = "never" | "ask" | "allow";

/** What a session is opened with. */
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
  /**
   * Whether the session's code, its prompts and searches find the file tools (`read_file`, `grep_files`, `apply_patch` …)
   * among `tools`. A tool of the session that has one of their names goes before it. Default: false.
   */
  readonly fileTools?: boolean;
  /**
   * Lists `write_codebase_tool` among the session's tools: batches of files that several models write, judged, checked, shown
   * to a person and written as one. See docs/write-code.md. Default: there is no such tool.
   */
  readonly writeCode?: WriteCodeOptions;
  /**
   * What stands for the programs that tool files call: functions of the page, by the name of the command. They run on
   * the page's thread, with arguments that session code chose.
   */
  readonly commands?: Readonly<Record<string, PageCommand>>;
  /**
   * Whether tool files may also call the commands of a shell (`jq`, `rg`, `sed`, `bash`, `sqlite3` …) and WASI programs,
   * which work on `/workspace` in a sealed worker that their first call starts. Default: true.
   */
  readonly shell?: boolean;
  /**
   * Files that a fresh storage is given, `{ file, text }` each: `tools/*.yaml`, `skills/*.py`, and `documents/*` to which tool
   * files refer. Changed ones stay as they are.
   */
  readonly seeds?: readonly SourceFile[];
  /** Where the five files of Pyodide lie, if not beside Vitrine's own script. */
  readonly pyodideBaseURL?: string;
  /**
   * Where packages come from: folders of the site, the packages built for Pyodide, indexes. The first that has a package
   * of a name is where it is taken from. Default: none, and no package can be added.
   */
  readonly packages?: readonly PackageSourceOptions[];
  /** @deprecated One folder: `packages: [{ folder: … }]`. */
  readonly packagesURL?: string;
  /**
   * What becomes of packages that code imports and that are not installed, where a source has them: a person is asked
   * about them before the code runs (`ask`), they are installed (`allow`), or the import fails (`never`). Default: `ask` where
   * there is an `onApproval`, else `never`; always `never` where `allowRuntimeDeps` is false.
   */
  readonly autoInstall?: AutoInstall;
  /** Packages that the session's code finds installed. */
  readonly deps?: readonly string[];
  /** Whether code may change the list of packages, by `deps.add` or by an import. Default: true. */
  readonly allowRuntimeDeps?: boolean;
  /**
   * Hosts that tools may reach, `api.example.org` for instance. Default: all for HTTP tools, whose files name them, and
   * none for `curl`, whose addresses the code writes.
   */
  readonly allowedHosts?: readonly string[];
  /** A proxy, chosen by the user, for requests that CORS forbids. */
  readonly corsProxy?: string;
  /**
   * Where tools find the secrets that their files name, such as `${API_KEY}`. They stay on the page: code, journal and
   * storage never see one, and those that were used are struck from results and errors. Default: there are none.
   */
  readonly secrets?: SecretStore;
  /** Who answers what MCP servers ask of the page: data of a person, an answer of a model. Default: nobody, and servers are told so. */
  readonly mcp?: McpAnswers;
  /** Decides about every call, before the rules of `approvals`, which it can only make stricter. */
  readonly policy?: Policy;
  /**
   * Whether calls are made, refused, or asked about, by name: `{ "tools.mail.send": "ask", "skills.create": "deny" }`.
   * Where none fits, calls hinted `readOnly` are made, tools hinted `destructive` are asked about, and in an agent's
   * run, or for a client that the page serves, also what changes skills or packages or deletes artifacts.
   */
  readonly approvals?: Approvals;
  /** Asks a person. Without it nobody is there, and what would be asked is denied. The clock of code that waits for it stands still. */
  readonly onApproval?: OnApproval;
  /** The tools that the session's code sees. Default: all. */
  readonly scope?: ToolScope;
  /**
   * Modules that session code and skills may import, by their first name: `["json", "math"]`. Default: what the trust
   * level allows. A gate inside Python keeps to it, which guides a program and does not stop an attacker.
   */
  readonly imports?: readonly string[];
  /** Wraps every call; the first is outermost. Shipped are `auditMiddleware`, `cacheResults`, `retryCalls` and others. */
  readonly middleware?: readonly Stage[];
  /** Answers `input()`, until `signal` says that nobody waits for it any more. Without it `input()` raises EOFError. */
  readonly onInput?: (prompt: string, context: { readonly signal: AbortSignal }) => Promise<string>;
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

/** What all packages of a session may unpack to, in bytes and files. */
export const DEFAULT_PACKAGES_SIZE = 200_000_000;
export const DEFAULT_PACKAGES_FILES = 20_000;

export const DEFAULT_TIMEOUT = 30_000;
export const DEFAULT_OUTPUT_LENGTH = 1_000_000;
export const DEFAULT_OUTPUT_BYTES = 64 * 2 ** 20;
export const DEFAULT_VALUE_SIZE = 64 * 2 ** 20;
export const DEFAULT_CALLS_PER_RUN = 10_000;
export const DEFAULT_OPEN_CALLS = 250;
export const DEFAULT_CONCURRENT_CALLS = 32;
export const DEFAULT_NESTING_DEPTH = 16;
