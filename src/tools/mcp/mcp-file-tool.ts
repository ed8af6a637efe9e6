import type { ToolAdapter } from "../definition.js";
import type { McpToolFile } from "./mcp-file.js";
import { mcpToolOfFile } from "./mcp-tool.js";
import { unavailableTool } from "./unavailable-tool.js";

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
