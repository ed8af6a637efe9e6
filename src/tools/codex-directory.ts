import { toolAlias } from "./python/aliases.js";
import { SERVER_PREFIX, serverNames } from "./python/server-names.js";
import type { Tool, ToolCallable } from "./definition.js";
import { JoinedTools } from "./joined-tools.js";
import type { ToolSearchOptions, ToolSearchResult } from "./search/index.js";
import type { ToolDirectory, ToolScope } from "./tool-directory.js";

/** What a name of the module `codex_tools` means. */
export interface CodexEntry {
  readonly tool: Tool;
  /** For `mcp__server__tool`; else null. */
  readonly callable: ToolCallable | null;
  /** Whether its paths are those of the code's own files. */
  readonly onFiles: boolean;
}

/**
 * What the module `codex_tools` shows: the session's own tools, then `more`, which are those on files and are there in every
 * scope that does not leave their names out.
 */
export class CodexDirectory extends JoinedTools {
  /** Every name that the module has, each once. */
  names(): readonly string[] {
    const tools = this.list();
    return [...new Set([...tools.map(toolAlias), ...tools.flatMap((tool) => [...serverNames(tool).keys()])])];
  }

  /** By the name of a tool, by its alias, or as `mcp__server__tool`. */
  entry(name: string): CodexEntry | undefined {
    const tool = this.get(name);
    // The same tool may be among the session's own.
    if (tool !== undefined) return { tool, callable: null, onFiles: this.parts.more.get(tool.name) === tool };
    if (!name.startsWith(SERVER_PREFIX)) return undefined;
    for (const server of this.parts.own.list()) {
      const callable = serverNames(server).get(name);
      if (callable !== undefined) return { tool: server, callable, onFiles: false };
    }
    return undefined;
  }

  override async search(query: string, options: ToolSearchOptions = {}): Promise<ToolSearchResult> {
    return this.parts.own.search(query, options);
  }

  override inScope(scope: ToolScope): ToolDirectory {
    return new CodexDirectory({ ...this.parts, own: this.parts.own.inScope(scope) });
  }
}
