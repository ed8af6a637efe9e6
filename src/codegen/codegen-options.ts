import type { Model } from "../model/index.js";
import type { OptionKinds } from "../options/index.js";
import type { Value } from "../protocol/index.js";
import { SESSION_LIMITS, type ChildOptions, type ChildSession, type SessionLimits } from "../session/index.js";
import type { Skill } from "../skills/index.js";
import { TOOL_SCOPE, type CallingTask, type TokenPrices, type Tool, type ToolScope } from "../tools/index.js";
import type { Workspace } from "../workspace/index.js";
import type { SourcePool } from "./sources/sources.js";
import type { CodegenEvent } from "./events.js";
import type { CheckContent } from "./outcome/items.js";

/** What codegen needs of a session. `Session` has it all, and so has a session inside another one. */
export interface CodegenSession {
  readonly tools: { list(): readonly Tool[]; settled?(): Promise<void> | undefined };
  readonly skills: { get(name: string): Promise<Skill | null> };
  readonly workspace: Workspace;
  openChild(options: ChildOptions): Promise<ChildSession>;
}

/** What `ctx_tools.fetch_ctx(path)` answers: the value, or why there is none. It never throws. */
export interface FetchedContext {
  readonly ret: Value;
  readonly err: { readonly code: string; readonly message: string; readonly details?: Value } | null;
}

/** Reads from the context of a turn, by the paths that a program writes. */
export type FetchContext = (path: string) => FetchedContext | Promise<FetchedContext>;

/** How programs are run. */
export interface ProgramOptions {
  /** Whose tools, rules and storage a program works with. Its interpreter is its own, sealed, and ends with it. */
  readonly session: CodegenSession;
  /** Milliseconds that a program may run; null for no limit. Default 600,000. */
  readonly timeout?: number | null;
  /** The tools that programs see of those that the session's code sees. Default: all but those that run programs. */
  readonly scope?: ToolScope;
  /** Lower limits than the session's. */
  readonly limits?: SessionLimits;
  /**
   * Tools whose results are sources that texts can cite, by the last part of their names. Default: `web_search`,
   * `fetch_url_contents`, `kb_search` and `merge_sources`.
   */
  readonly citableTools?: readonly string[];
  /** Answers `ctx_tools.fetch_ctx`. Default: there is nothing but the sources. */
  readonly fetchContext?: FetchContext;
  /**
   * What texts can cite before a program has looked for anything, `context.knownSources` of a `ReactContext` for instance:
   * asked with each call, for a pool of the call's own, in which these keep their sids. Default: nothing.
   */
  readonly knownSources?: () => SourcePool;
  /** Looks into artifacts. Default: by their content, in a sealed worker. */
  readonly checkContent?: CheckContent;
}

/** What {@link Codegen} is made of: who writes the programs, and how often a faulty one is mended. */
export interface CodegenOptions extends ProgramOptions {
  /** Writes the programs. */
  readonly model: Model;
  /** What the model costs, where that is another one than the agent's that calls. */
  readonly prices?: TokenPrices;
  /** How often the model is shown what was wrong with its program and asked for another one. Default 1. */
  readonly repairs?: number;
  /** How often a model that failed for a while is asked again, for each program. Default 2. */
  readonly retries?: number;
  /** Tokens of a reply. Default 7,000. */
  readonly maxTokens?: number;
  /** Lines that a program should not exceed. Default 80. */
  readonly lineBudget?: number;
}

/** A program that is wanted. The values come from a model, and are checked before anything happens. */
export interface CodegenRequest {
  /** Artifact id → `{type: "inline", format, description}` or `{type: "file", filename, mime, description}`; or JSON of that. */
  readonly outputContract: Value;
  /** Objective, constraints, tone and length of this step. */
  readonly instruction: Value;
  /** What people read while it works. */
  readonly progName?: Value;
  /** Names of skills that the program may call; the model is shown them. */
  readonly skills?: Value;
  /** `{sid, title?, url?, text?, …}`: what texts can cite. */
  readonly sourcesList?: Value;
  /** What else the model should know: the state of the work so far. */
  readonly context?: string;
}

/** What is said of one run, and who made it. */
export interface CodegenCallOptions {
  /** Stops it: the reply that streams, or the program. What was made until then is kept. */
  readonly signal?: AbortSignal;
  /** The call of a tool in whose course this is made: its context's `callId`. */
  readonly parentCall?: string;
  /** The task of an agent that the call belongs to, its context's `task`: requests to the model count in its budget. */
  readonly task?: CallingTask | undefined;
  /** Hears each event as it comes. */
  readonly onEvent?: (event: CodegenEvent) => void;
}

export const PROGRAM_OPTIONS: OptionKinds<ProgramOptions> = {
  session: "object",
  timeout: "number|null?",
  scope: TOOL_SCOPE,
  limits: SESSION_LIMITS,
  citableTools: "array?",
  fetchContext: "function?",
  knownSources: "function?",
  checkContent: "function?",
};

export const CODEGEN_OPTIONS: OptionKinds<CodegenOptions> = {
  ...PROGRAM_OPTIONS,
  model: "object",
  prices: "object?",
  repairs: "number?",
  retries: "number?",
  maxTokens: "number?",
  lineBudget: "number?",
};
