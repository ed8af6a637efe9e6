export * from "./public.js";
export { callableAlias, callableByAlias, parameterAlias, toolAlias } from "./python/aliases.js";
export { checkArguments, checkInput } from "./arguments.js";
export { CallDeadline, whilePaused } from "./requests/call-deadline.js";
export { DEFAULT_TOOL_TIMEOUT, TOOL_HINTS } from "./definition.js";
export { describeCallable, describeHit, describeTool } from "./describe-tool.js";
export { HostNotAllowedError, ToolCancelledError, InvalidToolError, ToolSchemaError } from "./errors.js";
export { loadToolFiles, type LoadedToolFiles, type ToolFileOptions } from "./files/load-tool-files.js";
export { checkOpenApiOptions, importOpenApi } from "./openapi/index.js";
export { DEEPEST_DEFINITION } from "./nesting.js";
export { isPythonName, pythonAttribute, pythonMethod, pythonName } from "./python/python-names.js";
export { pythonRepr, pythonTextPieces, pythonTypeOfParameter } from "./stubs/python-types.js";
export { TOOL_SCOPE, type PreparedToolCall } from "./tool-directory.js";
export { pythonTool, type PythonFunction, type PythonToolOptions } from "./python-tool.js";
export { checkAdapter, ToolRegistry } from "./registry.js";
export { readBytes } from "./requests/read-bytes.js";
export { pageAddress, routeRequest, type RequestRoute } from "./requests/request-route.js";
export { sendRequest } from "./requests/send-request.js";
export { TOOL_SEARCH } from "./search/index.js";
export {
  checkSchema,
  mismatch,
  parametersOfSchema,
  pathText,
  takesNull,
  withoutRef,
  type SchemaMismatch,
} from "./schema/index.js";
export { callOf, signature, type SignatureOptions } from "./stubs/signature.js";
export { readToolFiles, TOOL_PREFIX, type StoredToolFiles } from "./files/stored-tool-files.js";
export { callableStub, callableTypes, checkingStubs, oneLine, toolStubs, TypeWriter } from "./stubs/index.js";
export { holdsSeveralTools } from "./files/tool-file.js";
export { asJsonSchema, parseValue } from "./value-schema.js";
