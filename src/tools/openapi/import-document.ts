import { Slices } from "../../protocol/index.js";
import type { Problem } from "../../protocol/index.js";
import { DEFAULT_TOOL_TIMEOUT } from "../definition.js";
import {
  baseUrlProblem,
  DEFAULT_MAX_RESPONSE,
  DEFAULT_RETRY,
  type HttpAuth,
  type HttpFixedPart,
  type HttpRecipe,
  type HttpToolFile,
  type RetryRule,
} from "../http/index.js";
import type { OnOpenApiProgress } from "../openapi-progress.js";
import { entries, member, OpenApiDocument, OpenApiFault, text, type JsonObject, type Located } from "./document.js";
import { OpenApiDocumentError } from "./errors.js";
import { Faults } from "./faults.js";
import { operationName, UniqueNames } from "./names.js";
import { METHODS, readOperation, type FoundOperation, type OperationSettings } from "./operation.js";
import { SchemaConverter } from "./schemas.js";
import { Security } from "./security.js";
import { PhaseReport } from "./phase-report.js";
import { selects, type OperationSelection } from "./selection.js";
import { ownSiteProblem, rootOf, serverUrl, type DocumentAddress } from "./servers.js";

/** What is made of a document. */
export interface ImportSettings {
  /** Of the tool. */
  readonly name: string;
  /** Default: what the document says of itself. */
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Where the service is. Default: the first server that the document names. */
  readonly baseUrl?: string | undefined;
  /** Where the document came from, also as a path of the page's own site; its servers may be relative to that. */
  readonly documentUrl?: string | undefined;
  /** The address of this page. */
  readonly pageUrl?: string | undefined;
  /** What `baseUrl` is called where these settings were written. Default: that. */
  readonly baseUrlOption?: "baseUrl" | "base_url" | undefined;
  /** What problems call the document. Default: its address, else the name of the tool. */
  readonly source?: string | undefined;
  /** Milliseconds that a call may take. Default 60,000. */
  readonly timeout?: number | undefined;
  /** Bytes that an answer may have. Default 64 MiB. */
  readonly maxResponse?: number | undefined;
  readonly retry?: RetryRule | undefined;
  /** Default: every operation. */
  readonly include?: OperationSelection | undefined;
  readonly exclude?: OperationSelection | undefined;
  /** How to say who calls, in place of what the document says: texts with `${NAME}` where a secret stands. */
  readonly auth?: HttpAuth | readonly HttpAuth[] | undefined;
  /**
   * The secret of each security scheme of the document: `{ apiKey: "${LIBRARY_KEY}" }`, for `basic`
   * `"${USER}:${PASSWORD}"`. Default: `${TOOL_SCHEME}`, for `basic` `${TOOL_SCHEME_USER}` and `${TOOL_SCHEME_PASSWORD}`.
   */
  readonly schemes?: Readonly<Record<string, string>> | undefined;
  /** Headers of every request. */
  readonly fixed?: readonly HttpFixedPart[] | undefined;
  /**
   * Called with each phase's begin and end, and about ten times a second between: a large document takes seconds. What it
   * throws ends the import.
   */
  readonly onProgress?: OnOpenApiProgress | undefined;
}

export interface ImportedDocument {
  readonly file: HttpToolFile;
  /** What of the document could not be used; `field` is a JSON pointer. One of many operations stands at the first. */
  readonly problems: readonly Problem[];
}

/**
 * Makes a callable of every operation of a document, a few at a time: between
 * the slices the page goes on.
 *
 * @throws {OpenApiDocumentError} when it is no document of OpenAPI 3.
 */
export async function importDocument(root: JsonObject, settings: ImportSettings): Promise<ImportedDocument> {
  const source = settings.source ?? settings.documentUrl ?? settings.name;
  checkVersion(root, source);
  const document = new OpenApiDocument(root);
  const faults = new Faults(source);
  const { documentUrl: url, pageUrl, baseUrlOption: option = "baseUrl" } = settings;
  const address: DocumentAddress = { url, pageUrl, option };
  const server = defaultServer(document, settings, address);
  const schemas = new SchemaConverter(document);
  const operations: OperationSettings = {
    document,
    schemas,
    security: securityOf(document, settings),
    names: new UniqueNames(),
    server,
    baseUrl: settings.baseUrl,
    address,
    fixed: settings.fixed ?? [],
    retry: settings.retry ?? DEFAULT_RETRY,
    maxResponse: settings.maxResponse ?? DEFAULT_MAX_RESPONSE,
  };
  const isMeant = selection(document, settings);
  const recipes: HttpRecipe[] = [];
  const slices = new Slices();
  const report = new PhaseReport("making", await countOperations(document, slices), settings.onProgress);
  let made = 0;
  for (const found of operationsOf(document, faults)) {
    await slices.rest();
    report.step(made);
    made += 1;
    const called = `${found.method.toUpperCase()} ${found.path}`;
    try {
      if (!isMeant(found)) continue;
      const note = (fault: OpenApiFault): void => {
        faults.add(fault, called, "goes without a part");
      };
      recipes.push(readOperation(operations, { ...found, note }));
    } catch (error) {
      if (!(error instanceof OpenApiFault)) throw error;
      faults.add(error, called, "is left out");
    }
  }
  report.end();
  const problems = faults.problems();
  if (recipes.length === 0 && problems.length === 0) {
    problems.push({
      file: source,
      message: "no operation of the document is meant by `include` and `exclude`",
      code: "OPENAPI",
    });
  }
  return { file: fileOf(document, { settings, recipes, server }), problems };
}

