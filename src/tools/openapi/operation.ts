import type { JsonSchema } from "../json-schema.js";
import {
  hintsOfMethod,
  type HttpFixedPart,
  type HttpMethod,
  type HttpRecipe,
  listStyles,
  type RetryRule,
  simpleStyle,
} from "../http/index.js";
import { entries, items, member, OpenApiFault, text, type Located, type OpenApiDocument } from "./document.js";
import { isJsonType } from "./media-types.js";
import { nameOfPath, operationName, UniqueNames } from "./names.js";
import { noteUnsentBody, readBody } from "./request-body.js";
import { inputSchemaOf, readParameters, type PartReader } from "./request-parts.js";
import { readPath, type RequestPath } from "./request-path.js";
import { isBinary, type SchemaConverter } from "./schemas.js";
import type { Security } from "./security.js";
import { serverUrl, type DocumentAddress } from "./servers.js";

export interface OperationSettings {
  readonly document: OpenApiDocument;
  readonly schemas: SchemaConverter;
  readonly security: Security;
  /** Names of the operations so far. */
  readonly names: UniqueNames;
  /** Where operations are that name no server of their own, or why that is not known. */
  readonly server: string | OpenApiFault;
  /** Where every operation is, whatever the document says. */
  readonly baseUrl: string | undefined;
  readonly address: DocumentAddress;
  readonly fixed: readonly HttpFixedPart[];
  readonly retry: RetryRule;
  readonly maxResponse: number;
}

/** One operation, found in the document. */
export interface FoundOperation {
  readonly method: string;
  readonly path: string;
  readonly pathItem: Located;
  readonly operation: Located;
}

/** Hears of a part that an operation goes without. */
export type NoteFault = (fault: OpenApiFault) => void;

export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/**
 * The callable of an operation; `note` hears of parts that it goes without.
 *
 * @throws {OpenApiFault} when it cannot be called at all.
 */
export function readOperation(
  settings: OperationSettings,
  { note, ...found }: FoundOperation & { readonly note: NoteFault },
): HttpRecipe {
  const { document, schemas, baseUrl } = settings;
  const { pathItem } = found;
  const operation = document.object(found.operation);
  const method = methodOf(found);
  const address = readPath(found.path, pathItem);
  const reader: PartReader = { document, schemas, names: new UniqueNames(), note };
  const parameters = readParameters(reader, { address, pathItem, operation });
  const body = sendsBody(method) ? readBody(reader, operation) : undefined;
  if (!sendsBody(method)) noteUnsentBody(reader, operation, method);
  const all = [...parameters, ...(body?.parameters ?? [])];
  const response = readResponses(document, operation);
  const tags = items(member(operation, "tags")).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  const auth = settings.security.choicesOf(operation, note);
  const id = text(member(operation, "operationId")).trim();
  const own = baseUrl === undefined ? ownServer(settings, { pathItem, operation }) : undefined;
  if (own === undefined && settings.server instanceof OpenApiFault) throw settings.server;
  return {
    name: settings.names.take(operationName(id) === "" ? nameOfPath(method, found.path) : operationName(id)),
    description: descriptionOf(operation, { method, path: found.path, tags }),
    method,
    path: address.path,
    parameters: all,
    fixed: [...queryOf(address), ...accepting(response.types), ...settings.fixed],
    body: body?.encoding ?? "json",
    ...(body?.contentType === undefined ? {} : { contentType: body.contentType }),
    sendsEmptyBody: body?.sendsEmptyBody ?? false,
    takesMore: body?.more !== undefined,
    response: "auto",
    hints: hintsOfMethod(method),
    auth,
    retry: settings.retry,
    pages: undefined,
    maxResponse: settings.maxResponse,
    ...(own === undefined ? {} : { baseUrl: own }),
    schemas: lazySchemas(schemas, { parameters: all, more: body?.more, output: response.schema }),
  };
}

