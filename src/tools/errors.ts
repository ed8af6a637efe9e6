import { isNumberArray, shortenUnits, VitrineError, type Value } from "../protocol/index.js";

/** No tool of that name can be seen from here. Nothing was called. */
export class ToolNotFoundError extends VitrineError {
  override readonly name = "ToolNotFoundError";
  readonly code = "TOOL_NOT_FOUND";

  constructor(
    readonly toolName: string,
    readonly availableTools: readonly string[],
  ) {
    const shown = availableTools.slice(0, 5).join(", ");
    const rest = availableTools.length > 5 ? ` (and ${String(availableTools.length - 5)} more)` : "";
    super(`Tool '${toolName}' not found${shown === "" ? "" : `. Available: ${shown}${rest}`}`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { tool_name: this.toolName, available_tools: this.availableTools };
  }
}

/** The tool has no recipe of that name. Nothing was called. */
export class UnknownCallableError extends VitrineError {
  override readonly name = "AttributeError";
  readonly code = "UNKNOWN_CALLABLE";

  constructor(
    readonly toolName: string,
    readonly callableName: string,
    available: readonly string[],
  ) {
    const names = available.length === 0 ? "The tool has none" : `Available: ${[...available].sort().join(", ")}`;
    super(`Unknown callable: ${toolName}.${callableName}. ${names}`);
  }
}

/** What is known of a call that failed. */
export interface ToolCallFailure {
  readonly args?: Readonly<Record<string, Value>>;
  readonly cause?: unknown;
  /** Further attributes of the Python exception, in snake_case. */
  readonly details?: Readonly<Record<string, Value>>;
}

/** A call of a tool failed. What the tool did until then may have happened. */
export class ToolCallError extends VitrineError {
  override readonly name: string = "ToolCallError";
  readonly code: string = "TOOL_CALL";
  readonly reason: string;
  readonly toolArgs: Readonly<Record<string, Value>>;
  readonly #details: Readonly<Record<string, Value>>;

  constructor(
    readonly toolName: string,
    reason: string,
    { args = {}, cause, details = {} }: ToolCallFailure = {},
  ) {
    const shown = reason.trim() === "" ? silence(cause) : reason;
    super(`Tool '${toolName}' failed: ${shown}`, cause === undefined ? undefined : { cause });
    this.reason = shown;
    this.toolArgs = args;
    this.#details = details;
  }

  override details(): Readonly<Record<string, Value>> {
    const tool_args = Object.fromEntries(Object.entries(this.toolArgs).map(([name, value]) => [name, brief(value)]));
    return { tool_name: this.toolName, tool_args, cause: this.reason, ...this.#details };
  }
}

/** The text of an error that has none. */
function silence(cause: unknown): string {
  return cause instanceof Error ? `${cause.name} without a message` : "it does not say why";
}

/** Characters or bytes of an argument that an error carries back. */
const MAX_ECHO = 10_000;

/** Python has what it sent: an error does not send megabytes back. */
function brief(value: Value): Value {
  if (value instanceof Uint8Array && value.byteLength > MAX_ECHO) return `<${String(value.byteLength)} bytes>`;
  if (isNumberArray(value) && value.byteLength > MAX_ECHO) return `<${String(value.length)} numbers>`;
  if (typeof value !== "string" || value.length <= MAX_ECHO) return value;
  return shortenUnits(value, 400, `… [${String(value.length)} characters]`);
}

/** An argument is missing, unknown or of the wrong type. Nothing was called. */
export class ToolArgumentError extends ToolCallError {
  override readonly name = "ToolArgumentError";
  override readonly code = "TOOL_ARGUMENT";

  constructor(toolName: string, reason: string, options: ToolCallFailure & { readonly parameter?: string } = {}) {
    const { parameter } = options;
    super(toolName, reason, {
      ...options,
      details: { ...options.details, ...(parameter === undefined ? {} : { parameter }) },
    });
  }
}

/** The call outlived the tool's limit and was aborted. What it did until then may have happened. */
export class ToolTimeoutError extends VitrineError {
  override readonly name = "ToolTimeoutError";
  readonly code = "TOOL_TIMEOUT";

  constructor(
    readonly toolName: string,
    /** Milliseconds. */
    readonly timeout: number,
  ) {
    super(`Tool '${toolName}' timed out after ${String(timeout / 1000)}s`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { tool_name: this.toolName, timeout_seconds: this.timeout / 1000 };
  }
}

/** The tool is known, but cannot be called where this session runs. Nothing was called. */
export class ToolUnavailableError extends VitrineError {
  override readonly name = "ToolUnavailableError";
  readonly code = "TOOL_UNAVAILABLE";

  constructor(
    readonly toolName: string,
    reason: string,
    readonly remedy: string,
  ) {
    super(`Tool '${toolName}' cannot be called here: ${reason}. ${remedy}`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { tool_name: this.toolName, remedy: this.remedy };
  }
}

/** The call was given up because its run was stopped. Whether the tool finished is not known. */
export class ToolCancelledError extends ToolCallError {
  override readonly code = "TOOL_CANCELLED";

  constructor(toolName: string) {
    super(toolName, "the call was cancelled because its run was stopped");
  }
}

/** The answer has more bytes than the tool takes. The rest of it was not read; the service carried the request out. */
export class ResponseTooLargeError extends ToolCallError {
  override readonly name = "ResponseTooLargeError";
  override readonly code = "RESPONSE_TOO_LARGE";