function checkVersion(root: JsonObject, source: string): void {
  const { openapi, swagger } = root;
  if (typeof openapi === "string" && /^3\.\d/.test(openapi)) return;
  if (swagger !== undefined) {
    const version = typeof swagger === "string" ? swagger : "2.0";
    throw new OpenApiDocumentError(
      source,
      `it is Swagger ${version}, which is older than what is read here; convert it to OpenAPI 3`,
    );
  }
  const found = openapi === undefined ? "it does not say `openapi: 3.…`" : `its version is ${JSON.stringify(openapi)}`;
  throw new OpenApiDocumentError(source, `it is no document of OpenAPI 3.0 or 3.1: ${found}`);
}

/** A fault where an operation without a server of its own cannot be called. */
function defaultServer(
  document: OpenApiDocument,
  { name, baseUrl }: ImportSettings,
  address: DocumentAddress,
): string | OpenApiFault {
  if (baseUrl !== undefined) {
    const reason = baseUrlProblem(baseUrl) ?? ownSite(baseUrl, address);
    if (reason !== undefined)
      throw new OpenApiDocumentError(name, `its base URL '${baseUrl}' cannot be used: ${reason}`);
    return baseUrl.replace(/\/+$/, "");
  }
  try {
    const own = serverUrl({ value: document.root, pointer: "" }, address);
    if (own !== undefined) return own;
  } catch (error) {
    if (error instanceof OpenApiFault) return error;
    throw error;
  }
  // Without a server, the standard says, it is at the root of where the document came from.
  return rootOf(address) ?? new OpenApiFault("/servers", `the document names no server. Give a \`${address.option}\``);
}

function ownSite(baseUrl: string, address: DocumentAddress): string | undefined {
  const problem = ownSiteProblem(baseUrl, address);
  return problem === undefined ? undefined : `${problem.reason}. ${problem.remedy}`;
}

function securityOf(document: OpenApiDocument, { name, auth, schemes = {} }: ImportSettings): Security {
  return new Security(document, {
    toolName: name,
    schemes: new Map(Object.entries(schemes)),
    auth: auth === undefined ? undefined : "type" in auth ? [auth] : auth,
  });
}

function selection(
  document: OpenApiDocument,
  { include, exclude }: ImportSettings,
): (found: FoundOperation) => boolean {
  const included = include === undefined ? () => true : selects(include);
  const excluded = exclude === undefined ? () => false : selects(exclude);
  if (include === undefined && exclude === undefined) return () => true;
  return ({ path, operation }) => {
    const { value, pointer } = document.object(operation);
    const tags = Array.isArray(value.tags) ? value.tags : [];
    const id = text(member({ value, pointer }, "operationId"));
    const selectable = {
      path,
      names: id === "" ? [] : [id, operationName(id)],
      tags: tags.filter((tag) => typeof tag === "string"),
    };
    return included(selectable) && !excluded(selectable);
  };
}

/** Beforehand, so that progress has an end. Faults are told of when the operations are read, in the order of the document. */
async function countOperations(document: OpenApiDocument, slices: Slices): Promise<number> {
  const operations = operationsOf(document, new Faults(""));
  let count = 0;
  for (let step = operations.next(); step.done !== true; step = operations.next()) {
    count += 1;
    await slices.rest();
  }
  return count;
}

function* operationsOf(document: OpenApiDocument, faults: Faults): Generator<FoundOperation> {
  const root: Located = { value: document.root, pointer: "" };
  const paths = pathsOf(root, faults);
  for (const [path, part] of paths) {
    if (path.startsWith("x-")) continue;
    let pathItem: Located<JsonObject>;
    try {
      pathItem = document.object(part);
    } catch (error) {
      if (!(error instanceof OpenApiFault)) throw error;
      faults.add(error, path, "is left out");
      continue;
    }
    for (const method of METHODS) {
      const operation = member(pathItem, method);
      if (operation !== undefined) yield { method, path, pathItem, operation };
    }
  }
}

function pathsOf(root: Located, faults: Faults): ReturnType<typeof entries> {
  try {
    const paths = entries(member(root, "paths"));
    if (paths.length === 0) faults.add(new OpenApiFault("/paths", "there are none"), "No operation", "can be called");
    return paths;
  } catch (error) {
    if (!(error instanceof OpenApiFault)) throw error;
    faults.add(error, "No operation", "can be called");
    return [];
  }
}

function fileOf(
  document: OpenApiDocument,
  {
    settings,
    recipes,
    server,
  }: { settings: ImportSettings; recipes: readonly HttpRecipe[]; server: string | OpenApiFault },
): HttpToolFile {
  const { name, description, tags = [], timeout = DEFAULT_TOOL_TIMEOUT } = settings;
  return {
    kind: "http",
    name,
    description: description ?? aboutOf(document),
    baseUrl: typeof server === "string" ? server : "",
    timeout,
    tags,
    recipes,
  };
}

function aboutOf({ root }: OpenApiDocument): string {
  const info = member({ value: root, pointer: "" }, "info");
  const part = (key: string): string => {
    const value = info === undefined ? undefined : member(info, key)?.value;
    return typeof value === "string" ? value.trim() : "";
  };
  return [part("title"), part("description").split(/\n\s*\n/, 1)[0] ?? ""].filter((line) => line !== "").join(": ");
}
