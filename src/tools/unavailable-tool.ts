import type { Tool, ToolAdapter } from "./definition.js";
import { ToolUnavailableError } from "./errors.js";
import type { CliToolFile } from "./cli-file.js";
import type { McpToolFile } from "./mcp-file.js";

/** A tool that is listed, and whose every call says why it cannot be made here and what to do instead. */
export function unavailableTool(file: CliToolFile | McpToolFile): ToolAdapter {
  const tool = file.kind === "cli" ? cliTool(file) : mcpTool(file);
  const refuse = (): never => {
    throw file.kind === "cli" ? cliRefusal(file) : mcpRefusal(file);
  };
  return { tool, validate: refuse, call: refuse };
}

function cliTool({ name, description, tags, timeout, recipes }: CliToolFile): Tool {
  return {
    name,
    description,
    tags,
    timeout,
    hints: {},
    callables: recipes.map((recipe) => ({
      name: recipe.name,
      description: recipe.description,
      parameters: recipe.parameters,
    })),
  };
}

function mcpTool({ name, description, tags, timeout }: McpToolFile): Tool {
  return { name, description, tags, timeout, hints: {}, callables: [], dynamic: true };
}

function cliRefusal({ name, command }: CliToolFile): ToolUnavailableError {
  return new ToolUnavailableError(
    name,
    `it runs the program '${command}', and a web page cannot start programs of the machine`,
    `Write it as a tool of \`type: http\` with the \`base_url\` of a service that does the same, or register a function tool named '${name}'.`,
  );
}

function mcpRefusal({ name, server }: McpToolFile): ToolUnavailableError {
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
