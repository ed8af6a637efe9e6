import type { Value } from "../../protocol/index.js";

import type { ToolHints, ToolParameter } from "../definition.js";
import type { JsonSchema } from "../json-schema.js";
import type { AuthChoices } from "./auth.js";
import type { PageRule } from "./pages.js";
import type { ParameterStyle } from "./parameter-style.js";
import type { RetryRule } from "./retry.js";

/** The method of a request. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
/** A part of a request. */
export type HttpPlace = "path" | "query" | "header" | "body";
/** How body parameters become a body: one JSON object, a form, a form with files, or the one parameter as it is. */
export type HttpBodyEncoding = "json" | "form" | "multipart" | "raw";
/** What the result is: by content type, or one kind always. */
export type HttpResponseKind = "auto" | "json" | "text" | "bytes";

/** A parameter, and where in the request it goes. */
export interface HttpParameter {
  readonly parameter: ToolParameter;
  readonly place: HttpPlace;
  /** The name in the request. */
  readonly sentAs: string;
  /** How a list or a dict is written. */
  readonly style: ParameterStyle;
}

/** What is sent with every call and cannot be changed by one. */
export interface HttpFixedPart {
  readonly place: HttpPlace;
  readonly sentAs: string;
  readonly value: Value;
  readonly style: ParameterStyle;
  /** The value is a text with `${NAME}` where secrets stand. */
  readonly holdsSecrets?: boolean;
}

/** A request as a callable of its tool. */
export interface HttpRecipe {
  readonly name: string;
  readonly description: string;
  readonly method: HttpMethod;
  /** Below the base URL; `{name}` stands for a path parameter. */
  readonly path: string;
  readonly parameters: readonly HttpParameter[];
  readonly fixed: readonly HttpFixedPart[];
  readonly body: HttpBodyEncoding;
  /** What the body says it is, in place of what its encoding says. */
  readonly contentType?: string | undefined;
  /** A call without any body parameter sends an empty JSON object, not nothing. */
  readonly sendsEmptyBody?: boolean;
  /** Arguments that are no parameters go into the body under their own names. */
  readonly takesMore?: boolean;
  readonly response: HttpResponseKind;
  readonly hints: ToolHints;
  readonly auth: AuthChoices;
  readonly retry: RetryRule;
  readonly pages: PageRule | undefined;
  /** Bytes that an answer may have. */
  readonly maxResponse: number;
  /** In place of the file's. */
  readonly baseUrl?: string;
  /** Where more is known of arguments and result than the parameters say. */
  readonly schemas?: {
    readonly input: () => JsonSchema;
    /** Absent where nothing is said of the result. */
    readonly output?: () => JsonSchema;
  };
}

/** Bytes of an answer that a tool takes when its file says nothing. */
export const DEFAULT_MAX_RESPONSE = 64 * 2 ** 20;

/** A tool file of a service that is asked over HTTP. `timeout` in milliseconds. */
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

/** What the method alone says of a request. */
export function hintsOfMethod(method: HttpMethod): ToolHints {
  switch (method) {
    case "GET":
    case "HEAD":
    case "OPTIONS":
      return { readOnly: true, idempotent: true };
    case "PUT":
      return { idempotent: true };
    case "DELETE":
      return { destructive: true, idempotent: true };
    default:
      return {};
  }
}

/** Why tools cannot be sent to an address; undefined when they can. */
export function baseUrlProblem(baseUrl: string): string | undefined {
  if (baseUrl.startsWith("//") || baseUrl.includes("\\")) {
    return "write a whole URL with http:// or https://, or a path of the page's own site";
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(baseUrl)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
    return `${scheme}: cannot be fetched; use http: or https:`;
  }
  const page = "https://page.invalid/";
  if (!URL.canParse(baseUrl, page)) return "it is not a URL";
  const url = new URL(baseUrl, page);
  if (url.username !== "" || url.password !== "") return "it must not hold a user name or a password";
  if (url.search !== "" || url.hash !== "") return "put what follows ? into `preset`, and leave # out";
  return undefined;
}
