import { checkArgument, optionCheck } from "../options/index.js";
import { VitrineError } from "../protocol/index.js";
import type { Session } from "../session/index.js";
import type { ClientTool } from "./client-tools.js";
import { OFFER, offeredTools, type OfferOptions } from "./offered-tools.js";
import { jsonSchemaOf } from "./tool-input.js";

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
export interface WebMcpOptions extends OfferOptions {
  /** How its runs are called in the journal. Default: `webmcp`. */
  readonly name?: string;
  /** Put before the names of the tools, as `vitrine_`, where the page has others. Default: nothing. */
  readonly prefix?: string;
}

const checkOptions = optionCheck<WebMcpOptions>("provideWebMcp", {
  ...OFFER,
  name: "string?",
  prefix: "string?",
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
 * Offers a session's eleven tools, and with `fileTools` those on its files, to the browser's agent and to assistive technologies, through WebMCP as it is since
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
  const { name = "webmcp", prefix = "" } = options;
  const tools = offeredTools(session, options, { of: "provideWebMcp", name });
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
    inputSchema: jsonSchemaOf(tool.input),
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
