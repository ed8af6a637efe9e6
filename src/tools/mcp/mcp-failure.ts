import {
  OAuthError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { z } from "zod";

import { messageOf, shortenUnits, VitrineError, type Value } from "../../protocol/index.js";
import type { ToolCallError } from "../errors.js";
import {
  callerUnknown,
  McpConnectionError,
  McpProtocolError,
  McpServerError,
  McpUnauthorizedError,
} from "./mcp-errors.js";
import type { McpFetch } from "./mcp-fetch.js";

/** Characters of a server's answer that an error shows. */
const SHOWN_BODY = 500;

export interface FailureParts {
  readonly toolName: string;
  readonly fetch: McpFetch | undefined;
  readonly signal: AbortSignal;
  /** Takes the secrets out of what the server wrote, before it is cut. */
  readonly strike: (text: string) => string;
}

/** The error of ours that says what an error of the SDK, or of what stands below it, means. */
export async function explainMcpFailure(error: unknown, parts: FailureParts): Promise<VitrineError> {
  const { toolName, fetch, signal, strike } = parts;
  for (const cause of causesOf(error)) {
    if (cause instanceof VitrineError) return cause;
    const explained = await fetch?.explain(cause, signal);
    if (explained !== undefined) return asConnectionError(explained);
  }
  if (error instanceof ProtocolError) {
    return new McpServerError(toolName, error.message, error.code, errorData(error.data));
  }
  if (error instanceof UnauthorizedError) return unauthorized(toolName, error);
  if (error instanceof OAuthError) {
    const said = error.message === error.code ? "" : `: ${brief(strike(error.message))}`;
    const reason = `the authorization server refused (${brief(strike(error.code))})${said}`;
    return new McpUnauthorizedError(toolName, reason, { cause: error });
  }
  if (error instanceof SdkHttpError) return httpFailure(error, parts);
  // Negotiation wraps what went wrong in it.
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed && error.cause instanceof Error) {
    return explainMcpFailure(error.cause, parts);
  }
  if (error instanceof SdkError) return sdkFailure(error, parts);
  if (error instanceof SseError) {
    const status = error.code === undefined ? "" : ` (HTTP ${String(error.code)})`;
    return error.code === 401
      ? unauthorized(toolName, error)
      : new McpConnectionError(toolName, `the stream of events broke${status}: ${error.message}`, { cause: error });
  }
  if (error instanceof SyntaxError || error instanceof z.core.$ZodError || nameOf(error) === "ZodError") {
    return new McpProtocolError(toolName, "the server sent what is no JSON-RPC message", { cause: error });
  }
  return new McpConnectionError(toolName, brief(strike(messageOf(error))), { cause: error });
}

/** What has a code of its own keeps it: CORS, a host that is not allowed. */
function asConnectionError(error: ToolCallError): VitrineError {
  return error.code === "TOOL_CALL" ? new McpConnectionError(error.toolName, error.reason, { cause: error }) : error;
}

/** The session that the server gave this connection is over; what was sent in it was not carried out. */
export function isSessionGone(error: unknown, hasSession: boolean): boolean {
  return hasSession && error instanceof SdkHttpError && (error.status === 404 || error.status === 400);
}

function httpFailure(error: SdkHttpError, { toolName, strike }: FailureParts): VitrineError {
  const { status, data } = error;
  if (status === 401 || status === 403) return unauthorized(toolName, error);
  const body = strike(typeof data.text === "string" ? data.text : error.message);
  return new McpConnectionError(toolName, `HTTP ${String(status)}: ${brief(body)}`, {
    cause: error,
    details: { status, body: body.slice(0, 100_000) },
  });
}

function sdkFailure(error: SdkError, { toolName, strike }: FailureParts): VitrineError {
  const { cause } = { cause: error };
  switch (error.code) {
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return new McpProtocolError(toolName, `the address answers with something other than MCP: ${error.message}`, {
        cause,
      });
    case SdkErrorCode.EraNegotiationFailed:
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.ListPaginationExceeded:
    case SdkErrorCode.InputRequiredRoundsExceeded:
      return new McpProtocolError(toolName, brief(strike(error.message)), { cause });
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return new McpConnectionError(
        toolName,
        "the connection to the server was lost. Whether the call was carried out is not known; the next call connects anew",
        { cause },
      );
    default:
      return new McpConnectionError(toolName, brief(strike(error.message)), { cause });
  }
}

function unauthorized(toolName: string, cause: Error): McpUnauthorizedError {
  const denied = cause instanceof SdkHttpError && cause.status === 403;
  if (!denied) return callerUnknown(toolName, cause);
  return new McpUnauthorizedError(toolName, "the server does not allow this caller in (HTTP 403)", { cause });
}

/** An error and what it says to be caused by. */
function* causesOf(error: unknown): Generator {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current !== undefined && current !== null; depth += 1) {
    yield current;
    if (typeof current !== "object") return;
    if ("data" in current && current.data instanceof VitrineError) yield current.data;
    current = "cause" in current ? current.cause : undefined;
  }
}

function errorData(data: unknown): Value {
  if (data === undefined) return null;
  const json = z.json().safeParse(data);
  return json.success ? json.data : null;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function brief(text: string): string {
  return shortenUnits(text, SHOWN_BODY, `… [${String(text.length)} characters]`);
}