function methodOf({ method, operation }: FoundOperation): HttpMethod {
  const known = (["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH"] as const).find(
    (name) => name.toLowerCase() === method,
  );
  if (known === undefined)
    throw new OpenApiFault(operation.pointer, `a browser does not let a page send ${method.toUpperCase()} requests`);
  return known;
}

function queryOf({ query }: RequestPath): HttpFixedPart[] {
  return query.map(([sentAs, value]) => ({ place: "query", sentAs, value, style: listStyles.repeat }));
}

function sendsBody(method: HttpMethod): boolean {
  return method !== "GET" && method !== "HEAD";
}

function ownServer(
  { address }: OperationSettings,
  { pathItem, operation }: { readonly pathItem: Located; readonly operation: Located },
): string | undefined {
  return serverUrl(operation, address) ?? serverUrl(pathItem, address);
}

function descriptionOf(
  operation: Located,
  { method, path, tags }: { readonly method: string; readonly path: string; readonly tags: readonly string[] },
): string {
  const summary = text(member(operation, "summary")).trim();
  const description = text(member(operation, "description")).trim();
  const deprecated = member(operation, "deprecated")?.value === true ? "Deprecated." : "";
  // Tags stand in the text, where a search finds them.
  const request = `${method} ${path}${tags.length === 0 ? "" : ` [${tags.join(", ")}]`}`;
  return [deprecated, summary, description === summary ? "" : description, request]
    .filter((part) => part !== "")
    .join("\n\n");
}

interface Responses {
  /** Of the first that says success; undefined where none is described, or it is no JSON. */
  readonly schema: Located | undefined;
  /** The media types of the first that says success. */
  readonly types: readonly string[];
}

/** What an operation answers is a help, no condition: what is broken there is passed over. */
function readResponses(document: OpenApiDocument, operation: Located): Responses {
  try {
    const responses = entries(member(operation, "responses"));
    const success = responses
      .filter(([status]) => /^2(?:\d\d|XX)$/i.test(status) || status === "default")
      .sort(([a], [b]) => (a < b ? -1 : 1))[0];
    if (success === undefined) return { schema: undefined, types: [] };
    const content = entries(member(document.object(success[1]), "content"));
    const json = content.find(([type]) => isJsonType(type));
    return { schema: json === undefined ? undefined : member(json[1], "schema"), types: content.map(([type]) => type) };
  } catch (error) {
    if (!(error instanceof OpenApiFault)) throw error;
    return { schema: undefined, types: [] };
  }
}

/** Asks for what is described, JSON first; a header with other characters, or a longer one, would have to be announced. */
function accepting(types: readonly string[]): HttpFixedPart[] {
  const ordered = types.toSorted((a, b) => Number(isJsonType(b)) - Number(isJsonType(a)));
  const value = ordered.join(", ");
  if (value === "" || value.length > 128 || /[^\w.+*/,;= -]/.test(value)) return [];
  return [{ place: "header", sentAs: "Accept", value, style: simpleStyle }];
}

/** Made when somebody looks: thousands of operations are listed, few are called. */
function lazySchemas(
  schemas: SchemaConverter,
  {
    output,
    ...args
  }: {
    readonly parameters: HttpRecipe["parameters"];
    readonly more: JsonSchema | undefined;
    readonly output: Located | undefined;
  },
): NonNullable<HttpRecipe["schemas"]> {
  let input: JsonSchema | undefined;
  let answer: JsonSchema | undefined;
  const readInput = (): JsonSchema => (input ??= inputSchemaOf(args, schemas));
  if (output === undefined || isBinary(output.value)) return { input: readInput };
  return { input: readInput, output: () => (answer ??= outputSchemaOf(schemas, output)) };
}

/** A broken one says nothing. */
function outputSchemaOf(schemas: SchemaConverter, output: Located): JsonSchema {
  try {
    return schemas.close(schemas.convert(output));
  } catch (error) {
    if (error instanceof OpenApiFault) return {};
    throw error;
  }
}
