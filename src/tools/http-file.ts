import { z } from "zod";

import type { Value } from "../protocol/index.js";

import { mismatch } from "./arguments.js";
import { DEFAULT_TOOL_TIMEOUT, type JsonSchema, type ToolHints, type ToolParameter } from "./definition.js";
import { forbiddenHeaderReason } from "./forbidden-headers.js";
import { HintsField, readHints } from "./hints-field.js";
import type { YamlSource } from "./yaml-source.js";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type HttpPlace = "path" | "query" | "header" | "body";
/** How body parameters become a body: one JSON object, a form, or the one parameter as it is. */
export type HttpBodyEncoding = "json" | "form" | "raw";
/** What the result is: by content type, or one kind always. */
export type HttpResponseKind = "auto" | "json" | "text" | "bytes";

export interface HttpParameter {
  readonly parameter: ToolParameter;
  readonly place: HttpPlace;
  /** The name in the request. */
  readonly sentAs: string;
}

/** What is sent with every call and cannot be changed by one. */
export interface HttpFixedPart {
  readonly place: HttpPlace;
  readonly sentAs: string;
  readonly value: Value;
}

export interface HttpRecipe {
  readonly name: string;
  readonly description: string;
  readonly method: HttpMethod;
  /** Below the base URL; `{name}` stands for a path parameter. */
  readonly path: string;
  readonly parameters: readonly HttpParameter[];
  readonly fixed: readonly HttpFixedPart[];
  readonly body: HttpBodyEncoding;
  readonly response: HttpResponseKind;
  readonly hints: ToolHints;
}

export interface HttpToolFile {
  readonly kind: "http";
  readonly name: string;
  readonly description: string;
  /** `https://host/path`, or a path of the page's own site. No slash at the end. */
  readonly baseUrl: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly tags: readonly string[];
  readonly recipes: readonly HttpRecipe[];
}

// YAML writes an empty value as null: `url:` is a parameter of which nothing is said.
const Text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const Json = z.json().transform((value): Value => value);
const Headers = z.record(z.string(), z.coerce.string()).nullish();

const Parameter = z.strictObject({
  in: z.enum(["path", "query", "header", "body"]).optional(),
  as: z.string().min(1).optional(),
  type: z.enum(["string", "integer", "number", "boolean", "array", "object", "bytes", "any"]).optional(),
  items: z.strictObject({ type: z.enum(["string", "integer", "number", "boolean", "object"]) }).optional(),
  enum: z.array(Json).min(1).optional(),
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
    .pipe(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]))
    .default("GET"),
  path: Text,
  params: z.record(z.string(), Parameter.nullable()).nullish(),
  preset: z.record(z.string(), Json).nullish(),
  headers: Headers,
  body: z.enum(["json", "form", "raw"]).default("json"),
  response: z.enum(["auto", "json", "text", "bytes"]).default("auto"),
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
  const shared = readHeaders(source, ["headers"], file.headers);
  return {
    kind: "http",
    name: file.name,
    description: file.description,
    baseUrl,
    timeout: file.timeout * 1000,
    tags: file.tags ?? [],
    recipes: Object.entries(file.recipes).map(([name, recipe]) => {
      const read = new RecipeReader(source, name, recipe).read();
      return {
        ...read,
        fixed: [...shared, ...read.fixed],
        hints: { ...hintsOfMethod(read.method), ...readHints(file.hints), ...read.hints },
      };
    }),
  };
}

function readBaseUrl(source: YamlSource, baseUrl: string): string {
  const refuse = (reason: string): Error => source.error(["base_url"], reason);
  if (baseUrl.startsWith("//") || baseUrl.includes("\\")) {
    throw refuse("write a whole URL with http:// or https://, or a path of the page's own site");
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(baseUrl)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
    throw refuse(`${scheme}: cannot be fetched; use http: or https:`);
  }
  const page = "https://page.invalid/";
  if (!URL.canParse(baseUrl, page)) throw refuse("it is not a URL");
  const url = new URL(baseUrl, page);
  if (url.username !== "" || url.password !== "") throw refuse("it must not hold a user name or a password");
  if (url.search !== "" || url.hash !== "") throw refuse("put what follows ? into `preset`, and leave # out");
  return baseUrl.replace(/\/+$/, "");
}

function readHeaders(
  source: YamlSource,
  path: readonly string[],
  headers: Readonly<Record<string, string>> | null | undefined,
): HttpFixedPart[] {
  return Object.entries(headers ?? {}).map(([name, value]) => {
    const reason = forbiddenHeaderReason(name);
    if (reason !== undefined) throw source.error([...path, name], reason);
    return { place: "header", sentAs: name, value };
  });
}

class RecipeReader {
  readonly #source: YamlSource;
  readonly #name: string;
  readonly #recipe: Recipe;
  readonly #placeholders: readonly string[];

  constructor(source: YamlSource, name: string, recipe: Recipe) {
    this.#source = source;
    this.#name = name;
    this.#recipe = recipe;
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
      ...readHeaders(this.#source, ["recipes", this.#name, "headers"], recipe.headers),
      ...Object.entries(recipe.preset ?? {})
        .filter(([key]) => recipe.params?.[key] === undefined)
        .map(([key, value]): HttpFixedPart => ({ place: this.#defaultPlace(key), sentAs: key, value })),
    ];
    this.#checkBody([...parameters, ...fixed]);
    const { description, method, path, body, response } = recipe;
    return {
      name: this.#name,
      description,
      method,
      path,
      parameters,
      fixed,
      body,
      response,
      hints: readHints(recipe.hints),
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
    return { parameter: this.#describe(name, { parameter, place }), place, sentAs };
  }

  #describe(name: string, { parameter, place }: { parameter: Parameter; place: HttpPlace }): ToolParameter {
    const preset = this.#recipe.preset?.[name];
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
    if (count > 0 && this.#recipe.method === "GET") throw this.#error(["method"], "a GET request has no body");
    if (this.#recipe.body === "raw" && count !== 1) {
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

function hintsOfMethod(method: HttpMethod): ToolHints {
  switch (method) {
    case "GET":
      return { readOnly: true, idempotent: true };
    case "PUT":
      return { idempotent: true };
    case "DELETE":
      return { destructive: true, idempotent: true };
    default:
      return {};
  }
}
