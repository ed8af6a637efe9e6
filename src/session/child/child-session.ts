import type { Finding } from "../../check/index.js";
import type { Journal } from "../../dispatch/index.js";
import type { TrustLevel } from "../../protocol/index.js";
import type { StorageBackend } from "../../storage/index.js";
import type { ToolDirectory, ToolScope } from "../../tools/index.js";
import type { Workspace } from "../../workspace/index.js";
import type { CheckOptions } from "../runs/code-check-options.js";
import type { SessionArtifacts, SessionSkills } from "../facades.js";
import type { ObserveTool } from "../calls/call-origin.js";
import { checkRunOptions, type RunOptions } from "../runs/run-options.js";
import type { RunResult } from "../runs/run-result.js";
import type { Session } from "../session.js";
import type { ClientOptions, SessionClient } from "../client/session-client.js";
import type { SessionLimits } from "../session-options.js";
import { narrower } from "./child-options.js";
import type { TrialOptions, TrialSession } from "./trial-session.js";

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

/**
 * A session inside another one: with an interpreter of its own, and never with more than its parent has. Its calls
 * pass the parent's rules, approvals, middleware and budget, and stand in the parent's journal. While a person is
 * asked, its clock and its parent's stand still. It ends with its parent.
 */
export class ChildSession {
  /** The tools that its code sees. */
  readonly tools: ToolDirectory;
  readonly #session: Session;
  readonly #handBack: () => Promise<void>;

  /** @internal Use `session.openChild()`. */
  constructor(session: Session, { tools, handBack }: ChildParts) {
    this.#session = session;
    this.tools = tools;
    this.#handBack = handBack;
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

  get imports(): readonly string[] | undefined {
    return this.#session.imports;
  }

  get workspace(): Workspace {
    return this.#session.workspace;
  }

  /** The parent's. */
  get journal(): Journal {
    return this.#session.journal;
  }

  /** Runs code after the child's runs before it. Whatever the code does, the promise resolves. */
  async run(code: string, options: RunOptions = {}): Promise<RunResult> {
    checkRunOptions(options);
    return this.#session.run(code, this.#narrowed(options));
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

  /** As `session.openTrial`, of what the child sees. */
  async openTrial(options: TrialOptions = {}): Promise<TrialSession> {
    const trial = await this.#session.openTrial(options);
    return {
      skills: trial.skills,
      run: (code, runOptions) => trial.run(code, this.#narrowed(runOptions)),
      close: () => trial.close(),
    };
  }

  #narrowed(options: RunOptions = {}): RunOptions {
    const imports = narrower(this.imports, options.imports);
    return { ...options, ...(imports === undefined ? {} : { imports }) };
  }

  /** Ends its interpreter; what is stored stays, and is there for the code that waits for its work. */
  async close(): Promise<void> {
    await this.#session.close();
    await this.#handBack();
  }
}

interface ChildParts {
  readonly tools: ToolDirectory;
  /** Gives what the child stored to the code in whose course it worked. */
  readonly handBack: () => Promise<void>;
}
