import type { Value } from "../protocol/index.js";

import { checkArguments } from "./arguments.js";
import type { Tool, ToolAdapter, ToolCallable, ToolContext, ToolHints } from "./definition.js";
import {
  ToolArgumentError,
  type ToolCallError,
  ToolNameError,
  ToolNameTakenError,
  ToolNotFoundError,
  UnknownCallableError,
} from "./errors.js";
import { pythonAttribute, pythonMethod } from "./python-names.js";
import { searchEntry, searchTools, type SearchEntry, type ToolSearchOptions, type ToolSearchResult } from "./search.js";

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
  validate(args: Readonly<Record<string, Value>>): Readonly<Record<string, Value>>;
  invoke(args: Readonly<Record<string, Value>>, context: ToolContext): Promise<Value>;
}

/** Which tools may be seen: those with one of the tags, and those of one of the names. Without either, none. */
export interface ToolScope {
  readonly tags?: readonly string[] | undefined;
  /** Of tools, as they were registered. */
  readonly names?: readonly string[] | undefined;
}

/** The tools that one party may see. */
export interface ToolDirectory {
  /** By name, or by the alias under which Python writes it. */
  get(name: string): Tool | undefined;
  /** In the order of registration. */
  list(): readonly Tool[];
  search(query: string, options?: ToolSearchOptions): ToolSearchResult;
  /**
   * `callable` null means `tools.x(…)`: the callable of the tool's own name if there is one, else the escape hatch.
   *
   * @throws {ToolNotFoundError}
   * @throws {UnknownCallableError}
   */
  prepare(name: string, callable: string | null): PreparedToolCall;
  /** What can be seen here of the tools that have one of the tags; with no tags, nothing. */
  scopedView(tags: Iterable<string>): ToolDirectory;
  /** What can be seen here of the tools in a scope. */
  inScope(scope: ToolScope): ToolDirectory;
}

/** The tools of a session. */
export class ToolRegistry implements ToolDirectory {
  readonly #entries = new Map<string, RegisteredTool>();
  readonly #aliases = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #searchable: readonly SearchEntry[] | undefined;

  /** Grows with every change, so that who keeps a copy knows when it is old. */
  get version(): number {
    return this.#version;
  }

