import { isRecord, PythonFloat, PythonTemporal, ZonedDate, type Value } from "../protocol/index.js";

import { ToolArgumentError } from "./errors.js";
import type { HttpPlace, HttpRecipe, HttpToolFile } from "./http-file.js";
import { NotJsonError, plainJson } from "./plain-json.js";

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface HttpCall {
  readonly file: HttpToolFile;
  readonly recipe: HttpRecipe;
  /** Checked against the recipe's parameters. */
  readonly args: Readonly<Record<string, Value>>;
  /** What a base URL that is a path is relative to. */
  readonly pageUrl: string | undefined;
}

/** @throws {ToolArgumentError} when a value cannot stand where it should go. */
export function buildRequest(call: HttpCall): HttpRequest {
  const parts = partsOf(call);
  const { recipe } = call;
  const url = buildUrl(call, parts);
  const headers = new Headers();
  for (const { sentAs, value } of parts.filter(({ place }) => place === "header"))
    setHeader(call, headers, { sentAs, value });
  const body = buildBody(call, parts);
  if (body !== undefined && !headers.has("content-type")) headers.set("content-type", contentType(recipe, body));
  return { url, method: recipe.method, headers, body };
}

interface Part {
  readonly name: string;
  readonly place: HttpPlace;
  readonly sentAs: string;
  readonly value: Value;
}

function partsOf({ recipe, args }: HttpCall): Part[] {
  const fixed = recipe.fixed.map((part): Part => ({ name: part.sentAs, ...part }));
  const given = recipe.parameters.map(({ parameter, place, sentAs }): Part => {
    const value = Object.hasOwn(args, parameter.name) ? args[parameter.name] : parameter.default;
    return { name: parameter.name, place, sentAs, value };
  });
  return [...fixed, ...given].filter(({ value }) => value !== undefined && value !== null);
}

function buildUrl(call: HttpCall, parts: readonly Part[]): URL {
  const { file, recipe, pageUrl } = call;
  const values = new Map(parts.filter(({ place }) => place === "path").map((part) => [part.sentAs, part]));
  const path = recipe.path.replace(/^\/+/, "").replace(/\{([^{}]+)\}/g, (_, placeholder: string) => {
    const part = values.get(placeholder);
    if (part === undefined)
      throw new ToolArgumentError(file.name, `Required parameter '${placeholder}' is missing`, call);
    const text = textOf(call, part);
    if (text === "") throw unfit(call, part, "must not be empty, since it is part of the path");
    return encodeURIComponent(text);
  });
  // A URL parser takes these for "here" and "one up", however they are encoded.
  const climbing = path.split("/").find((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (climbing !== undefined)
    throw new ToolArgumentError(file.name, `'${climbing}' cannot be a part of the path`, call);
  const url = new URL(path === "" ? file.baseUrl || "/" : `${file.baseUrl}/${path}`, pageUrl);
  for (const part of parts.filter(({ place }) => place === "query")) {
    for (const text of queryTexts(call, part)) url.searchParams.append(part.sentAs, text);
  }
  return url;
}

/** A list is sent as one `name=value` for each item. */
function queryTexts(call: HttpCall, part: Part): string[] {
  const { value } = part;
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value as Iterable<Value>, (item) => textOf(call, { ...part, value: item }));
  }
  return [isRecord(value) ? JSON.stringify(jsonOf(call, part)) : textOf(call, part)];
}

function setHeader(call: HttpCall, headers: Headers, { sentAs, value }: Pick<Part, "sentAs" | "value">): void {
  const part: Part = { name: sentAs, place: "header", sentAs, value };
  try {
    headers.set(sentAs, textOf(call, part));
  } catch (error) {
    if (error instanceof ToolArgumentError) throw error;
    throw unfit(call, part, "holds characters that a header cannot carry");
  }
}

function buildBody(call: HttpCall, parts: readonly Part[]): HttpRequest["body"] {
  const body = parts.filter(({ place }) => place === "body");
  if (body.length === 0) return undefined;
  switch (call.recipe.body) {
    case "json":
      return JSON.stringify(Object.fromEntries(body.map((part) => [part.sentAs, jsonOf(call, part)])));
    case "form": {
      const form = new URLSearchParams();
      for (const part of body) {
        for (const text of queryTexts(call, part)) form.append(part.sentAs, text);
      }
      return form.toString();
    }
    case "raw":
      return rawBody(call, body);
  }
}

function rawBody(call: HttpCall, [part]: readonly Part[]): HttpRequest["body"] {
  if (part === undefined) return undefined;
  if (part.value instanceof Uint8Array) return new Uint8Array(part.value);
  return typeof part.value === "string" ? part.value : JSON.stringify(jsonOf(call, part));
}

function contentType({ body }: HttpRecipe, content: string | Uint8Array): string {
  if (body === "json") return "application/json";
  if (body === "form") return "application/x-www-form-urlencoded";
  return typeof content === "string" ? "text/plain; charset=utf-8" : "application/octet-stream";
}

function textOf(call: HttpCall, part: Part): string {
  const { value } = part;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof PythonFloat) return String(value.value);
  if (value instanceof ZonedDate || value instanceof PythonTemporal) return value.text;
  if (value instanceof Date) return value.toISOString();
  throw unfit(call, part, `cannot be sent in the ${part.place}; only text, numbers, booleans and dates can`);
}

function jsonOf(call: HttpCall, part: Part): unknown {
  try {
    return plainJson(part.value);
  } catch (error) {
    throw error instanceof NotJsonError ? unfit(call, part, error.message) : error;
  }
}

function unfit({ file, args }: HttpCall, { name }: Part, reason: string): ToolArgumentError {
  return new ToolArgumentError(file.name, `Parameter '${name}' ${reason}`, { args, parameter: name });
}
