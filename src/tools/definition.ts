import type { Value } from "../protocol/index.js";

/** What a call may do to the world. Absent means: not known. */
export interface ToolHints {
  /** Changes nothing: such a call is not asked about and may be journalled in groups. */
  readonly readOnly?: boolean;
  /** May remove or overwrite what cannot be had back. */
  readonly destructive?: boolean;
  /** The same call twice has the effect of one. */
  readonly idempotent?: boolean;
}

/** The keywords of JSON Schema that Vitrine reads; others are carried along. */
export interface JsonSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly default?: Value;
  readonly enum?: readonly Value[] | undefined;
  readonly const?: Value;
  readonly items?: JsonSchema | boolean | undefined;
  readonly properties?: { readonly [name: string]: JsonSchema } | undefined;
  readonly required?: readonly string[] | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly [keyword: string]: unknown;
}

export interface ToolParameter {
  readonly name: string;
  /** The type as its definition calls it: `string`, `integer`, `str`. `schema`, where there is one, says more. */
  readonly type: string;
  readonly required: boolean;
  /** Absent when there is none; null is a default of its own. */
  readonly default?: Value;
  readonly description: string;
  readonly schema?: JsonSchema;
}

/** One way to call a tool: a recipe of a file, a tool of an MCP server, the function of a function tool. */
export interface ToolCallable {
  readonly name: string;
  readonly description: string;
  /** In the order in which positional arguments fill them. */
  readonly parameters: readonly ToolParameter[];
  /** Where this callable differs from its tool's hints. */
  readonly hints?: ToolHints;
}

/** Milliseconds that a call of a tool may take when its definition says nothing. */
export const DEFAULT_TOOL_TIMEOUT = 60_000;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly callables: readonly ToolCallable[];
  readonly hints: ToolHints;
  /** Milliseconds that one call may take. */
  readonly timeout: number;
  /** True when the callables are known only once the tool is connected: then any callable name is passed on. */
  readonly dynamic?: boolean;
}

/** What an adapter gets beside the arguments. */
export interface ToolContext {
  /** Aborted when the run is stopped or nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** Runs a skill inside the interpreter that waits for this call. */
  readonly runSkill: (name: string, args: Readonly<Record<string, Value>>) => Promise<Value>;
}

/** What stands behind a tool: an HTTP service, a function, later a command or an MCP server. */
export interface ToolAdapter {
  readonly tool: Tool;
  /**
   * Checks arguments before anything happens and returns those to call with.
   * Without it they are checked against the parameters of the callable.
   *
   * @throws {ToolCallError} naming the argument.
   */
  validate?(callable: string | null, args: Readonly<Record<string, Value>>): Readonly<Record<string, Value>>;
  /**
   * Calls the tool. `callable` is null for the escape hatch: `tools.x(…)` where x has no callable of its own name.
   *
   * @throws {ToolCallError} when the call failed, {@link ToolTimeoutError} when it outlived `tool.timeout`.
   */
  call(callable: string | null, args: Readonly<Record<string, Value>>, context: ToolContext): Promise<Value>;
}
