import {
  isNumberArray,
  isRecord,
  PythonFloat,
  PythonTemporal,
  ZonedDate,
  type NumberArray,
  type Value,
} from "../../protocol/index.js";

import { ToolArgumentError } from "../errors.js";
import type { ToolRequest } from "../requests/request-options.js";
import { NotJsonError, plainJson } from "../plain-json.js";
import type { HttpPlace, HttpRecipe, HttpToolFile } from "./http-service.js";
import { setSecretHeader, type Credentials } from "./auth.js";
import { headerText, pathText, queryPairs, type ParameterStyle, type TextTree } from "./parameter-style.js";

export interface HttpCall {
  readonly file: HttpToolFile;
  readonly recipe: HttpRecipe;
  /** Checked against the recipe's parameters. */
  readonly args: Readonly<Record<string, Value>>;
  /** What a base URL that is a path is relative to. */
  readonly pageUrl: string | undefined;
  /** What is sent by name beside the parameters: the cursor of a page, for instance. */
  readonly extra?: ReadonlyMap<string, Value>;
  /** What says who makes the request. */
  readonly credentials?: Credentials;
  /** In place of the recipe's address, with what was asked for in it: the next page. */
  readonly address?: URL | undefined;
}

/** @throws {ToolArgumentError} when a value cannot stand where it should go. */
export function buildRequest(call: HttpCall): ToolRequest {
  const parts = partsOf(call);
  const { recipe, credentials = { headers: [], query: [] }, address } = call;
  const url = address === undefined ? buildUrl(call, parts) : new URL(address);
  for (const [name, value] of credentials.query) url.searchParams.set(name, value);
  const headers = new Headers();
  for (const part of parts.filter(({ place }) => place === "header")) setHeader(call, headers, part);
  const body = buildBody(call, parts);
  if (recipe.contentType !== undefined && body !== undefined) headers.set("content-type", recipe.contentType);
  else if (body !== undefined && !headers.has("content-type")) setContentType(recipe, { headers, body, parts });
  for (const header of credentials.headers) setSecretHeader(headers, header, call.file.name);
  return { url, method: recipe.method, headers, body };
}

/** What a call sends under a name; undefined when nothing. */
export function sentValue(call: HttpCall, name: string): Value {
  return partsOf(call).find(({ sentAs }) => sentAs === name)?.value;
}

interface Part {
  readonly name: string;
  readonly place: HttpPlace;
  readonly sentAs: string;
  readonly value: Value;
  readonly style: ParameterStyle;
  readonly holdsSecrets?: boolean;
}

function partsOf({ recipe, args, extra = new Map() }: HttpCall): Part[] {
  const names = new Set(recipe.parameters.map(({ sentAs }) => sentAs));
  const fixed = recipe.fixed.map((part): Part => ({ name: part.sentAs, ...part }));
  const given = recipe.parameters.map(({ parameter, place, sentAs, style }): Part => {
    const own = Object.hasOwn(args, parameter.name) ? args[parameter.name] : parameter.default;
    return { name: parameter.name, place, sentAs, style, value: extra.has(sentAs) ? extra.get(sentAs) : own };
  });
  const added = [...extra]
    .filter(([name]) => !names.has(name))
    .map(([name, value]): Part => ({ name, place: "query", sentAs: name, value, style: SCALAR }));
  const more = recipe.takesMore === true ? moreOf(recipe, args) : [];
  return [...fixed.filter(({ sentAs }) => !extra.has(sentAs)), ...given, ...more, ...added].filter(
    ({ value }) => value !== undefined && value !== null,
  );
}

function moreOf({ parameters }: HttpRecipe, args: HttpCall["args"]): Part[] {
  const names = new Set(parameters.map(({ parameter }) => parameter.name));
  return Object.entries(args)
    .filter(([name]) => !names.has(name))
    .map(([name, value]) => ({ name, place: "body", sentAs: name, value, style: SCALAR }));
}

const SCALAR: ParameterStyle = { name: "form", explode: true, dicts: "json" };

