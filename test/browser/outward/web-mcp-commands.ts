import type { BrowserCommand } from "vitest/node";

/** What the browser's own agent is told of a page's tools. */
export interface FoundWebMcpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: unknown;
}

declare module "vitest/browser" {
  interface BrowserCommands {
    /** The tools that this page offers, as the browser's debugging protocol tells them. */
    webMcpTools: () => Promise<readonly FoundWebMcpTool[]>;
    /** Calls one from outside of the page. */
    callWebMcpTool: (name: string, input: Record<string, unknown>) => Promise<unknown>;
  }
}

const webMcpTools: BrowserCommand = async (context) => (await context.frame()).webmcp.tools();

const callWebMcpTool: BrowserCommand<[string, Record<string, unknown>]> = async (context, name, input) => {
  const result: unknown = await (await context.frame()).webmcp.callTool(name, input);
  return result;
};

/** Commands that run beside the browser and reach the test's page through the debugging protocol. */
export const webMcpCommands = { webMcpTools, callWebMcpTool };
