import type { ToolAdapter } from "../definition.js";
import { ToolUnavailableError } from "../errors.js";
import type { McpToolFile } from "./mcp-file.js";
import { mcpToolOfFile } from "./mcp-tool.js";

/** The tool of a file of `type: mcp`; `source` is what problems of it name. */
export function mcpFileTool(file: McpToolFile, source: string): ToolAdapter {
  const { name, description, tags, hints, timeout, server } = file;
  if (server.transport === "stdio") return unavailableTool(file);
  const { transport, url, headers } = server;
  return mcpToolOfFile(
    {
      name,
      tags,
      hints,
      timeout,
      transport,
      url,
      headers: Object.fromEntries(headers),
      ...(description === "" ? {} : { description }),
    },
    source,
  );
}

/** A tool that is listed, and whose every call says why it cannot be made here and what to do instead. */
function unavailableTool(file: McpToolFile): ToolAdapter {
  const { name, description, tags, timeout } = file;
  const refuse = (): never => {
    throw refusal(file);
  };
  return {
    tool: { name, description, tags, timeout, hints: {}, callables: [], dynamic: true },
    validate: refuse,
    call: refuse,
  };
}

function refusal({ name, server }: McpToolFile): ToolUnavailableError {
  const program = server.transport === "stdio" ? server.command : "";
  return new ToolUnavailableError(
    name,
    `its MCP server is the program '${program}', and a web page cannot start programs of the machine`,
    "Run the server where it can be reached over HTTP and write `transport: streamable_http` and its `url:`, " +
      `or register a tool named '${name}': \`mcpTool\` for a server in the page, \`functionTool\` for a function.`,
  );
}
