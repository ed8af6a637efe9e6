import type { Finding } from "../check/index.js";
import type { Journal } from "../dispatch/index.js";
import type { TrustLevel } from "../protocol/index.js";
import type { StorageBackend } from "../storage/index.js";
import type { ToolDirectory, ToolScope } from "../tools/index.js";
import type { Workspace } from "../workspace/index.js";
import type { CheckOptions } from "./code-check.js";
import { SessionOptionsError } from "./errors.js";
import type { SessionArtifacts, SessionSkills } from "./facades.js";
import { isForeign } from "./foreign-content.js";
import type { ObserveTool } from "./operations.js";
import type { RunOptions } from "./run-options.js";
import type { RunResult } from "./run-result.js";
import type { Session } from "./session.js";
import type { ClientOptions, SessionClient } from "./session-client.js";
import {
  DEFAULT_CALLS_PER_RUN,
  DEFAULT_OPEN_CALLS,
  DEFAULT_OUTPUT_BYTES,
  DEFAULT_OUTPUT_LENGTH,
  DEFAULT_VALUE_SIZE,
  type SessionLimits,
  type SessionOptions,
} from "./session-options.js";

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
  /**
   * Where it keeps skills, artifacts, packages and files. Default: where the parent does, which sees at once what the
   * child stores. Journal and tools are the parent's in either case.
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

/**
 * A session inside another one: with an interpreter of its own, and never with more than its parent has. Its calls
 * pass the parent's rules, approvals, middleware and budget, and stand in the parent's journal. While a person is
 * asked, its clock and its parent's stand still. It ends with its parent.
 */
export class ChildSession {
  /** The tools that its code sees. */
  readonly tools: ToolDirectory;
  readonly #session: Session;

  readonly #imports: readonly string[] | undefined;

  /** @internal Use `session.openChild()`. */
  constructor(
    session: Session,
    { tools, imports }: { readonly tools: ToolDirectory; readonly imports: readonly string[] | undefined },
  ) {
    this.#session = session;
    this.tools = tools;
    this.#imports = imports;
  }

  get trust(): TrustLevel {
    return this.#session.trust;
  }

  get skills(): SessionSkills {
    return this.#session.skills;
  }

  get artifacts(): SessionArtifacts {
    return this.#session.artifacts;
  }

  get workspace(): Workspace {
    return this.#session.workspace;
  }

  /** The parent's. */
  get journal(): Journal {
    return this.#session.journal;
  }

  /** Runs code after the child's runs before it. Whatever the code does, the promise resolves. */
  run(code: string, options: RunOptions = {}): Promise<RunResult> {
    const imports = narrower(this.#imports, options.imports);
    return this.#session.run(code, { ...options, ...(imports === undefined ? {} : { imports }) });
  }

  /** As `session.check`, by what the child's code sees. */
  check(code: string, options: CheckOptions = {}): Promise<Finding[]> {
    return this.#session.check(code, options);
  }

  /** The child as somebody sees it who calls its tools without code of their own. */
  client(options: ClientOptions = {}): SessionClient {
    return this.#session.client(options);
  }

  interrupt(): void {
    this.#session.interrupt();
  }

  /** Opens a child of this child. */
  openChild(options: ChildOptions = {}): Promise<ChildSession> {
    return this.#session.openChild(options);
  }

  /** Ends its interpreter; what is stored stays. */
  close(): Promise<void> {
    return this.#session.close();
  }
}

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

function narrower(
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