  constructor(
    toolName: string,
    /** Bytes. */
    readonly limit: number,
    args: Readonly<Record<string, Value>>,
  ) {
    super(
      toolName,
      `its answer has more than ${limit.toLocaleString("en-US")} bytes. Ask for less of it, or raise \`max_response\` in the tool's file`,
      { args, details: { limit } },
    );
  }
}

/**
 * The service could not be reached, or broke off. Where the request changes
 * something, it may have been carried out.
 */
export class ConnectionError extends ToolCallError {}

/** The request would leave the hosts that this tool or session may talk to. Nothing was sent. */
export class HostNotAllowedError extends ToolCallError {
  override readonly name = "ToolNotAllowedError";
  override readonly code = "HOST_NOT_ALLOWED";

  constructor(
    toolName: string,
    readonly host: string,
    reason: string,
  ) {
    super(toolName, reason, { details: { host } });
  }
}

/**
 * The browser kept the answer of another origin from the page. The server was
 * reachable, and may have carried the request out.
 */
export class CorsError extends ToolCallError {
  override readonly name = "CorsError";
  override readonly code = "CORS";

  constructor(
    toolName: string,
    readonly host: string,
    /** The response headers of which one or more must be missing. */
    readonly missingHeaders: readonly string[],
    reason: string,
  ) {
    super(toolName, reason, { details: { host, missing_headers: missingHeaders } });
  }
}

/** A function, of session code or of the page, cannot be a tool. Nothing was registered. */
export class ToolDefinitionError extends VitrineError {
  override readonly name = "ToolDefinitionError";
  readonly code = "TOOL_DEFINITION";

  constructor(
    readonly toolName: string,
    reason: string,
  ) {
    super(`'${toolName}' cannot be a tool: ${reason}.`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { tool_name: this.toolName };
  }
}

/** Session code defined the tool, and the interpreter that has its function is gone. Nothing was called. */
export class ToolGoneError extends VitrineError {
  override readonly name = "ToolNotFoundError";
  readonly code = "TOOL_GONE";

  constructor(
    readonly toolName: string,
    readonly reason: string,
  ) {
    super(`Tool '${toolName}' is gone: session code defined it, and ${reason}. Run its definition again.`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { tool_name: this.toolName };
  }
}

/** The function of session code that is the tool raised an exception. It has the name of its Python class. */
export class ToolRaisedError extends VitrineError {
  override readonly name: string;
  readonly code = "TOOL_RAISED";
  readonly toolName: string;
  /** Under which the interpreter that waits for the call keeps the exception itself. */
  readonly #invocation: number | undefined;

  constructor(
    toolName: string,
    { pythonType, message, invocation }: { pythonType: string; message: string; invocation?: number },
  ) {
    super(message);
    this.name = pythonType;
    this.toolName = toolName;
    this.#invocation = invocation;
  }

  override details(): Readonly<Record<string, Value>> {
    return {
      tool_name: this.toolName,
      ...(this.#invocation === undefined ? {} : { invocation: this.#invocation }),
    };
  }
}

/** Another tool has the name already. The first one stays. */
export class ToolNameTakenError extends VitrineError {
  override readonly name = "ValueError";
  readonly code = "TOOL_NAME_TAKEN";

  constructor(readonly toolName: string) {
    super(
      `Duplicate tool name '${toolName}': Tool '${toolName}' already registered. Remove the other one first, or choose another name.`,
    );
  }
}

/** Something was registered that is no tool. Nothing of it is. */
export class InvalidToolError extends VitrineError {
  override readonly name = "ValueError";
  readonly code = "TOOL_INVALID";

  constructor(given: unknown) {
    const what = typeof given === "function" ? `the function ${given.name}` : JSON.stringify(given);
    super(`Invalid tool: ${what} is no tool adapter. Make one of it with functionTool(), httpTool() or mcpTool().`);
  }
}

/** A name that a tool cannot have. Nothing was registered. */
export class ToolNameError extends VitrineError {
  override readonly name = "ValueError";
  readonly code = "TOOL_NAME";

  constructor(toolName: string, reason: string) {
    super(`'${toolName}' cannot be the name of a tool: ${reason}.`);
  }
}

/** A tool file is not what it should be. Other files load all the same. */
export class ToolFileError extends VitrineError {
  override readonly name = "ToolFileError";
  readonly code = "TOOL_FILE";

  constructor(
    readonly file: string,
    readonly line: number | undefined,
    /** Dotted path of the field; undefined when the file as a whole is meant. */
    readonly field: string | undefined,
    readonly reason: string,
  ) {
    super(
      `${file}${line === undefined ? "" : `:${String(line)}`}: ${field === undefined ? "" : `${field}: `}${reason}`,
    );
  }
}

/** The schema of a tool cannot be used: it refers to what is not there, or to itself without an end. */
export class ToolSchemaError extends ToolCallError {
  override readonly code = "TOOL_SCHEMA";

  constructor(toolName: string, what: "arguments" | "result", { cause }: { readonly cause: unknown }) {
    const why = cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : String(cause);
    super(toolName, `The schema of its ${what} cannot be used: ${why} Whoever made the tool has to mend it.`, {
      cause,
    });
  }
}
