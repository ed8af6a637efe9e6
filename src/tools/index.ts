export {
  type AgentOnPath,
  type CallingTask,
  type TaskAccount,
  type TokenCounts,
  type TokenPrices,
} from "./calling-task.js";
export { callableAlias, callableByAlias, parameterAlias, toolAlias } from "./python/aliases.js";
export { checkArguments, checkInput } from "./arguments.js";
export { CallDeadline, whilePaused } from "./requests/call-deadline.js";
export { type CliOption, type CliRecipe, type CliToolFile } from "./command/cli-file.js";
export {
  DEFAULT_TOOL_TIMEOUT,
  TOOL_HINTS,
  type CallTool,
  type OpenTool,
  type Tool,
  type ToolAdapter,
  type ToolCallable,
  type ToolContext,
  type ToolHints,
  type ToolParameter,
  type ToolProgress,
} from "./definition.js";
export { type JsonSchema } from "./json-schema.js";
export { type JsonSchemaType } from "./json-schema-type.js";
export { describeCallable, describeHit, describeTool } from "./describe-tool.js";
export {
  CorsError,
  HostNotAllowedError,
  ResponseTooLargeError,
  ToolArgumentError,
  ToolCallError,
  ToolCancelledError,
  ToolDefinitionError,
  ToolFileError,
  ToolGoneError,
  InvalidToolError,
  ToolNameError,
  ToolNameTakenError,
  ToolNotFoundError,
  ToolRaisedError,
  ToolSchemaError,
  ToolTimeoutError,
  ToolUnavailableError,
  UnknownCallableError,
  type ToolCallFailure,
} from "./errors.js";
export { functionTool, type FunctionResult, type FunctionToolOptions } from "./function-tool.js";
export {
  type HttpAuth,
  type HttpBodyEncoding,
  type HttpFixedPart,
  type HttpMethod,
  type HttpParameter,
  type HttpPlace,
  type HttpRecipe,
  type HttpResponseKind,
  httpTool,
  type HttpToolFile,
} from "./http/index.js";
export { loadToolFiles, type LoadedToolFiles, type ToolFileOptions } from "./files/load-tool-files.js";
export {
  McpAnswerTooLargeError,
  McpConnectionError,
  type McpInPageServer,
  type McpMessage,
  McpProtocolError,
  type McpServerAddress,
  McpServerError,
  mcpTool,
  type McpToolFile,
  type McpToolOptions,
  type McpTransport,
  McpUnauthorizedError,
  messagePortTransport,
} from "./mcp/index.js";
export {
  OpenApiDocumentError,
  checkOpenApiOptions,
  importOpenApi,
  openApiTools,
  type OpenApiOptions,
  type OpenApiTools,
  type OpenApiToolFile,
  type OperationSelection,
} from "./openapi/index.js";
export { type OnOpenApiProgress, type OpenApiProgress } from "./openapi-progress.js";
export { DEEPEST_DEFINITION } from "./nesting.js";
export { isPythonName, pythonAttribute, pythonMethod, pythonName } from "./python/python-names.js";
export { pythonRepr, pythonTextPieces, pythonTypeOfParameter } from "./stubs/python-types.js";
export { type ToolEnvironment, type ToolHost } from "./tool-host.js";
export { TOOL_SCOPE, type PreparedToolCall, type ToolDirectory, type ToolScope } from "./tool-directory.js";
export { pythonTool, type PythonFunction, type PythonToolOptions } from "./python-tool.js";
export { checkAdapter, ToolRegistry } from "./registry.js";
export { readBytes } from "./requests/read-bytes.js";
export { type HttpToolOptions, type Fetch } from "./requests/request-options.js";
export { pageAddress, routeRequest, type RequestRoute } from "./requests/request-route.js";
export { sendRequest } from "./requests/send-request.js";
export { TOOL_SEARCH, type ToolHit, type ToolSearchOptions, type ToolSearchResult } from "./search/index.js";
export {
  checkSchema,
  mismatch,
  parametersOfSchema,
  pathText,
  takesNull,
  withoutRef,
  type SchemaMismatch,
  type StandardSchema,
} from "./schema/index.js";
export { callOf, signature, type SignatureOptions } from "./stubs/signature.js";
export { readToolFiles, TOOL_PREFIX, type StoredToolFiles } from "./files/stored-tool-files.js";
export { callableStub, callableTypes, checkingStubs, oneLine, toolStubs, TypeWriter } from "./stubs/index.js";
export { holdsSeveralTools, parseToolFile, type ToolFile } from "./files/tool-file.js";
export { asJsonSchema, parseValue, type SchemaInput, type SchemaOutput, type ValueSchema } from "./value-schema.js";
export {
  type McpAnswers,
  type McpElicitation,
  type McpElicitationAnswer,
  type McpSampling,
  type McpSamplingAnswer,
  type McpSamplingContent,
  type McpServerToAuthorize,
  type McpWaitingCall,
} from "./mcp-answers.js";
export type { McpOAuth, McpToken, McpTokenStore } from "./mcp-auth.js";
export type { AuthChoices } from "./http/auth.js";
export type { PageRule } from "./http/pages.js";
export type { ParameterStyle } from "./http/parameter-style.js";
export type { RetryRule } from "./http/retry.js";
export type { ImportSettings } from "./openapi/import-document.js";
export type { StandardResult, StandardIssue } from "./schema/standard-schema.js";
