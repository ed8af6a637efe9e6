export { checkArguments } from "./arguments.js";
export { type CliOption, type CliRecipe, type CliToolFile } from "./cli-file.js";
export {
  DEFAULT_TOOL_TIMEOUT,
  type JsonSchema,
  type Tool,
  type ToolAdapter,
  type ToolCallable,
  type ToolContext,
  type ToolHints,
  type ToolParameter,
} from "./definition.js";
export { describeTool } from "./describe-tool.js";
export {
  CorsError,
  HostNotAllowedError,
  ToolArgumentError,
  ToolCallError,
  ToolCancelledError,
  ToolFileError,
  ToolNameError,
  ToolNameTakenError,
  ToolNotFoundError,
  ToolTimeoutError,
  ToolUnavailableError,
  UnknownCallableError,
  type ToolCallFailure,
} from "./errors.js";
export { functionTool, type FunctionToolOptions } from "./function-tool.js";
export {
  type HttpBodyEncoding,
  type HttpFixedPart,
  type HttpMethod,
  type HttpParameter,
  type HttpPlace,
  type HttpRecipe,
  type HttpResponseKind,
  type HttpToolFile,
} from "./http-file.js";
export { httpTool, type HttpToolOptions } from "./http-tool.js";
export { loadToolFiles, type LoadedToolFiles, type ToolFileOptions } from "./load-tool-files.js";
export { type McpToolFile } from "./mcp-file.js";
export { pythonAttribute, pythonMethod, pythonName } from "./python-names.js";
export { pythonRepr, pythonTypeOfParameter, pythonTypeOfSchema } from "./python-types.js";
export { ToolRegistry, type PreparedToolCall, type ToolDirectory, type ToolScope } from "./registry.js";
export { type ToolSearchOptions, type ToolSearchResult } from "./search.js";
export { signature } from "./signature.js";
export { readToolFiles, TOOL_PREFIX, type StoredToolFiles } from "./stored-tool-files.js";
export { parseToolFile, type ToolFile } from "./tool-file.js";
export { unavailableTool } from "./unavailable-tool.js";
