import { messageOf, parseJson, shortenUnits, type Value } from "../../protocol/index.js";

import { ResponseTooLargeError, ToolCallError } from "../errors.js";
import { readBytes } from "../requests/read-bytes.js";
import type { HttpResponseKind } from "./http-service.js";

/** Characters of an error's body that its message shows; more are in `body`. */
const SHOWN_BODY = 2000;
/** Characters of an error's body that are kept at all. */
const KEPT_BODY = 100_000;

/** Bytes of an error's body that are read. */
const KEPT_ERROR = 1_000_000;

export interface ResponseReading {
  readonly kind: HttpResponseKind;
  readonly args: Readonly<Record<string, Value>>;
  readonly maxBytes: number;
  readonly method: string;
  /** Takes the secrets out of an error's body, before it is cut further. Of one that is not whole, a piece at the end too. */
  readonly strike: (text: string, isWhole: boolean) => string;
  /** What an error says beside status and body. */
  readonly facts?: Readonly<Record<string, Value>>;
}

/** The value of an answer: parsed JSON, text, or bytes, by content type or by what the recipe says. An empty one is null. */
export async function readResponse(
  toolName: string,
  response: Response,
  { kind, args, maxBytes, method, strike, facts = {} }: ResponseReading,
): Promise<Value> {
  const type = response.headers.get("content-type") ?? "";
  if (response.status >= 400) {
    const { bytes, isWhole } = await readBytes(response, Math.min(maxBytes, KEPT_ERROR), { wantsBeginning: true });
    throw statusError(toolName, response.status, { body: strike(decode(bytes, type), isWhole), args, facts });
  }
  // There is nothing else to know of it.
  if (method === "HEAD") return Object.fromEntries(response.headers);
  const { bytes, isWhole } = await readBytes(response, maxBytes);
  if (!isWhole) throw new ResponseTooLargeError(toolName, maxBytes, args);
  const actual = kind === "auto" ? kindOf(type, bytes) : kind;
  if (actual === "bytes") return bytes;
  const text = decode(bytes, type);
  if (actual === "text") return text;
  if (text.trim() === "") return null;
  try {
    return parseBody(text);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new ToolCallError(toolName, `the answer is not the JSON that it says it is: ${reason}`, {
      args,
      cause,
      details: { status: response.status, body: text },
    });
  }
}

interface FailedStatus {
  readonly body: string;
  readonly args: Readonly<Record<string, Value>>;
  readonly facts: Readonly<Record<string, Value>>;
}

function statusError(toolName: string, status: number, { body, args, facts }: FailedStatus): ToolCallError {
  const rest = body.length - SHOWN_BODY;
  const shown = shortenUnits(body, SHOWN_BODY, `… [${String(rest)} more characters in .body]`);
  return new ToolCallError(toolName, `HTTP ${String(status)}: ${shown.trim() === "" ? "the answer is empty" : shown}`, {
    args,
    details: { status, body: body.slice(0, KEPT_BODY), ...facts },
  });
}

function kindOf(contentType: string, bytes: Uint8Array): "json" | "text" | "bytes" {
  const type = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (bytes.byteLength === 0) return "json";
  if (type === "application/json" || type.endsWith("+json") || type === "text/json") return "json";
  if (type.startsWith("text/") || type.endsWith("+xml") || textTypes.has(type)) return "text";
  if (type !== "") return "bytes";
  return isUtf8(bytes) ? "text" : "bytes";
}

const textTypes = new Set([
  "application/xml",
  "application/javascript",
  "application/ecmascript",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
  "application/csv",
  "application/sql",
  "application/graphql",
  "application/jsonl",
  "application/x-ndjson",
  "application/x-www-form-urlencoded",
]);

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function decode(bytes: Uint8Array, contentType: string): string {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? "utf-8";
  return decoderFor(charset).decode(bytes);
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder("utf-8");
  }
}

/** JSON whose whole numbers beyond 2^53 keep their digits, as bigint, where the engine tells their source text. */
function parseBody(text: string): Value {
  if (!/\d{16}/.test(text)) return parseJson(text);
  return parseJson(text, (_key, value, context) => {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    const source = context?.source ?? "";
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}
