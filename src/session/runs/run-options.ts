import type { CallProgress, JournalEntry, Policy } from "../../dispatch/index.js";
import { optionCheck } from "../../options/index.js";
import type { OutputChunk, RunHelpers, Value } from "../../protocol/index.js";
import { TOOL_SCOPE, type CallingTask, type ToolScope } from "../../tools/index.js";
import type { HelperCall, ObserveTool } from "../calls/call-origin.js";
import type { SessionOptions } from "../session-options.js";
import type { CheckOptions } from "./code-check-options.js";

/** How to make a run. */
export interface RunOptions {
  /** Names the run, once: results and journal call it so. Default: a random name. */
  readonly runId?: string;
  /** Milliseconds; null for no limit. Default: the session's. */
  readonly timeout?: number | null;
  /** Hears output as it comes. */
  readonly onOutput?: (chunk: OutputChunk) => void;
  /** Hears of each call when it begins and again when it ends. */
  readonly onCall?: (entry: JournalEntry) => void;
  /** Hears each call of a tool that the run's code makes, with its whole outcome; the journal keeps a summary. */
  readonly onTool?: ObserveTool;
  /** Hears how far the calls of this run have come, where a tool reports it. */
  readonly onCallProgress?: (progress: CallProgress) => void;
  /** Interrupts this run, also while it waits for its turn. */
  readonly signal?: AbortSignal;
  /** How tracebacks call the code. Default: `run 1`, `run 2` … */
  readonly name?: string;
  /** What the run finds beside the namespaces: an agent's run `final_answer`, signals and a memory. Default: nothing. */
  readonly helpers?: RunHelpers;
  /**
   * Answers what the helpers of this run tell or ask; a rejection is raised there. Without it they are told that nobody
   * answers.
   */
  readonly onHelperCall?: (call: HelperCall) => Value | Promise<Value>;
  /**
   * Bytes that the run may add to Python's heap; past it allocations raise MemoryError, and the run fails with the code
   * `HEAP_LIMIT` if nobody catches it. What earlier runs took and gave back is free. Default: what `limits.heapSize` of
   * the session leaves.
   */
  readonly heapGrowth?: number;
  /** Decides about the calls of this run before the session's own policy, which it can only make stricter. */
  readonly policy?: Policy;
  /**
   * The task of an agent in whose course the run is made: the tools that its code calls find it in their context. Default,
   * of a session inside another one: that of the call in whose course it works.
   */
  readonly task?: CallingTask;
  /** Told that the run's clock stands still, because a person is asked; what it returns is called when it goes on. */
  readonly onPause?: () => () => void;
  /** Answers `input()` of this run. Default: the session's. */
  readonly onInput?: SessionOptions["onInput"];
  /** The tools that this run sees of those that the session's code sees. Default: all of them. */
  readonly scope?: ToolScope;
  /**
   * Modules that this run may import; the builtins that read and run things (`open`, `eval`, `input` …) are not there
   * then. Default: the session's.
   */
  readonly imports?: readonly string[];
  /**
   * Who the code is from: `client` for a foreign program that the page serves. Its run is journalled as the client's and
   * asked about as an agent's is. Default: `page`, or an agent with the helpers of one.
   */
  readonly from?: "page" | "client" | "agent";
  /**
   * Whether the code is checked first, as `session.check` does. Where the check is certain that the run would fail,
   * nothing of it is run, and `result.error` has the code `CHECK_FAILED` and says what to write instead. What else it
   * found is in `result.findings`. Default: false.
   */
  readonly check?: boolean | Pick<CheckOptions, "types">;
}

export const checkRunOptions = optionCheck<RunOptions>("session.run", {
  runId: "string?",
  timeout: "any?",
  onOutput: "function?",
  onCall: "function?",
  onTool: "function?",
  onCallProgress: "function?",
  signal: "object?",
  name: "string?",
  helpers: "object?",
  onHelperCall: "function?",
  heapGrowth: "number?",
  policy: "function?",
  task: "object?",
  onPause: "function?",
  onInput: "function?",
  scope: TOOL_SCOPE,
  imports: "array?",
  from: "string?",
  check: "boolean|object?",
});
