export { AuthField, readAuth, referenceProblem, type AuthChoices, type HttpAuth } from "./auth.js";
export { parseHttpFile, readBaseUrl, readHeaders } from "./http-file.js";
export {
  baseUrlProblem,
  DEFAULT_MAX_RESPONSE,
  hintsOfMethod,
  type HttpBodyEncoding,
  type HttpFixedPart,
  type HttpMethod,
  type HttpParameter,
  type HttpPlace,
  type HttpRecipe,
  type HttpResponseKind,
  type HttpToolFile,
} from "./http-service.js";
export { HttpTool, httpTool } from "./http-tool.js";
export { listStyles, simpleStyle, type ParameterStyle } from "./parameter-style.js";
export { DEFAULT_RETRY, readRetry, RetryField, type RetryRule } from "./retry.js";
