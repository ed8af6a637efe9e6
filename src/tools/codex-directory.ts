import { toolAlias } from "./python/aliases.js";
import { SERVER_PREFIX, serverNames } from "./python/server-names.js";
import type { Tool, ToolCallable } from "./definition.js";
import { ToolNotFoundError } from "./errors.js";
import type { OnOpenApiProgress } from "./openapi-progress.js";
import type { ToolSearchOptions, ToolSearchResult } from "./search/index.js";
import type { PreparedToolCall, ToolDirectory, ToolScope } from "./tool-directory.js";

export interface CodexDirectoryParts {
  /** What the code sees of the session's tools. */
  readonly own: ToolDirectory;
  /** All tools of the session: a name that one has is not free, seen or not. */
  readonly registered: Pick<ToolDirectory, "get">;
  /** The tools on files, which are there always. */
  readonly files: ToolDirectory;
}

/** What a name of the module `codex_tools` means. */
export interface CodexEntry {
  readonly tool: Tool;
  /** For `mcp__server__tool`; else null. */
  readonly callable: ToolCallable | null;
  /** Whether its paths are those of the code's own files. */
  readonly onFiles: boolean;
}

/** What the module `codex_tools` shows: the session's own tools, then those on files whose names are free. */
export class CodexDirectory implements ToolDirectory {
  readonly #parts: CodexDirectoryParts;

  constructor(parts: CodexDirectoryParts) {
    this.#parts = parts;
  }

  get(name: string): Tool | undefined {
    return this.#parts.own.get(name) ?? this.#file(name);
  }

  list(): readonly Tool[] {
    const { own, files } = this.#parts;
    return [...own.list(), ...files.list().filter((tool) => this.#isFree(tool))];
  }

  /** Every name that the module has, each once. */
  names(): readonly string[] {
    const tools = this.list();
    return [...new Set([...tools.map(toolAlias), ...tools.flatMap((tool) => [...serverNames(tool).keys()])])];
  }

  /** By the name of a tool, by its alias, or as `mcp__server__tool`. */
  entry(name: string): CodexEntry | undefined {
    const tool = this.get(name);
    // The same tool may be among the session's own.
    if (tool !== undefined) return { tool, callable: null, onFiles: this.#parts.files.get(tool.name) === tool };
    if (!name.startsWith(SERVER_PREFIX)) return undefined;
    for (const server of this.#parts.own.list()) {
      const callable = serverNames(server).get(name);
      if (callable !== undefined) return { tool: server, callable, onFiles: false };
    }
    return undefined;
  }

  async search(query: string, options: ToolSearchOptions = {}): Promise<ToolSearchResult> {
    return this.#parts.own.search(query, options);
  }

  prepare(name: string, callable: string | null): PreparedToolCall {
    const { own, files } = this.#parts;
    if (own.get(name) !== undefined) return own.prepare(name, callable);
    if (this.#file(name) !== undefined) return files.prepare(name, callable);
    throw new ToolNotFoundError(
      name,
      this.list().map((tool) => tool.name),
    );
  }

  whenKnown(name: string, onProgress?: OnOpenApiProgress): Promise<void> | undefined {
    return this.#parts.own.whenKnown(name, onProgress);
  }

  settled(): Promise<void> | undefined {
    return this.#parts.own.settled();
  }

  leavesOut(name: string): boolean {
    return this.#parts.own.leavesOut(name);
  }

  scopedView(tags: Iterable<string>): ToolDirectory {
    return this.inScope({ tags: [...tags] });
  }

  inScope(scope: ToolScope): ToolDirectory {
    return new CodexDirectory({ ...this.#parts, own: this.#parts.own.inScope(scope) });
  }

  #file(name: string): Tool | undefined {
    const tool = this.#parts.files.get(name);
    return tool !== undefined && this.#isFree(tool) ? tool : undefined;
  }

  #isFree({ name }: Tool): boolean {
    const { own, registered } = this.#parts;
    return registered.get(name) === undefined && own.get(name) === undefined && !own.leavesOut(name);
  }
}