  /**
   * Adds a tool; `tags` come on top of its own.
   *
   * @throws {ToolNameTakenError} with the tool that was there still in place.
   * @throws {ToolNameError}
   */
  register(adapter: ToolAdapter, { tags = [] }: { readonly tags?: readonly string[] } = {}): Tool {
    const tool = tags.length === 0 ? adapter.tool : withTags(adapter.tool, tags);
    checkName(tool.name);
    if (this.#entries.has(tool.name)) throw new ToolNameTakenError(tool.name);
    this.#entries.set(tool.name, { tool, adapter });
    const alias = pythonAttribute(tool.name);
    // The first tool keeps an alias; a later one of the same alias is reached by its exact name.
    if (alias !== tool.name && !this.#aliases.has(alias)) this.#aliases.set(alias, tool.name);
    this.#changed();
    return tool;
  }

  /** False when there was no such tool. */
  remove(name: string): boolean {
    if (!this.#entries.delete(name)) return false;
    this.#aliases.clear();
    for (const known of this.#entries.keys()) {
      const alias = pythonAttribute(known);
      if (alias !== known && !this.#aliases.has(alias)) this.#aliases.set(alias, known);
    }
    this.#changed();
    return true;
  }

  get(name: string): Tool | undefined {
    return this.#find(name)?.tool;
  }

  list(): readonly Tool[] {
    return Array.from(this.#entries.values(), ({ tool }) => tool);
  }

  search(query: string, options: ToolSearchOptions = {}): ToolSearchResult {
    return searchTools(this.#searchEntries(), query, options);
  }

  prepare(name: string, callable: string | null): PreparedToolCall {
    const entry = this.#find(name);
    if (entry === undefined) throw new ToolNotFoundError(name, [...this.#entries.keys()]);
    return prepareCall(entry, callable);
  }

  scopedView(tags: Iterable<string>): ToolDirectory {
    return this.inScope({ tags: [...tags] });
  }

  inScope(scope: ToolScope): ToolDirectory {
    return new ScopedTools(this, scope, () => this.#searchEntries());
  }

  /** Calls `listener` after every change. Returns how to stop it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #find(name: string): RegisteredTool | undefined {
    return this.#entries.get(name) ?? this.#entries.get(this.#aliases.get(name) ?? "");
  }

  #searchEntries(): readonly SearchEntry[] {
    this.#searchable ??= this.list().map(searchEntry);
    return this.#searchable;
  }

  #changed(): void {
    this.#version += 1;
    this.#searchable = undefined;
    for (const listener of this.#listeners) listener();
  }
}

/** A view of a registry through a scope; it follows the registry's changes. */
class ScopedTools implements ToolDirectory {
  readonly #parent: ToolDirectory;
  readonly #tags: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #entries: () => readonly SearchEntry[];

  constructor(parent: ToolDirectory, { tags = [], names = [] }: ToolScope, entries: () => readonly SearchEntry[]) {
    this.#parent = parent;
    this.#tags = new Set(tags);
    this.#names = new Set(names);
    this.#entries = () => entries().filter(({ tool }) => this.#sees(tool));
  }

  get(name: string): Tool | undefined {
    const tool = this.#parent.get(name);
    return tool !== undefined && this.#sees(tool) ? tool : undefined;
  }

  list(): readonly Tool[] {
    return this.#parent.list().filter((tool) => this.#sees(tool));
  }

  search(query: string, options: ToolSearchOptions = {}): ToolSearchResult {
    return searchTools(this.#entries(), query, options);
  }

  prepare(name: string, callable: string | null): PreparedToolCall {
    if (this.get(name) === undefined) {
      throw new ToolNotFoundError(
        name,
        this.list().map((tool) => tool.name),
      );
    }
    return this.#parent.prepare(name, callable);
  }

  scopedView(tags: Iterable<string>): ToolDirectory {
    return this.inScope({ tags: [...tags] });
  }

  inScope(scope: ToolScope): ToolDirectory {
    return new ScopedTools(this, scope, this.#entries);
  }

  #sees({ name, tags }: Tool): boolean {
    return this.#names.has(name) || tags.some((tag) => this.#tags.has(tag));
  }
}

interface RegisteredTool {
  /** The adapter's tool with the tags given at registration. */
  readonly tool: Tool;
  readonly adapter: ToolAdapter;
}

function prepareCall({ tool, adapter }: RegisteredTool, wanted: string | null): PreparedToolCall {
  const callable = findCallable(tool, wanted);
  const callableName = callable?.name ?? wanted;
  return {
    tool,
    callable,
    name: callableName === null || callableName === tool.name ? tool.name : `${tool.name}.${callableName}`,
    hints: callable?.hints === undefined ? tool.hints : { ...tool.hints, ...callable.hints },
    tags: tool.tags,
    validate(args) {
      if (adapter.validate !== undefined) return adapter.validate(callableName, args);
      if (callable === null) throw noEscapeHatch(tool);
      return checkArguments(tool.name, callable, args);
    },
    invoke: (args, context) => callAdapter(adapter, { callableName, args, context }),
  };
}

function findCallable(tool: Tool, wanted: string | null): ToolCallable | null {
  const name = wanted ?? tool.name;
  const found =
    tool.callables.find((callable) => callable.name === name) ??
    tool.callables.find((callable) => wanted !== null && pythonMethod(callable.name) === name);
  if (found !== undefined) return found;
  if (wanted === null || tool.dynamic === true) return null;
  throw new UnknownCallableError(
    tool.name,
    wanted,
    tool.callables.map((callable) => pythonMethod(callable.name)),
  );
}

interface AdapterCall {
  readonly callableName: string | null;
  readonly args: Readonly<Record<string, Value>>;
  readonly context: ToolContext;
}

async function callAdapter(adapter: ToolAdapter, { callableName, args, context }: AdapterCall): Promise<Value> {
  return adapter.call(callableName, args, context);
}

function noEscapeHatch(tool: Tool): ToolCallError {
  const choices = tool.callables.map(
    (callable) => `tools.${pythonAttribute(tool.name)}.${pythonMethod(callable.name)}(…)`,
  );
  return new ToolArgumentError(tool.name, `it is not called by itself. Use ${choices.join(" or ")}`);
}

function withTags(tool: Tool, tags: readonly string[]): Tool {
  return { ...tool, tags: [...new Set([...tool.tags, ...tags])] };
}

function checkName(name: string): void {
  if (name === "") throw new ToolNameError(name, "it is empty");
  if (name.length > 128) throw new ToolNameError(name, "it is longer than 128 characters");
  if (name.startsWith("_")) throw new ToolNameError(name, "Python does not look up names that begin with _");
  if (/[\p{Cc}/\\]/u.test(name) || name !== name.trim()) {
    throw new ToolNameError(name, "slashes, line breaks and spaces at the ends are not allowed");
  }
}
