import { z } from "zod";

import type { Value } from "../../protocol/index.js";

import { mismatch } from "../schema/index.js";
import { DEFAULT_TOOL_TIMEOUT, type ToolParameter } from "../definition.js";
import type { JsonSchema } from "../json-schema.js";
import { forbiddenHeaderReason } from "../requests/forbidden-headers.js";
import { HintsField, readHints } from "../yaml/hints-field.js";
import type { YamlSource } from "../yaml/yaml-source.js";
import { AuthField, readAuth, referenceProblem, type AuthChoices } from "./auth.js";
import { PaginateField, readPages } from "./pages.js";
import { listStyles, simpleStyle, type ParameterStyle } from "./parameter-style.js";
import { DEFAULT_RETRY, readRetry, RetryField, type RetryRule } from "./retry.js";
import {
  baseUrlProblem,
  DEFAULT_MAX_RESPONSE,
  hintsOfMethod,
  type HttpFixedPart,
  type HttpMethod,
  type HttpParameter,
  type HttpPlace,
  type HttpRecipe,
  type HttpToolFile,
} from "./http-service.js";

// YAML writes an empty value as null: `url:` is a parameter of which nothing is said.
const Text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const Json = z.json().transform((value): Value => value);
const Arrays = z.enum(["repeat", "comma", "brackets"]).optional();
const MaxResponse = z
  .int()
  .min(1)
  .max(2 ** 30)
  .optional()
  .describe("Bytes.");
const Headers = z.record(z.string(), z.coerce.string()).nullish();

const Parameter = z.strictObject({
  in: z.enum(["path", "query", "header", "body"]).optional(),
  as: z.string().min(1).optional(),
  type: z.enum(["string", "integer", "number", "boolean", "array", "object", "bytes", "any"]).optional(),
  items: z.strictObject({ type: z.enum(["string", "integer", "number", "boolean", "object"]) }).optional(),
  enum: z.array(Json).min(1).optional(),
  arrays: Arrays,
  required: z.boolean().optional(),
  default: Json.optional(),
  description: Text,
});
type Parameter = z.infer<typeof Parameter>;

const Recipe = z.strictObject({
  description: Text,
  method: z
    .string()
    .toUpperCase()
    .pipe(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]))
    .default("GET"),
  path: Text,
  params: z.record(z.string(), Parameter.nullable()).nullish(),
  preset: z.record(z.string(), Json).nullish(),
  headers: Headers,
  body: z.enum(["json", "form", "multipart", "raw"]).default("json"),
  content_type: z.string().min(1).optional(),
  arrays: Arrays,
  response: z.enum(["auto", "json", "text", "bytes"]).default("auto"),
  max_response: MaxResponse,
  auth: AuthField,
  retry: RetryField,
  paginate: PaginateField,
  hints: HintsField,
});
type Recipe = z.infer<typeof Recipe>;

const HttpFile = z.strictObject({
  name: z.string().min(1),
  type: z.literal("http"),
  description: Text,
  base_url: z.string().min(1),
  headers: Headers,
  timeout: z
    .number()
    .positive()
    .max(86_400)
    .default(DEFAULT_TOOL_TIMEOUT / 1000)
    .describe("Seconds."),
  tags: z.array(z.string()).nullish(),
  arrays: Arrays,
  auth: AuthField,
  retry: RetryField,
  max_response: MaxResponse,
  hints: HintsField,
  recipes: z.record(z.string(), Recipe).refine((recipes) => Object.keys(recipes).length > 0, "at least one is needed"),
});

/**
 * Reads a tool file of `type: http`; docs/tools.md has a whole one.
 *
 * @throws {ToolFileError} naming file, line and field.
 */
export function parseHttpFile(source: YamlSource): HttpToolFile {
  const file = source.parse(HttpFile);
  const baseUrl = readBaseUrl(source, file.base_url);
  const shared: SharedSettings = {
    fixed: readHeaders(source, ["headers"], file.headers),
    arrays: file.arrays ?? "repeat",
    auth: readAuth(source, ["auth"], file.auth),
    retry: readRetry(source, { path: ["retry"], field: file.retry, base: DEFAULT_RETRY }),
    maxResponse: file.max_response ?? DEFAULT_MAX_RESPONSE,
  };
  return {
    kind: "http",
    name: file.name,
    description: file.description,
    baseUrl,
    timeout: file.timeout * 1000,
    tags: file.tags ?? [],
    recipes: Object.entries(file.recipes).map(([name, recipe]) => {
      const read = new RecipeReader(source, { name, recipe, shared }).read();
      return {
        ...read,
        hints: { ...hintsOfMethod(read.method), ...readHints(file.hints), ...read.hints },
      };
    }),
  };
}

