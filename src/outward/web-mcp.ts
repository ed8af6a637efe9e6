import { z } from "zod";

import { checkArgument, optionCheck } from "../options/index.js";
import { VitrineError } from "../protocol/index.js";
import type { Session } from "../session/index.js";
import { TOOL_SCOPE, type ToolScope } from "../tools/index.js";
import { CLIENT_TOOLS, clientTools, type ClientTool, type ClientToolOptions } from "./client-tools.js";

/** This browser has no `document.modelContext`, or one of another form. Nothing was offered. */
export class WebMcpUnavailableError extends VitrineError {
  override readonly name = "WebMcpUnavailableError";
  readonly code = "WEB_MCP_UNAVAILABLE";

  constructor() {
    super(
      "This browser does not offer WebMCP: `document.modelContext` has no `registerTool` here. " +
        "It needs a secure page and, in Chromium 156, --enable-features=WebMCP.",
    );
  }
}

/** Under which names the page offers a session to the browser's agent. */
export interface WebMcpOptions extends ClientToolOptions {
  /** How its runs are called in the journal. Default: `webmcp`. */
  readonly name?: string;
  /** Put before the names of the tools, as `vitrine_`, where the page has others. Default: nothing. */
  readonly prefix?: string;
  /** The tools that the client's code sees of those that the session's code sees. Default: all of them. */
  readonly scope?: ToolScope;
}

const checkOptions = optionCheck<WebMcpOptions>("provideWebMcp", {
  ...CLIENT_TOOLS,
  name: "string?",
  prefix: "string?",
  scope: TOOL_SCOPE,
});

/** The tools that the browser's agent has; `close` takes them back. */
export interface WebMcpProvision {
  /** The names under which agents find the tools. */
  readonly names: readonly string[];
  /** Takes the tools back. */
  close(): void;
}

interface ModelContext {
  registerTool(tool: object, options: { readonly signal: AbortSignal }): unknown;
}

/**
 * Offers a session's eleven tools to the browser's agent and to assistive technologies, through WebMCP as it is since
 * July 2026: `provideWebMcp(session, document.modelContext)`. What they ask for is judged as an agent's code is, with
 * `client` as caller.
 *
 * @throws {WebMcpUnavailableError} @throws what the browser says to a name that is taken, with nothing offered.
 */
export async function provideWebMcp(
  session: Session,
  modelContext: unknown,
  options: WebMcpOptions = {},
): Promise<WebMcpProvision> {
  checkArgument("provideWebMcp", "session", session, "object");
  checkOptions(options);
  if (!isModelContext(modelContext)) throw new WebMcpUnavailableError();
  const { name = "webmcp", prefix = "", scope, canChangeDeps = session.supports("deps_install") } = options;
  const client = session.client({ name, ...(scope === undefined ? {} : { scope }) });
  const tools = clientTools(client, { ...options, canChangeDeps });
  const offered = new AbortController();
  try {
    for (const tool of tools) {
      await modelContext.registerTool(webMcpTool(tool, prefix), { signal: offered.signal });
    }
  } catch (error) {
    offered.abort();
    throw error;
  }
  return {
    names: tools.map((tool) => `${prefix}${tool.name}`),
    close: () => {
      offered.abort();
    },
  };
}

function isModelContext(candidate: unknown): candidate is ModelContext {
  return (
    typeof candidate === "object" &&
    candidate !== null &&
    "registerTool" in candidate &&
    typeof candidate.registerTool === "function"
  );
}

function webMcpTool(tool: ClientTool, prefix: string): object {
  return {
    name: `${prefix}${tool.name}`,
    description: tool.description,
    inputSchema: z.toJSONSchema(tool.input, { io: "input" }),
    annotations: {
      readOnlyHint: tool.hints.readOnly ?? false,
      consequentialHint: tool.hints.readOnly !== true,
      // What code returns may hold anything that its tools have read.
      untrustedContentHint: true,
    },
    execute: async (input: unknown, request?: { readonly signal?: AbortSignal }) => {
      const { text, isError, images } = await tool.call(input, request?.signal);
      return {
        content: [{ type: "text", text }, ...images.map((image) => ({ type: "image", ...image }))],
        ...(isError ? { isError } : {}),
      };
    },
  };
}
