import type { Value } from "../../protocol/index.js";
import { DEFAULT_MAX_RESPONSE, type HttpFixedPart, HttpTool, type HttpToolFile, listStyles } from "../http/index.js";
import type { OnOpenApiProgress } from "../openapi-progress.js";
import { pageAddress } from "../requests/request-route.js";
import { OpenApiDocumentError } from "./errors.js";
import type { OpenApiFileOptions, OpenApiToolFile } from "./openapi-file.js";
import { makeOpenApiTools, type OpenApiTools } from "./openapi-tools.js";

/**
 * Reads the document of a tool file and makes its tool.
 *
 * @throws {ToolCallError} when the document cannot be had.
 * @throws {OpenApiDocumentError} when it is none.
 */
export async function loadOpenApiFile(
  file: OpenApiToolFile,
  options: OpenApiFileOptions,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: OnOpenApiProgress },
): Promise<OpenApiTools> {
  const { document, fixed, ...settings } = file;
  const isStored = "file" in document;
  const pageUrl = options.pageUrl ?? pageAddress();
  if (!isStored) onProgress({ phase: "fetching", done: 0, total: undefined });
  const content = isStored
    ? await stored(document.file, options)
    : await fetched(document.url, { file, options, signal });
  return makeOpenApiTools(content, {
    ...options,
    ...settings,
    fixed,
    baseUrlOption: "base_url",
    onProgress,
    ...(isStored
      ? { source: document.file }
      : { source: new URL(document.url, pageUrl).href, documentUrl: document.url }),
  });
}

async function stored(name: string, { readDocument }: OpenApiFileOptions): Promise<Uint8Array> {
  const content = await readDocument?.(name);
  if (content === undefined) throw new OpenApiDocumentError(name, "no document is stored under this name");
  return content;
}

/** By the rules of every request of a tool: allowed hosts, no redirect, the proxy. */
async function fetched(
  url: string,
  {
    file,
    options,
    signal,
  }: { readonly file: OpenApiToolFile; readonly options: OpenApiFileOptions; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const [address = url, search = ""] = url.split("?", 2);
  const fixed = Array.from(new URLSearchParams(search), ([sentAs, value]): HttpFixedPart => ({
    place: "query",
    sentAs,
    value,
    style: listStyles.repeat,
  }));
  const service: HttpToolFile = {
    kind: "http",
    name: file.name,
    description: "",
    baseUrl: address,
    timeout: file.timeout,
    tags: [],
    recipes: [
      {
        name: "document",
        description: "",
        method: "GET",
        path: "",
        parameters: [],
        fixed,
        body: "json",
        response: "bytes",
        hints: { readOnly: true, idempotent: true },
        auth: [],
        retry: file.retry,
        pages: undefined,
        maxResponse: DEFAULT_MAX_RESPONSE,
      },
    ],
  };
  const content: Value = await new HttpTool(service, options).call("document", {}, { signal, report: () => undefined });
  return content instanceof Uint8Array ? content : new Uint8Array();
}
