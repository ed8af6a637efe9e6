export type { AgentOnPath, CallingTask, TaskAccount, TokenCounts, TokenPrices } from "./calling-task.js";
export type { CallProposal, FileDecision, FileProposal, ProposalAnswer } from "./call-proposal.js";
export type { CliOption, CliRecipe, CliToolFile } from "./command/cli-file.js";
export type {
  CallTool,
  OpenTool,
  Tool,
  ToolAdapter,
  ToolCallable,
  ToolContext,
  ToolHints,
  ToolParameter,
  ToolProgress,
} from "./definition.js";
export type { JsonSchema } from "./json-schema.js";
export type { JsonSchemaType } from "./json-schema-type.js";
export {
  CorsError,
  ResponseTooLargeError,
  ToolArgumentError,
  ToolCallError,
  ToolDefinitionError,
  ToolFileError,
  ToolGoneError,
  ToolNameError,
  ToolNameTakenError,
  ToolNotFoundError,
  ToolRaisedError,
  ToolTimeoutError,
  ToolUnavailableError,
  UnknownCallableError,
  type ToolCallFailure,
} from "./errors.js";
export { functionTool, type FunctionResult, type FunctionToolOptions } from "./function-tool.js";
export {
  httpTool,
  type HttpAuth,
  type HttpBodyEncoding,
  type HttpFixedPart,
  type HttpMethod,
  type HttpParameter,
  type HttpPlace,
  type HttpRecipe,
  type HttpResponseKind,
  type HttpToolFile,
} from "./http/index.js";
export {
  McpAnswerTooLargeError,
  McpConnectionError,
  McpProtocolError,
  McpServerError,
  mcpTool,
  McpUnauthorizedError,
  messagePortTransport,
  type McpInPageServer,
  type McpMessage,
  type McpServerAddress,
  type McpToolFile,
  type McpToolOptions,
  type McpTransport,
} from "./mcp/index.js";
export {
  OpenApiDocumentError,
  openApiTools,
  type OpenApiOptions,
  type OpenApiTools,
  type OpenApiToolFile,
  type OperationSelection,
} from "./openapi/index.js";
export type { OnOpenApiProgress, OpenApiProgress } from "./openapi-progress.js";
export type { ToolEnvironment, ToolHost } from "./tool-host.js";
export type { ToolDirectory, ToolScope } from "./tool-directory.js";
export type { HttpToolOptions, Fetch } from "./requests/request-options.js";
export type { ToolHit, ToolSearchOptions, ToolSearchResult } from "./search/index.js";
export type { StandardSchema } from "./schema/index.js";
export { parseToolFile, type ToolFile } from "./files/tool-file.js";
export type { SchemaInput, SchemaOutput, ValueSchema } from "./value-schema.js";
export type {
  McpAnswers,
  McpElicitation,
  McpElicitationAnswer,
  McpSampling,
  McpSamplingAnswer,
  McpSamplingContent,
  McpServerToAuthorize,
  McpWaitingCall,
} from "./mcp-answers.js";
export type { McpOAuth, McpToken, McpTokenStore } from "./mcp-auth.js";
export type { AuthChoices } from "./http/auth.js";
export type { PageRule } from "./http/pages.js";
export type { ParameterStyle } from "./http/parameter-style.js";
export type { RetryRule } from "./http/retry.js";
export type { ImportSettings } from "./openapi/import-document.js";
export type { StandardResult, StandardIssue } from "./schema/standard-schema.js";
