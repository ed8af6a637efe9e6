import type { McpOAuth, McpServerToAuthorize } from "../../../tools/index.js";
import { Observable } from "../text/observable.js";

/** How a server is logged in to. */
export type ServerAuth = (server: McpServerToAuthorize, logins: ServerLogins) => Promise<McpOAuth>;

/** Logins at MCP servers, for this visit: what they gave is in memory, and no worker reads it. */
export class ServerLogins extends Observable {
  /** Tools whose servers want a login that the user was not there for. */
  readonly wanted = new Set<string>();
  /** What was given for one, by tool, with the address of the server that it is for. */
  readonly kept = new Map<string, { readonly url: string; readonly text: string }>();
  /** What the user waits for. */
  #awaited: { readonly tool: string } | undefined;

  /** Whether the user waits for this tool: its server may ask them, and no other opens a dialog. */
  isAwaited(tool: string): boolean {
    return this.#awaited?.tool === tool;
  }

  want(tool: string): void {
    this.wanted.add(tool);
    this.changed();
  }

  /** The user waits for `work` of a tool. */
  async during<T>(tool: string, work: () => Promise<T>): Promise<T> {
    const awaited = { tool };
    this.#awaited = awaited;
    try {
      const done = await work();
      this.wanted.delete(tool);
      return done;
    } finally {
      // What was cancelled may end after the next has begun.
      if (this.#awaited === awaited) this.#awaited = undefined;
      this.changed();
    }
  }

  /** The tool is gone. */
  forget(tool: string): void {
    this.kept.delete(tool);
    this.wanted.delete(tool);
  }
}
