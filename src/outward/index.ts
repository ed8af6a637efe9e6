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
export { aiSdkTool, type AiSdkModelOutput, type AiSdkOutput, type AiSdkTool } from "./ai-sdk-tool.js";
export { RunPythonInput, type RunPythonHandling, type RunPythonOptions } from "./run-python.js";
export {
  runPythonFunction,
  type ChatImageMessage,
  type RunPythonFunction,
  type RunPythonFunctionOptions,
} from "./run-python-function.js";
export { provideWebMcp, WebMcpUnavailableError, type WebMcpOptions, type WebMcpProvision } from "./web-mcp.js";
