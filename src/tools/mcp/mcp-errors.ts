import type { Value } from "../../protocol/index.js";
import { ToolCallError } from "../errors.js";

/** The connection to an MCP server could not be made, or broke. Whether a call that was sent was carried out is not known. */
export class McpConnectionError extends ToolCallError {
  override readonly code = "MCP_CONNECTION";
}

/** An MCP server sent what is no MCP: another content type, no JSON-RPC, a result of another form. */
export class McpProtocolError extends ToolCallError {
  override readonly code = "MCP_PROTOCOL";
}

/** An MCP server wants to know who calls, or does not let the caller in. The call was not carried out. */
export class McpUnauthorizedError extends ToolCallError {
  override readonly code = "MCP_UNAUTHORIZED";
}

/** The error for a server that asks who calls and was not told. */
export function callerUnknown(toolName: string, cause?: Error): McpUnauthorizedError {
  return new McpUnauthorizedError(
    toolName,
    "the server wants to know who calls (HTTP 401). Give a token in `headers:` (`Authorization: Bearer ${NAME}`), or `auth` of `mcpTool`",
    cause === undefined ? {} : { cause },
  );
}

/** An answer was larger than the tool takes. The call was carried out. */
export class McpAnswerTooLargeError extends ToolCallError {
  override readonly code = "MCP_ANSWER_TOO_LARGE";

  constructor(
    toolName: string,
    /** Bytes. */
    readonly limit: number,
  ) {
    super(toolName, `the server's answer is larger than ${String(limit)} bytes. Ask for less of it`, {
      details: { limit },
    });
  }
}

/** An MCP server answered a request with a JSON-RPC error. */
export class McpServerError extends ToolCallError {
  override readonly code = "MCP_SERVER";

  constructor(
    toolName: string,
    reason: string,
    /** The JSON-RPC error code: -32602 for arguments that the server refuses. */
    readonly rpcCode: number,
    data: Value = null,
  ) {
    super(toolName, reason, { details: { rpc_code: rpcCode, rpc_data: data } });
  }
}

/** The session that the server gave is over, so a call of it was not carried out. Connect again, and call again. */
export class McpSessionGoneError extends Error {
  override readonly name = "McpSessionGoneError";
}