/** What a file says once for all of its recipes. */
interface SharedSettings {
  readonly fixed: readonly HttpFixedPart[];
  readonly arrays: keyof typeof listStyles;
  readonly auth: AuthChoices;
  readonly retry: RetryRule;
  readonly maxResponse: number;
}

/** @throws {ToolFileError} when it is no address that tools may be sent to. */
export function readBaseUrl(source: YamlSource, baseUrl: string): string {
  const reason = baseUrlProblem(baseUrl);
  if (reason !== undefined) throw source.error(["base_url"], reason);
  return baseUrl.replace(/\/+$/, "");
}

/** @throws {ToolFileError} for a header that browsers refuse, or a reference that names no secret. */
export function readHeaders(
  source: YamlSource,
  path: readonly string[],
  headers: Readonly<Record<string, string>> | null | undefined,
): HttpFixedPart[] {
  return Object.entries(headers ?? {}).map(([name, value]) => {
    const reason = forbiddenHeaderReason(name);
    const wrong = reason ?? referenceProblem(value);
    if (wrong !== undefined) throw source.error([...path, name], wrong);
    const holdsSecrets = value.includes("${");
    return { place: "header", sentAs: name, value, style: simpleStyle, ...(holdsSecrets ? { holdsSecrets } : {}) };
  });
}

class RecipeReader {
  readonly #source: YamlSource;
  readonly #name: string;
  readonly #recipe: Recipe;
  readonly #shared: SharedSettings;
  readonly #placeholders: readonly string[];

  constructor(
    source: YamlSource,
    { name, recipe, shared }: { readonly name: string; readonly recipe: Recipe; readonly shared: SharedSettings },
  ) {
    this.#source = source;
    this.#name = name;
    this.#recipe = recipe;
    this.#shared = shared;
    this.#placeholders = this.#readPlaceholders();
  }

