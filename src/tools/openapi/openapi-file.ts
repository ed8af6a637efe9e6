import { z } from "zod";

import { DEFAULT_TOOL_TIMEOUT } from "../definition.js";
import {
  AuthField,
  DEFAULT_MAX_RESPONSE,
  DEFAULT_RETRY,
  type HttpAuth,
  type HttpFixedPart,
  readAuth,
  readBaseUrl,
  readHeaders,
  readRetry,
  referenceProblem,
  RetryField,
  type RetryRule,
} from "../http/index.js";
import type { HttpToolOptions } from "../requests/request-options.js";
import type { YamlSource } from "../yaml/yaml-source.js";
import type { OperationSelection } from "./selection.js";

/** A tool file for a service that an OpenAPI document describes. */
export interface OpenApiToolFile {
  readonly kind: "openapi";
  readonly name: string;
  /** Undefined: what the document says of itself. */
  readonly description: string | undefined;
  /** An address, or a path of the page's own site; or the name of a stored document. */
  readonly document: { readonly url: string } | { readonly file: string };
  readonly baseUrl: string | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly tags: readonly string[];
  readonly fixed: readonly HttpFixedPart[];
  readonly auth: readonly HttpAuth[] | undefined;
  readonly schemes: Readonly<Record<string, string>>;
  readonly retry: RetryRule;
  /** Bytes. */
  readonly maxResponse: number;
  readonly include: OperationSelection | undefined;
  readonly exclude: OperationSelection | undefined;
}

export interface OpenApiFileOptions extends HttpToolOptions {
  /** A document that was stored under a name; undefined when there is none. Default: nothing is stored. */
  readonly readDocument?: (name: string) => Promise<Uint8Array | undefined>;
}

const Texts = z.array(z.string().min(1)).min(1).optional();
const Selection = z.strictObject({ tags: Texts, operations: Texts, paths: Texts }).nullish();

const OpenApiFile = z.strictObject({
  name: z.string().min(1),
  type: z.literal("openapi"),
  description: z.string().nullish(),
  url: z.string().min(1).optional(),
  file: z
    .string()
    .regex(/^[^/\\]+$/, "it is the name of a stored document, without folders")
    .optional(),
  base_url: z.string().min(1).optional(),
  headers: z.record(z.string(), z.coerce.string()).nullish(),
  auth: AuthField,
  schemes: z.record(z.string(), z.string().min(1)).nullish(),
  retry: RetryField,
  timeout: z
    .number()
    .positive()
    .max(86_400)
    .default(DEFAULT_TOOL_TIMEOUT / 1000)
    .describe("Seconds."),
  max_response: z
    .int()
    .min(1)
    .max(2 ** 30)
    .default(DEFAULT_MAX_RESPONSE)
    .describe("Bytes."),
  tags: z.array(z.string()).nullish(),
  include: Selection,
  exclude: Selection,
});

/**
 * Reads a tool file of `type: openapi`.
 *
 * @throws {ToolFileError} naming file, line and field.
 */
export function parseOpenApiFile(source: YamlSource): OpenApiToolFile {
  const file = source.parse(OpenApiFile);
  const auth = readAuth(source, ["auth"], file.auth);
  for (const [scheme, value] of Object.entries(file.schemes ?? {})) {
    const problem = value.includes("${") ? referenceProblem(value) : "write the name of a secret, as in ${API_KEY}";
    if (problem !== undefined) throw source.error(["schemes", scheme], problem);
  }
  return {
    kind: "openapi",
    name: file.name,
    description: file.description ?? undefined,
    document: documentOf(source, file),
    baseUrl: file.base_url === undefined ? undefined : readBaseUrl(source, file.base_url),
    timeout: file.timeout * 1000,
    tags: file.tags ?? [],
    fixed: readHeaders(source, ["headers"], file.headers),
    auth: file.auth === undefined || file.auth === null ? undefined : (auth[0] ?? []),
    schemes: file.schemes ?? {},
    retry: readRetry(source, { path: ["retry"], field: file.retry, base: DEFAULT_RETRY }),
    maxResponse: file.max_response,
    include: selectionOf(file.include),
    exclude: selectionOf(file.exclude),
  };
}

function documentOf(source: YamlSource, { url, file }: z.infer<typeof OpenApiFile>): OpenApiToolFile["document"] {
  if (url !== undefined && file !== undefined) throw source.error(["file"], "give `url` or `file`, not both");
  if (file !== undefined) return { file };
  if (url === undefined)
    throw source.error([], "`url` is missing, the address of the document; or `file`, the name of a stored one");
  const page = "https://page.invalid/";
  const isOther = /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^https?:/i.test(url);
  if (isOther || url.startsWith("//") || url.includes("\\") || !URL.canParse(url, page)) {
    throw source.error(["url"], "write a whole URL with http:// or https://, or a path of the page's own site");
  }
  const { username, password, hash } = new URL(url, page);
  if (username !== "" || password !== "") throw source.error(["url"], "it must not hold a user name or a password");
  if (hash !== "") throw source.error(["url"], "leave # and what follows out");
  return { url };
}

function selectionOf(selection: z.infer<typeof Selection>): OperationSelection | undefined {
  if (selection === undefined || selection === null) return undefined;
  const { tags, operations, paths } = selection;
  return {
    ...(tags === undefined ? {} : { tags }),
    ...(operations === undefined ? {} : { operations }),
    ...(paths === undefined ? {} : { paths }),
  };
}
