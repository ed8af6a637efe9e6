import type { OptionKinds } from "../options/index.js";
import type { TrustLevel, Value } from "../protocol/index.js";

import type { CallProposal, ProposalAnswer } from "./call-proposal.js";
import type { CallingTask } from "./calling-task.js";
import type { JsonSchema } from "./json-schema.js";
import type { OnOpenApiProgress } from "./openapi-progress.js";
import type { ToolHost } from "./tool-host.js";

/** What a call may do to the world. Absent means: not known. */
export interface ToolHints {
  /** Changes nothing: such a call is not asked about and may be journalled in groups. */
  readonly readOnly?: boolean;
  /** May remove or overwrite what cannot be had back. */
  readonly destructive?: boolean;
  /** The same call twice has the effect of one. */
  readonly idempotent?: boolean;
}

export const TOOL_HINTS: OptionKinds<ToolHints> = {
  readOnly: "boolean?",
  destructive: "boolean?",
  idempotent: "boolean?",
};

/** A parameter of a callable, `type` in Python's words. */
export interface ToolParameter {
  readonly name: string;
  /** What it is called where its definition comes from, if that is not `name`: arguments may have this name as well. */
  readonly exactName?: string;
  /** The type as its definition calls it: `string`, `integer`, `str`. `schema`, where there is one, says more. */
  readonly type: string;
  readonly required: boolean;
  /** Absent when there is none; null is a default of its own. */
  readonly default?: Value;
  readonly description: string;
  readonly schema?: JsonSchema;
  /** For a list: one item may be given by itself, and is a list of one. */
  readonly takesOneItem?: boolean;
}

/** One way to call a tool: a recipe of a file, a tool of an MCP server, the function of a function tool. */
export interface ToolCallable {
  readonly name: string;
  readonly description: string;
  /** In the order in which positional arguments fill them. */
  readonly parameters: readonly ToolParameter[];
  /** The schema of all arguments together, with its `$defs`. Where there is one, arguments are checked by it. */
  readonly inputSchema?: JsonSchema;
  /** The schema of the result, with its `$defs`. */
  readonly outputSchema?: JsonSchema;
  /** Where this callable differs from its tool's hints. */
  readonly hints?: ToolHints;
}

/** Milliseconds that a call of a tool may take when its definition says nothing. */
export const DEFAULT_TOOL_TIMEOUT = 60_000;

/** What a session knows of a tool, whatever stands behind it. `timeout` in milliseconds. */
export interface Tool {
  readonly name: string;
  /** The name under which Python writes it, where that is not `name` made an identifier: the registry found it taken. */
  readonly alias?: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly callables: readonly ToolCallable[];
  readonly hints: ToolHints;
  /** Milliseconds that one call may take. */
  readonly timeout: number;
  /**
   * True when its calls work for as long as they need, within bounds of their own, as an agent's task does: the clock of
   * the run that waits for one stands still meanwhile.
   */
  readonly ownTime?: boolean;
  /**
   * True when only its calls themselves know what they are about to do, once they have worked on it: where a person would
   * be asked before a call, it goes on without a question, and has to ask by `askAbout` of its context before anything is
   * changed. Where there is no person to ask, such a call is refused before it begins, like any other.
   */
  readonly asksItself?: boolean;
  /** True when the callables are known only once the tool is connected: then any callable name is passed on. */
  readonly dynamic?: boolean;
  /** What a call of the tool says that a person refused, before the reason they gave. */
  readonly refusal?: string;
  /** True for an MCP server, whose tools are the callables. */
  readonly isServer?: boolean;
  /** Hosts that its calls are sent to, with their ports: `api.example.com`. Absent where nothing is known of any. */
  readonly hosts?: readonly string[];
  /** The trust level of the session whose code defined the tool; absent where the page registered it. */
  readonly trust?: TrustLevel;
  /** Differs each time that session code defines a tool, of whatever name; absent where the page registered it. */
  readonly definitionId?: string;
}

