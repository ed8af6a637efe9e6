export {
  McpAnswerTooLargeError,
  McpConnectionError,
  McpProtocolError,
  McpServerError,
  McpUnauthorizedError,
} from "./mcp-errors.js";
export { parseMcpFile, type McpToolFile } from "./mcp-file.js";
export { mcpFileTool } from "./mcp-file-tool.js";
export {
  type McpInPageServer,
  type McpMessage,
  type McpServerAddress,
  type McpToolOptions,
  type McpTransport,
} from "./mcp-options.js";
export { mcpTool } from "./mcp-tool.js";
export { messagePortTransport } from "./message-port-transport.js";
