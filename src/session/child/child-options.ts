import { DEFAULT_ARTIFACTS_SIZE } from "../../artifacts/index.js";
import { optionCheck } from "../../options/index.js";
import type { TrustLevel } from "../../protocol/index.js";
import type { StorageBackend } from "../../storage/index.js";
import { TOOL_SCOPE, type ToolAdapter, type ToolScope } from "../../tools/index.js";
import { WRITE_CODE_OPTIONS, type WriteCodeOptions } from "../../write-code/index.js";
import type { ObserveTool } from "../calls/call-origin.js";
import { SESSION_LIMITS } from "../check-options.js";
import { SessionOptionsError } from "../errors.js";
import { isForeign } from "../calls/foreign-content.js";
import {
  DEFAULT_CALLS_PER_RUN,
  DEFAULT_OPEN_CALLS,
  DEFAULT_OUTPUT_BYTES,
  DEFAULT_OUTPUT_LENGTH,
  DEFAULT_PACKAGES_FILES,
  DEFAULT_PACKAGES_SIZE,
  DEFAULT_VALUE_SIZE,
  type SessionLimits,
  type SessionOptions,
} from "../session-options.js";

/** How to open a session inside another one. What is not said is as in the parent. */
export interface ChildOptions {
  /**
   * The call of a tool in whose course the child works: its context's `callId`. The child then sees of the tools what
   * the caller of that tool sees, its calls are noted below that call and counted in the budget of its run as well. Where
   * a session inside this one made the call, the child is opened inside that one.
   */
  readonly parentCall?: string;
  /** At least as strong as the parent's. Default: `sandboxed`. */
  readonly trust?: TrustLevel;
  /** The tools that it sees of those that it could. Default: all of them. */
  readonly scope?: ToolScope;
  /** Lists the tools that work on files among the child's `tools`, whether the parent's has them or not. Default: false. */
  readonly fileTools?: boolean;
  /**
   * Gives the child `write_codebase_tool`, as the option of `Session.open` does. For a parent without it: one that has it
   * has given it to its children already, and no two tools have one name.
   */
  readonly writeCode?: WriteCodeOptions;
  /** Tools that the child has beside those of its parent. */
  readonly tools?: readonly ToolAdapter[];
  /**
   * Keeps what files held before the child's code, its tools, and sessions inside it changed them: under this id,
   * `workspace.changes(id)` has the changes from then on, and undoes them. 1 to 64 letters, digits, `-` and `_`; for an id
   * that is there already the recording goes on. For a child without a `storage` of its own.
   */
  readonly recordsChanges?: string;
  /**
   * Where it keeps skills, artifacts, packages and files. Default: where the parent does, which sees at once what the
   * child stores; of files, what the code wrote that waits for the child's work, and that code, once the child is closed,
   * what the child wrote. Journal and tools are the parent's in either case.
   */
  readonly storage?: StorageBackend;
  /** Milliseconds that a run may take; null for no limit. */
  readonly timeout?: number | null;
  /** What is higher than the parent's limit is that. */
  readonly limits?: SessionLimits;
  /** Modules that code may import. Of a parent that has such a list, those on both. */
  readonly imports?: readonly string[];
  /** Hears each call of a tool that the child's code makes, with its whole outcome; the journal keeps a summary. */
  readonly onTool?: ObserveTool;
}

export const checkChildOptions = optionCheck<ChildOptions>("session.openChild", {
  parentCall: "string?",
  trust: "string?",
  scope: TOOL_SCOPE,
  fileTools: "boolean?",
  writeCode: WRITE_CODE_OPTIONS,
  tools: "array?",
  recordsChanges: "string?",
  storage: "object?",
  timeout: "any?",
  limits: SESSION_LIMITS,
  imports: "array?",
  onTool: "function?",
});

/**
 * The options of a child, none of them weaker than its parent's.
 *
 * @param calling - the modules that the run may import in whose course the child works.
 * @throws {SessionOptionsError}
 */
export function childOptions(parent: SessionOptions, child: ChildOptions, calling?: readonly string[]): SessionOptions {
  const { trust = "sandboxed", storage = parent.storage, timeout = parent.timeout } = child;
  const { trust: trustAbove = "sandboxed" } = parent;
  if (isForeign(trustAbove, trust)) {
    throw new SessionOptionsError(
      `A session inside one of trust level ${trustAbove} cannot be ${trust}: choose ${trustAbove} or a stronger level.`,
    );
  }
  const imports = narrower(narrower(parent.imports, calling), child.imports);
  return {
    ...parent,
    trust,
    storage,
    limits: lowest(parent.limits, child.limits),
    // What they stand for is the parent's, and open already.
    tools: [],
    seeds: [],
    deps: [],
    ...(timeout === undefined ? {} : { timeout }),
    ...(imports === undefined ? {} : { imports }),
  };
}

/** Modules that are on both lists; undefined where there is none. */
export function narrower(
  above: readonly string[] | undefined,
  own: readonly string[] | undefined,
): readonly string[] | undefined {
  if (above === undefined || own === undefined) return own ?? above;
  return own.filter((name) => above.includes(name));
}

const DEFAULTS: SessionLimits = {
  outputLength: DEFAULT_OUTPUT_LENGTH,
  outputBytes: DEFAULT_OUTPUT_BYTES,
  valueSize: DEFAULT_VALUE_SIZE,
  artifactsSize: DEFAULT_ARTIFACTS_SIZE,
  packagesSize: DEFAULT_PACKAGES_SIZE,
  packagesFiles: DEFAULT_PACKAGES_FILES,
  callsPerRun: DEFAULT_CALLS_PER_RUN,
  openCalls: DEFAULT_OPEN_CALLS,
};

function lowest(above: SessionLimits = {}, own: SessionLimits = {}): SessionLimits {
  const highest: Readonly<Record<string, number>> = { ...DEFAULTS, ...above };
  const lowered = Object.entries<number>({ ...own }).map(
    ([name, limit]) => [name, Math.min(limit, highest[name] ?? Infinity)] as const,
  );
  return { ...above, ...(Object.fromEntries(lowered) as SessionLimits) };
}
