export * from "./public.js";
export { callableAlias, callableByAlias, parameterAlias, toolAlias } from "./python/aliases.js";
export { checkArguments, checkInput } from "./arguments.js";
export { CallDeadline, whilePaused } from "./requests/call-deadline.js";
export { TOOL_HINTS } from "./definition.js";
export { describeCallable, describeEntry, describeHit, describeTool } from "./describe-tool.js";
export { HostNotAllowedError, ToolCancelledError } from "./errors.js";
export { loadToolFiles, type ToolFileOptions } from "./files/load-tool-files.js";
export { checkOpenApiOptions, importOpenApi } from "./openapi/index.js";
export { DEEPEST_DEFINITION } from "./nesting.js";
export { isPythonName, pythonName } from "./python/python-names.js";
export { pythonRepr, pythonTextPieces } from "./stubs/python-types.js";
export { TOOL_SCOPE, type PreparedToolCall } from "./tool-directory.js";
export { pythonTool, type PythonFunction } from "./python-tool.js";
export { checkAdapter, ToolRegistry } from "./registry.js";
export { readBytes } from "./requests/read-bytes.js";
export { matchesHost, pageAddress, routeRequest, throughProxy } from "./requests/request-route.js";
export { sendRequest } from "./requests/send-request.js";
export { TOOL_SEARCH } from "./search/index.js";
export { checkSchema, mismatch, parametersOfSchema, takesNull, withoutRef } from "./schema/index.js";
export { callOf, signature, type ParameterStyle } from "./stubs/signature.js";
export { readToolFiles } from "./files/stored-tool-files.js";
export { CodexDirectory, type CodexEntry } from "./codex-directory.js";
export { JoinedTools } from "./joined-tools.js";
export {
  callableStub,
  callableTypes,
  checkingStubs,
  codexStubs,
  oneLine,
  toolStubs,
  TypeWriter,
} from "./stubs/index.js";
export { holdsSeveralTools } from "./files/tool-file.js";
export { asJsonSchema, parseValue } from "./value-schema.js";
