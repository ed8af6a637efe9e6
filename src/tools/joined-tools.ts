import type { Tool } from "./definition.js";
import { ToolNotFoundError } from "./errors.js";
import type { OnOpenApiProgress } from "./openapi-progress.js";
import type { ToolSearchOptions, ToolSearchResult } from "./search/index.js";
import type { PreparedToolCall, ToolDirectory, ToolScope } from "./tool-directory.js";

export interface JoinedToolsParts {
  readonly own: ToolDirectory;
  /** All tools of the session: a name that one has is not free, seen or not. */
  readonly registered: Pick<ToolDirectory, "get">;
  readonly more: ToolDirectory;
}

/** A directory with those of another one behind it whose names are free. */
export class JoinedTools implements ToolDirectory {
  protected readonly parts: JoinedToolsParts;

  constructor(parts: JoinedToolsParts) {
    this.parts = parts;
  }

  get(name: string): Tool | undefined {
    return this.parts.own.get(name) ?? this.#other(name);
  }

  list(): readonly Tool[] {
    const { own, more } = this.parts;
    return [...own.list(), ...more.list().filter((tool) => this.#isFree(tool))];
  }

  /** Those behind come first: they are few, and a search knows no measure for both. */
  async search(query: string, { limit = 10, offset = 0 }: ToolSearchOptions = {}): Promise<ToolSearchResult> {
    const all = { limit: Number.MAX_SAFE_INTEGER };
    const behind = await this.parts.more.search(query, all);
    const found = behind.hits.filter(({ tool }) => this.#isFree(tool));
    const hits = found.slice(offset, offset + limit);
    const rest = await this.parts.own.search(query, {
      limit: limit - hits.length,
      offset: Math.max(0, offset - found.length),
    });
    const shown = [...hits, ...rest.hits];
    const more = rest.more + Math.max(0, found.length - offset - hits.length);
    return { hits: shown, tools: [...new Set(shown.map(({ tool }) => tool))], more };
  }

  prepare(name: string, callable: string | null): PreparedToolCall {
    const { own, more } = this.parts;
    if (own.get(name) !== undefined) return own.prepare(name, callable);
    if (this.#other(name) !== undefined) return more.prepare(name, callable);
    throw new ToolNotFoundError(
      name,
      this.list().map((tool) => tool.name),
    );
  }

  whenKnown(name: string, onProgress?: OnOpenApiProgress): Promise<void> | undefined {
    return this.parts.own.whenKnown(name, onProgress);
  }

  settled(): Promise<void> | undefined {
    return this.parts.own.settled();
  }

  leavesOut(name: string): boolean {
    return this.parts.own.leavesOut(name);
  }

  scopedView(tags: Iterable<string>): ToolDirectory {
    return this.inScope({ tags: [...tags] });
  }

  inScope(scope: ToolScope): ToolDirectory {
    const { own, registered, more } = this.parts;
    return new JoinedTools({ own: own.inScope(scope), registered, more: more.inScope(scope) });
  }

  #other(name: string): Tool | undefined {
    const tool = this.parts.more.get(name);
    return tool !== undefined && this.#isFree(tool) ? tool : undefined;
  }

  #isFree(tool: Tool): boolean {
    const { own, registered } = this.parts;
    const there = registered.get(tool.name);
    // The tool itself may be registered, too.
    const isTaken = there !== undefined && there !== tool;
    return !isTaken && own.get(tool.name) === undefined && !own.leavesOut(tool.name);
  }
}
