import { optionCheck } from "../../options/index.js";
import { HTTP_TOOL_OPTIONS } from "../requests/request-options.js";
import type { OpenApiOptions, OpenApiTools } from "./openapi-tools.js";

export { OpenApiDocumentError } from "./errors.js";
export { openApiFileTool } from "./openapi-file-tool.js";
export { parseOpenApiFile, type OpenApiFileOptions, type OpenApiToolFile } from "./openapi-file.js";
export { type OpenApiOptions, type OpenApiTools } from "./openapi-tools.js";
export { type OperationSelection } from "./selection.js";

export const checkOpenApiOptions = optionCheck<OpenApiOptions>("openApiTools", {
  ...HTTP_TOOL_OPTIONS,
  name: "string",
  description: "string?",
  tags: "array?",
  baseUrl: "string?",
  documentUrl: "string?",
  timeout: "number?",
  maxResponse: "number?",
  retry: "object?",
  include: { tags: "array?", operations: "array?", paths: "array?" },
  exclude: { tags: "array?", operations: "array?", paths: "array?" },
  auth: "object|array?",
  schemes: "object?",
  headers: "object?",
  onProgress: "function?",
});

/**
 * Makes a tool of an OpenAPI document, 3.0 or 3.1: text or bytes of JSON or
 * YAML, or what was parsed of them. The page goes on meanwhile: text is parsed in
 * a worker, and the rest is done in slices of a few milliseconds.
 *
 * @throws {OptionError}
 * @throws {OpenApiDocumentError} when it is no such document.
 * @throws {ToolFileError} for a header that browsers refuse, or a secret that is written down.
 */
export async function openApiTools(
  document: string | Uint8Array | Readonly<Record<string, unknown>>,
  options: OpenApiOptions,
): Promise<OpenApiTools> {
  checkOpenApiOptions(options);
  return importOpenApi(document, options);
}

/** The same, where more is known than a caller of {@link openApiTools} may say. */
export async function importOpenApi(
  document: string | Uint8Array | Readonly<Record<string, unknown>>,
  options: OpenApiOptions,
): Promise<OpenApiTools> {
  // Pages that import no document do not load what does.
  const { makeOpenApiTools } = await import("./openapi-tools.js");
  return makeOpenApiTools(document, options);
}