function buildUrl(call: HttpCall, parts: readonly Part[]): URL {
  const { file, recipe, pageUrl } = call;
  const values = new Map(parts.filter(({ place }) => place === "path").map((part) => [part.sentAs, part]));
  const path = recipe.path.replace(/^\/+/, "").replace(/\{([^{}]+)\}/g, (_, placeholder: string) => {
    const part = values.get(placeholder);
    if (part === undefined)
      throw new ToolArgumentError(file.name, `Required parameter '${placeholder}' is missing`, call);
    const text = pathText(part.sentAs, textTree(call, part), part.style);
    if (text === "") throw unfit(call, part, "must not be empty, since it is part of the path");
    return text;
  });
  // A URL parser takes these for "here" and "one up", however they are encoded.
  const climbing = path.split("/").find((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (climbing !== undefined)
    throw new ToolArgumentError(file.name, `'${climbing}' cannot be a part of the path`, call);
  const baseUrl = recipe.baseUrl ?? file.baseUrl;
  const base = new URL(baseUrl || "/", pageUrl);
  const address = `${baseUrl}/${path}`;
  // Below the root of the page's own site, a path that begins with a slash would be the name of a host.
  if (!URL.canParse(address, pageUrl) || new URL(address, pageUrl).origin !== base.origin)
    throw new ToolArgumentError(file.name, `'${path}' leads out of the site that the tool is for`, call);
  const url = recipe.path === "" ? base : new URL(address, pageUrl);
  const query = parts.filter(({ place }) => place === "query").flatMap((part) => pairsOf(call, part));
  if (query.length > 0) url.search = query.join("&");
  return url;
}

function pairsOf(call: HttpCall, part: Part): string[] {
  return queryPairs(part.sentAs, textTree(call, part), part.style);
}

function setHeader(call: HttpCall, headers: Headers, part: Part): void {
  const text = headerText(textTree(call, part), part.style);
  if (part.holdsSecrets === true) {
    setSecretHeader(headers, [part.sentAs, text], call.file.name);
    return;
  }
  try {
    headers.set(part.sentAs, text);
  } catch {
    throw unfit(call, part, "holds characters that a header cannot carry");
  }
}

function buildBody(call: HttpCall, parts: readonly Part[]): ToolRequest["body"] {
  const body = parts.filter(({ place }) => place === "body");
  const { recipe } = call;
  if (body.length === 0) return recipe.sendsEmptyBody === true ? "{}" : undefined;
  switch (recipe.body) {
    case "json":
      return JSON.stringify(Object.fromEntries(body.map((part) => [part.sentAs, plainPart(call, part)])));
    case "form":
      return body.flatMap((part) => pairsOf(call, part)).join("&");
    case "multipart":
      return multipartBody(call, body);
    case "raw":
      return rawBody(call, body);
  }
}

function multipartBody(call: HttpCall, parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const part of parts) {
    const { value, sentAs } = part;
    const items = Array.isArray(value) && !isFile(value) ? (value as readonly Value[]) : [value];
    const name = part.style.name === "brackets" && Array.isArray(value) && !isFile(value) ? `${sentAs}[]` : sentAs;
    for (const item of items) appendPart(form, name, { call, part: { ...part, value: item } });
  }
  return form;
}

/** Bytes become a file; so does what Python's HTTP libraries write for one: a list of name, content, and type. */
function appendPart(
  form: FormData,
  name: string,
  { call, part }: { readonly call: HttpCall; readonly part: Part },
): void {
  const { value } = part;
  if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), part.sentAs);
  else if (isNumberArray(value)) form.append(name, new Blob([bytesOf(value)]), part.sentAs);
  else if (isFile(value)) {
    const [fileName, content, type] = value;
    const data = typeof content === "string" ? content : new Uint8Array(content);
    form.append(name, new Blob([data], { type: type ?? "" }), fileName);
  } else {
    form.append(
      name,
      isRecord(value) || Array.isArray(value) ? JSON.stringify(plainPart(call, part)) : textOf(call, part),
    );
  }
}

type FilePart = readonly [name: string, content: Uint8Array | string, type?: string];

function isFile(value: Value): value is FilePart & Value {
  if (!Array.isArray(value)) return false;
  const [name, content, type] = value as readonly Value[];
  if (typeof name !== "string" || (type !== undefined && typeof type !== "string")) return false;
  return content instanceof Uint8Array
    ? value.length <= 3
    : value.length === 3 && typeof content === "string" && /^[\w.+-]+\/[\w.+-]+/.test(type ?? "");
}

function rawBody(call: HttpCall, [part]: readonly Part[]): ToolRequest["body"] {
  if (part === undefined) return undefined;
  if (part.value instanceof Uint8Array) return new Uint8Array(part.value);
  if (isNumberArray(part.value) && !isJson(call.recipe.contentType)) return bytesOf(part.value);
  return typeof part.value === "string" && !isJson(call.recipe.contentType)
    ? part.value
    : JSON.stringify(plainPart(call, part));
}

function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength));
}

interface Body {
  readonly headers: Headers;
  readonly body: NonNullable<ToolRequest["body"]>;
  readonly parts: readonly Part[];
}

function setContentType({ body: encoding }: HttpRecipe, { headers, body, parts }: Body): void {
  // The browser says it, with the boundary that it chose.
  if (encoding === "multipart") return;
  if (encoding === "json") headers.set("content-type", "application/json");
  else if (encoding === "form") headers.set("content-type", "application/x-www-form-urlencoded");
  else if (typeof body !== "string") headers.set("content-type", "application/octet-stream");
  else {
    const isText = parts.some(({ place, value }) => place === "body" && typeof value === "string");
    headers.set("content-type", isText ? "text/plain; charset=utf-8" : "application/json");
  }
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^[^;]*[/+]json\s*(?:;|$)/i.test(contentType);
}

function textTree(call: HttpCall, part: Part): TextTree {
  const { value, style } = part;
  if (style.name === "json") return JSON.stringify(plainPart(call, part));
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value as Iterable<Value>, (item) => textTree(call, { ...part, value: item }));
  }
  if (!isRecord(value)) return textOf(call, part);
  if (style.dicts === "json") {
    if (part.place === "path") throw cannotBeSent(call, part);
    return JSON.stringify(plainPart(call, part));
  }
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return { entries: entries.map(([key, item]) => [key, textTree(call, { ...part, value: item })] as const) };
}

function textOf(call: HttpCall, part: Part): string {
  const { value } = part;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof PythonFloat) return String(value.value);
  if (value instanceof ZonedDate || value instanceof PythonTemporal) return value.text;
  if (value instanceof Date) return value.toISOString();
  throw cannotBeSent(call, part);
}

function cannotBeSent(call: HttpCall, part: Part): ToolArgumentError {
  return unfit(call, part, `cannot be sent in the ${part.place}; only text, numbers, booleans and dates can`);
}

function plainPart(call: HttpCall, part: Part): unknown {
  try {
    return plainJson(part.value);
  } catch (error) {
    throw error instanceof NotJsonError ? unfit(call, part, error.message) : error;
  }
}

function unfit({ file, args }: HttpCall, { name }: Part, reason: string): ToolArgumentError {
  return new ToolArgumentError(file.name, `Parameter '${name}' ${reason}`, { args, parameter: name });
}