  read(): HttpRecipe {
    const recipe = this.#recipe;
    const declared = Object.entries(recipe.params ?? {});
    // A placeholder need not be declared: `/books/{id}` says enough.
    const implied = this.#placeholders
      .filter((placeholder) => !declared.some(([key, parameter]) => (parameter?.as ?? key) === placeholder))
      .filter((placeholder) => !Object.hasOwn(recipe.preset ?? {}, placeholder))
      .map((placeholder): [string, null] => [placeholder, null]);
    const parameters = [...implied, ...declared].map(([key, parameter]) => this.#readParameter(key, parameter));
    const fixed = [
      ...this.#shared.fixed,
      ...readHeaders(this.#source, ["recipes", this.#name, "headers"], recipe.headers),
      ...Object.entries(recipe.preset ?? {})
        .filter(([key]) => !declared.some(([name]) => name === key))
        .map(([key, value]): HttpFixedPart => {
          const place = this.#defaultPlace(key);
          return { place, sentAs: key, value, style: this.#styleOf(place, recipe.arrays) };
        }),
    ];
    this.#checkBody([...parameters, ...fixed]);
    const pages = readPages(this.#source, {
      path: ["recipes", this.#name, "paginate"],
      field: recipe.paginate,
      names: parameters.map(({ parameter }) => parameter.name),
      sentAs: [...parameters, ...fixed].map(({ sentAs }) => sentAs),
    });
    const { description, method, path, body, response } = recipe;
    return {
      name: this.#name,
      description,
      method,
      path,
      parameters,
      fixed,
      body,
      ...(recipe.content_type === undefined ? {} : { contentType: recipe.content_type }),
      response,
      hints: readHints(recipe.hints),
      auth:
        recipe.auth === undefined || recipe.auth === null
          ? this.#shared.auth
          : readAuth(this.#source, ["recipes", this.#name, "auth"], recipe.auth),
      retry: readRetry(this.#source, {
        path: ["recipes", this.#name, "retry"],
        field: recipe.retry,
        base: this.#shared.retry,
      }),
      pages,
      maxResponse: recipe.max_response ?? this.#shared.maxResponse,
    };
  }

  #error(path: readonly string[], reason: string): Error {
    return this.#source.error(["recipes", this.#name, ...path], reason);
  }

  #readPlaceholders(): string[] {
    const { path } = this.#recipe;
    const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
    if (names.includes("") || /[{}]/.test(path.replace(/\{[^{}]+\}/g, ""))) {
      throw this.#error(["path"], "a { without its } or name");
    }
    if (path.startsWith("//") || /^[a-z][a-z0-9+.-]*:/i.test(path) || path.includes("\\")) {
      throw this.#error(["path"], "it is a path below `base_url`, not a URL");
    }
    if (/[?#]/.test(path)) throw this.#error(["path"], "put what follows ? into `params` or `preset`, and leave # out");
    if (path.split("/").includes("..")) throw this.#error(["path"], "it must stay below `base_url`");
    return names;
  }

  #readParameter(name: string, declared: Parameter | null): HttpParameter {
    const parameter = declared ?? { description: "" };
    const sentAs = parameter.as ?? name;
    const place = parameter.in ?? this.#defaultPlace(sentAs);
    const inPath = this.#placeholders.includes(sentAs);
    if (inPath && place !== "path") throw this.#error(["params", name, "in"], `{${sentAs}} stands in the path`);
    if (place === "path" && !inPath) throw this.#error(["params", name], `the path has no {${sentAs}}`);
    const forbidden = place === "header" ? forbiddenHeaderReason(sentAs) : undefined;
    if (forbidden !== undefined) throw this.#error(["params", name], forbidden);
    const style = this.#styleOf(place, parameter.arrays);
    return { parameter: this.#describe(name, { parameter, place }), place, sentAs, style };
  }

  #styleOf(place: HttpPlace, arrays: SharedSettings["arrays"] | undefined): ParameterStyle {
    if (place === "path" || place === "header") return simpleStyle;
    return listStyles[arrays ?? this.#recipe.arrays ?? this.#shared.arrays];
  }

  #describe(name: string, { parameter, place }: { parameter: Parameter; place: HttpPlace }): ToolParameter {
    const preset = new Map(Object.entries(this.#recipe.preset ?? {})).get(name);
    const value = preset === undefined ? parameter.default : preset;
    const schema = schemaOf(parameter);
    const wrong = value === undefined || value === null || schema === undefined ? undefined : mismatch(schema, value);
    if (wrong !== undefined) {
      const path = preset === undefined ? ["params", name, "default"] : ["preset", name];
      throw this.#error(path, `it must be ${wrong}, as the parameter is`);
    }
    return {
      name,
      type: parameter.type ?? "str",
      required: value === undefined && (parameter.required ?? place === "path"),
      description: parameter.description,
      ...(value === undefined ? {} : { default: value }),
      ...(schema === undefined ? {} : { schema }),
    };
  }

  #defaultPlace(sentAs: string): HttpPlace {
    if (this.#placeholders.includes(sentAs)) return "path";
    return sendsBody(this.#recipe.method) ? "body" : "query";
  }

  #checkBody(parts: readonly { readonly place: HttpPlace }[]): void {
    const count = parts.filter(({ place }) => place === "body").length;
    const { method, body, content_type: contentType } = this.#recipe;
    if (count > 0 && (method === "GET" || method === "HEAD"))
      throw this.#error(["method"], `a ${method} request has no body`);
    if (body === "multipart" && contentType !== undefined) {
      throw this.#error(["content_type"], "the browser says what a multipart body is, with the boundary that it chose");
    }
    if (body === "raw" && count !== 1) {
      throw this.#error(["body"], "`raw` sends one parameter as it is, so exactly one must be in the body");
    }
  }
}

function schemaOf({ type, items, enum: choices }: Parameter): JsonSchema | undefined {
  if (type === undefined && choices === undefined) return undefined;
  return {
    ...(type === undefined || type === "any" ? {} : { type }),
    ...(items === undefined ? {} : { items }),
    ...(choices === undefined ? {} : { enum: choices }),
  };
}

/** Whether arguments go into the body unless the file says otherwise. */
function sendsBody(method: HttpMethod): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}