/** How far a call has come. */
export interface ToolProgress {
  /** Grows from report to report, in units of the tool's own. */
  readonly progress: number;
  /** What `progress` will be at the end. Absent: not known. */
  readonly total?: number;
  readonly message?: string;
  /** A part of the result that is there already. */
  readonly piece?: Value;
}

/** What an adapter gets beside the arguments. */
export interface ToolContext {
  /** The id of the call's journal entry. */
  readonly callId: string;
  /** The run in whose course the call is made, or what stands for one where there is none. */
  readonly runId: string;
  /** Aborted when the run is stopped or nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** Runs a skill inside the interpreter that waits for this call. */
  readonly runSkill: (name: string, args: Readonly<Record<string, Value>>) => Promise<Value>;
  /** Tells the page how far the call has come. After the call has ended it does nothing. */
  readonly report: (progress: ToolProgress) => void;
  /** Calls another tool, of those that the caller of this one sees. */
  readonly callTool: CallTool;
  /**
   * Asks about what the call is about to do: the session's rules first, which see it as `call.proposal`, then, where they
   * say so, a person. No clock of a tool or a run goes on meanwhile. A rule that allows the call accepts every file that is
   * in no conflict, and keeps those that are.
   *
   * @throws {CallEndedError} once the call has ended. @throws {OptionError} for an answer of `onApproval` that is none.
   */
  readonly askAbout: (proposal: CallProposal) => Promise<ProposalAnswer>;
  /** The task of the agent in whose course the call is made; undefined where no agent works. */
  readonly task?: CallingTask | undefined;
}

/**
 * Calls a tool in the course of another call: `callTool("weather", { city: "Oslo" })`, `callTool("github.get_repo", …)`.
 * It passes through the whole chain, approval and journal included, and is cancelled with the call in whose course it is
 * made. Wait for it: once that call has ended, no more are made.
 *
 * @throws {ToolNotFoundError} @throws {UnknownCallableError} @throws {CallNotAllowedError} when it was refused.
 * @throws {NestingDepthError} when calls are too deep inside one another.
 */
export type CallTool = (
  name: string,
  args?: Readonly<Record<string, Value>>,
  options?: {
    /** Gives this call up sooner. */
    readonly signal?: AbortSignal;
  },
) => Promise<Value>;

/** What stands behind a tool: an HTTP service, a function, a command, an MCP server. */
export interface ToolAdapter {
  /** As it is now; `host.changed()` tells of another. The name stays the same. */
  readonly tool: Tool;
  /**
   * Begins what the tool needs in one session, a connection for instance, without waiting for it. Called when the tool
   * is registered; the answer stands in the adapter's place there.
   */
  open?(host: ToolHost): OpenTool;
  /**
   * Checks arguments before anything happens and returns those to call with.
   * Without it they are checked by the callable's `inputSchema`, or against its parameters where it has none.
   *
   * @throws {ToolCallError} naming the argument.
   */
  validate?(
    callable: string | null,
    args: Readonly<Record<string, Value>>,
  ): Readonly<Record<string, Value>> | Promise<Readonly<Record<string, Value>>>;
  /**
   * Calls the tool. `callable` is null for the escape hatch: `tools.x(…)` where x has no callable of its own name.
   *
   * @throws {ToolCallError} when the call failed, {@link ToolTimeoutError} when it outlived `tool.timeout`.
   */
  call(callable: string | null, args: Readonly<Record<string, Value>>, context: ToolContext): Promise<Value>;
}

/** A tool that is connected to something for as long as it is registered. */
export interface OpenTool extends ToolAdapter {
  /** Resolves when the first attempt to connect has succeeded or failed. What failed is told to the host. */
  readonly opened: Promise<void>;
  /**
   * Undefined when `tool.callables` are what the tool really has; else resolves once they are. Nothing is called before.
   *
   * @param onProgress - hears how far an OpenAPI document has come.
   * @throws {VitrineError} saying why they cannot be known now.
   */
  whenKnown(onProgress?: OnOpenApiProgress): Promise<void> | undefined;
  /** The tool was removed, or its session is closed. */
  close(): Promise<void>;
}
