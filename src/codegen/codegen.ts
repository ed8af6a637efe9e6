import type { Model } from "../model/index.js";
import { optionCheck, type OptionKinds } from "../options/index.js";
import { randomId, type Value } from "../protocol/index.js";
import { SESSION_LIMITS, type ChildOptions, type ChildSession, type SessionLimits } from "../session/index.js";
import type { Skill } from "../skills/index.js";
import { TOOL_SCOPE, type CallingTask, type TokenPrices, type Tool, type ToolScope } from "../tools/index.js";
import type { Workspace } from "../workspace/index.js";
import { CodegenLog, type CodegenEvent } from "./events.js";
import type { CodegenTaskOptions } from "./codegen-task.js";
import { codegenError } from "./errors.js";
import type { CheckContent } from "./outcome/items.js";
import { messageOf } from "./message-of.js";
import { failedResult, type CodegenResult } from "./outcome/result.js";
import type { FetchContext } from "./program/run-program.js";
import type { SourcePool } from "./contract/sources.js";

/** What codegen needs of a session. `Session` has it all, and so has a session inside another one. */
export interface CodegenSession {
  readonly tools: { list(): readonly Tool[]; settled?(): Promise<void> | undefined };
  readonly skills: { get(name: string): Promise<Skill | null> };
  readonly workspace: Workspace;
  openChild(options: ChildOptions): Promise<ChildSession>;
}

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

/** A generation that was started. Iterate over it for its events, from the first one on, as often as you like. */
export interface CodegenRun extends AsyncIterable<CodegenEvent> {
  readonly runId: string;
  /** The events so far. */
  readonly events: readonly CodegenEvent[];
  /** Objective, status, story and artifacts of the program that runs, or ran last, as Markdown. Empty before one ran. */
  projectLog(): string;
  /** How it ended. Never rejects. */
  readonly result: Promise<CodegenResult>;
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

const checkCodegenOptions = optionCheck<CodegenOptions>("new Codegen", CODEGEN_OPTIONS);
const checkRequest = optionCheck<Partial<CodegenRequest>>("codegen.run", {
  // A model may call this as a tool: what is missing or wrong of these is said in the result.
  outputContract: "any?",
  instruction: "any?",
  progName: "any?",
  skills: "any?",
  sourcesList: "any?",
  context: "string?",
});
const checkCallOptions = optionCheck<CodegenCallOptions>("codegen.run", {
  signal: "object?",
  parentCall: "string?",
  task: "object?",
  onEvent: "function?",
});

/** Has a model write a program that makes the artifacts of a contract, and runs it in a clean, sealed interpreter. */
export class Codegen {
  readonly #options: CodegenOptions;

  /** @throws {OptionError} */
  constructor(options: CodegenOptions) {
    checkCodegenOptions(options);
    this.#options = options;
  }

  /** Starts at once. A contract that says no clear thing ends it before anything is generated. */
  run(request: CodegenRequest, options: CodegenCallOptions = {}): CodegenRun {
    checkRequest(request);
    checkCallOptions(options);
    const runId = newRunId();
    const log = new CodegenLog(runId, options.onEvent);
    const { signal = new AbortController().signal, parentCall, task } = options;
    const result = this.#start(request, { ...this.#options, runId, log, signal, parentCall, task });
    return {
      runId,
      events: log.events,
      projectLog: () => log.project,
      result,
      [Symbol.asyncIterator]: () => log.read(),
    };
  }

  /** A page that never has a program written does not load how. */
  async #start(request: CodegenRequest, options: CodegenTaskOptions): Promise<CodegenResult> {
    const { log, runId } = options;
    try {
      const { CodegenTask } = await import("./codegen-task.js");
      return await new CodegenTask(request, options).run();
    } catch (error) {
      const description = messageOf(error);
      const failure = codegenError({ where: "codegen.tool", error: "not_loaded", description, managed: false });
      const result = failedResult(runId, failure);
      log.add({ type: "codegen-ended", result }, { id: `${runId}/end`, parentId: null });
      log.end();
      return result;
    }
  }
}

/** `cg-` and eight digits. */
export function newRunId(): string {
  return `cg-${randomId().slice(0, 8)}`;
}
