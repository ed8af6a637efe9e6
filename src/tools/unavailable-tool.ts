import type { ToolAdapter } from "./definition.js";
import { ToolUnavailableError } from "./errors.js";
import type { McpToolFile } from "./mcp-file.js";

/** A tool that is listed, and whose every call says why it cannot be made here and what to do instead. */
export function unavailableTool(file: McpToolFile): ToolAdapter {
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
  if (server.transport === "stdio") {
    return new ToolUnavailableError(
      name,
      `its MCP server is the program '${server.command}', and a web page cannot start programs of the machine`,
      `Run the server where it can be reached over HTTP and give its \`url:\` once MCP servers are supported, or register a function tool named '${name}'.`,
    );
  }
  return new ToolUnavailableError(
    name,
    `it is the MCP server at ${server.url}, and this version does not connect to MCP servers`,
    `Call the service behind it by a tool of \`type: http\`, or register a function tool named '${name}'.`,
  );
}
