export { clientTools, type ClientTool, type ClientToolOptions, type ClientToolResult } from "./client-tools.js";
export { type McpService, type McpServiceOptions, type McpServiceTransport } from "./mcp-service.js";
export { serveMcp } from "./serve-mcp.js";
export {
  runCodeFunction,
  type ChatToolCall,
  type ChatToolMessage,
  type RunCodeFunction,
  type RunCodeFunctionOptions,
} from "./run-code-function.js";
export { provideWebMcp, WebMcpUnavailableError, type WebMcpOptions, type WebMcpProvision } from "./web-mcp.js";
