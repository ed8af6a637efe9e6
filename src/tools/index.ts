export { callableAlias, callableByAlias, parameterAlias, toolAlias } from "./aliases.js";
export { checkArguments, checkInput, mismatch } from "./arguments.js";
export { type CliOption, type CliRecipe, type CliToolFile } from "./cli-file.js";
export {
  DEFAULT_TOOL_TIMEOUT,
  type CallTool,
  type JsonSchema,
  type OpenTool,
  type Tool,
  type ToolAdapter,
  type ToolCallable,
  type ToolContext,
  type ToolHints,
  type ToolParameter,
  type ToolProgress,
} from "./definition.js";
export { describeCallable, describeHit, describeTool } from "./describe-tool.js";
export {
  CorsError,
  HostNotAllowedError,
  ResponseTooLargeError,
  ToolArgumentError,
  ToolCallError,
  ToolCancelledError,
  ToolFileError,
  ToolNameError,
  ToolNameTakenError,
  ToolNotFoundError,
  ToolSchemaError,
  ToolTimeoutError,
  ToolUnavailableError,
  UnknownCallableError,
  type ToolCallFailure,
} from "./errors.js";
export { functionTool, type FunctionResult, type FunctionToolOptions } from "./function-tool.js";
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
export {
  OpenApiDocumentError,
  openApiTools,
  type OpenApiOptions,
  type OpenApiTools,
  type OpenApiToolFile,
  type OperationSelection,
} from "./openapi/index.js";
export { type HttpAuth } from "./http/auth.js";
export {
  type McpAnswers,
  type McpElicitation,
  type McpElicitationAnswer,
  type McpSampling,
  type McpSamplingAnswer,
} from "./mcp/mcp-answers.js";
export {
  McpAnswerTooLargeError,
  McpConnectionError,
  McpProtocolError,
  McpServerError,
  McpUnauthorizedError,
} from "./mcp/mcp-errors.js";
export {
  type McpInPageServer,
  type McpMessage,
  type McpOAuth,
  type McpServerAddress,
  type McpToken,
  type McpTokenStore,
  type McpToolOptions,
  type McpTransport,
} from "./mcp/mcp-options.js";
export { mcpTool } from "./mcp/mcp-tool.js";
export { messagePortTransport } from "./mcp/message-port-transport.js";
export { pythonAttribute, pythonMethod, pythonName } from "./python-names.js";
export { pythonRepr, pythonTypeOfParameter, pythonTypeOfSchema } from "./python-types.js";
export { type ToolEnvironment, type ToolHost } from "./tool-host.js";
export { ToolRegistry, type PreparedToolCall, type ToolDirectory, type ToolScope } from "./registry.js";
export { explainFetchFailure } from "./fetch-failure.js";
export { pageAddress, routeRequest, type RequestRoute } from "./request-route.js";
export { type ToolHit, type ToolSearchOptions, type ToolSearchResult } from "./search/index.js";
export { checkSchema, parametersOfSchema, pathText, type SchemaMismatch, type StandardSchema } from "./schema/index.js";
export { callOf, signature, type SignatureOptions } from "./signature.js";
export { readToolFiles, TOOL_PREFIX, type StoredToolFiles } from "./stored-tool-files.js";
export { callableStub, callableTypes, checkingStubs, oneLine, toolStubs, TypeWriter } from "./stubs/index.js";
export { parseToolFile, type ToolFile } from "./tool-file.js";
export { unavailableTool } from "./unavailable-tool.js";
export { type SchemaInput, type SchemaOutput, type ValueSchema } from "./value-schema.js";
