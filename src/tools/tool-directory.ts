import type { OptionKinds } from "../options/index.js";
import type { Value } from "../protocol/index.js";

import type { Tool, ToolCallable, ToolContext, ToolHints } from "./definition.js";
import type { OnOpenApiProgress } from "./openapi-progress.js";
import type { ToolSearchOptions, ToolSearchResult } from "./search/index.js";

/** A call whose tool and callable are found, ready for dispatch. */
export interface PreparedToolCall {
  readonly tool: Tool;
  /** Null for the escape hatch. */
  readonly callable: ToolCallable | null;
  /** `echo.shout`, or `echo` for a callable of the tool's own name and for the escape hatch. */
  readonly name: string;
  readonly hints: ToolHints;
  readonly tags: readonly string[];
  /** @throws {ToolCallError} naming the argument. */
  validate(
    args: Readonly<Record<string, Value>>,
  ): Readonly<Record<string, Value>> | Promise<Readonly<Record<string, Value>>>;
  invoke(args: Readonly<Record<string, Value>>, context: ToolContext): Promise<Value>;
}

/**
 * Which tools may be seen: those with one of the tags, and those of one of the names. With `without` or
 * `pageToolsOnly` alone, all but those; with nothing at all, none.
 */
export interface ToolScope {
  readonly tags?: readonly string[] | undefined;
  /** Of tools, as they were registered. */
  readonly names?: readonly string[] | undefined;
  /** Names of tools that are not seen, whatever else says that they are. */
  readonly without?: readonly string[] | undefined;
  /** Leaves out what session code has defined, which is otherwise in every scope. */
  readonly pageToolsOnly?: boolean | undefined;
}

export const TOOL_SCOPE: OptionKinds<ToolScope> = {
  tags: "array?",
  names: "array?",
  without: "array?",
  pageToolsOnly: "boolean?",
};

/** The tools that one party may see. */
export interface ToolDirectory {
  /** By name, or by the alias under which Python writes it. */
  get(name: string): Tool | undefined;
  /** In the order of registration. */
  list(): readonly Tool[];
  /** The index is made with the first search; see {@link ToolSearch}. */
  search(query: string, options?: ToolSearchOptions): Promise<ToolSearchResult>;
  /**
   * `callable` null means `tools.x(…)`: the callable of the tool's own name if there is one, else the escape hatch.
   *
   * @throws {ToolNotFoundError}
   * @throws {UnknownCallableError}
   * @internal
   */
  prepare(name: string, callable: string | null): PreparedToolCall;
  /**
   * Undefined when the callables of a tool are known, else resolves once they are.
   *
   * @param onProgress - hears how far an OpenAPI document has come.
   * @throws {VitrineError} saying why they cannot be known now.
   */
  whenKnown(name: string, onProgress?: OnOpenApiProgress): Promise<void> | undefined;
  /**
   * Resolves when every tool that was connecting is connected, has failed, or had three seconds; undefined when none
   * is. A listing before that lacks what is not known yet.
   */
  settled(): Promise<void> | undefined;
  /** Whether a scope leaves out tools of this name, whatever they are. @internal */
  leavesOut(name: string): boolean;
  /** What can be seen here of the tools that have one of the tags; with no tags, nothing. */
  scopedView(tags: Iterable<string>): ToolDirectory;
  /** What can be seen here of the tools in a scope. */
  inScope(scope: ToolScope): ToolDirectory;
}
