export type { ClientToolOptions, ClientToolResult } from "./client-tools.js";
export type { McpService, McpServiceOptions, McpServiceTransport } from "./mcp-service.js";
export { serveMcp } from "./serve-mcp.js";
export {
  runCodeFunction,
  type ChatToolCall,
  type ChatToolMessage,
  type RunCodeFunction,
  type RunCodeFunctionOptions,
} from "./run-code-function.js";
export { aiSdkTool, type AiSdkModelOutput, type AiSdkOutput, type AiSdkTool } from "./ai-sdk-tool.js";
export type { RunPythonInput, RunPythonHandling, RunPythonOptions } from "./run-python.js";
export {
  runPythonFunction,
  type ChatImageMessage,
  type RunPythonFunction,
  type RunPythonFunctionOptions,
} from "./run-python-function.js";
export type { FileToolOptions } from "./file-tools.js";
export {
  fileToolFunctions,
  type ChatCustomToolCall,
  type FileToolDefinition,
  type FileToolFunctions,
  type FileToolFunctionsOptions,
  type FileToolHandling,
  type FreeformPatchDefinition,
} from "./file-tool-functions.js";
export { aiSdkFileTools, type AiSdkFileTool } from "./ai-sdk-file-tools.js";
export type { ToolInput } from "./tool-input.js";
export type { OfferOptions } from "./offered-tools.js";
export { provideWebMcp, WebMcpUnavailableError, type WebMcpOptions, type WebMcpProvision } from "./web-mcp.js";
