import { optionCheck } from "../../options/index.js";
import { messageOf, VitrineError, type Problem, type Value } from "../../protocol/index.js";
import { UsedSecrets } from "../../secrets/index.js";
import { callableAlias, callableByAlias } from "../python/aliases.js";
import { checkInput } from "../arguments.js";
import { CallDeadline } from "../requests/call-deadline.js";
import {
  DEFAULT_TOOL_TIMEOUT,
  TOOL_HINTS,
  type OpenTool,
  type Tool,
  type ToolAdapter,
  type ToolCallable,
  type ToolContext,
} from "../definition.js";
import {
  ToolCallError,
  ToolCancelledError,
  ToolTimeoutError,
  ToolUnavailableError,
  UnknownCallableError,
} from "../errors.js";
import { hostsOf, pageAddress } from "../requests/request-route.js";
import type { ToolHost } from "../tool-host.js";
import type { ConnectionParts, McpConnection } from "./mcp-connection.js";
import { McpConnectionError } from "./mcp-errors.js";
import type { McpToolOptions } from "./mcp-options.js";
import { OpenCalls } from "./open-calls.js";

const checkOptions = optionCheck<McpToolOptions>("mcpTool", {
  name: "string",
  description: "string?",
  tags: "array?",
  hints: TOOL_HINTS,
  timeout: "number?",
  answerSize: "number?",
  url: "string?",
  transport: "any?",
  headers: "object?",
  auth: "object?",
  server: "object?",
  port: "object?",
});

/**
 * A tool that is an MCP server: one callable for each tool of the server, and
 * `list_resources`, `read_resource`, `list_prompts`, `get_prompt` where it has
 * any. It connects when it is registered, and anew when a call finds the
 * connection gone.
 *
 * @throws {OptionError}
 */
export function mcpTool(options: McpToolOptions): ToolAdapter {
  checkOptions(options);
  return mcpToolOfFile(options, `tools.${options.name}`);
}

/** The same, for a server that a file describes. */
export function mcpToolOfFile(options: McpToolOptions, file: string): ToolAdapter {
  return {
    tool: toolOf(options),
    open: (host) => new McpTool(options, { file, host }),
    call: () => {
      throw new ToolUnavailableError(
        options.name,
        "it is connected to its server only while it is registered",
        "Register it: `session.tools.register(tool)`.",
      );
    },
  };
}

function toolOf(options: McpToolOptions): Tool {
  const { name, description = "", tags = [], hints = {}, timeout = DEFAULT_TOOL_TIMEOUT } = options;
  const hosts = "url" in options ? hostsOf([options.url], pageAddress()) : undefined;
  const tool = { name, description, tags, hints, timeout, callables: [], dynamic: true, isServer: true };
  return hosts === undefined ? tool : { ...tool, hosts };
}

class McpTool implements OpenTool {
  readonly opened: Promise<void>;
  readonly #options: McpToolOptions;
  readonly #file: string;
  readonly #host: ToolHost;
  readonly #closing = new AbortController();
  readonly #openCalls = new OpenCalls();
  #tool: Tool;
  #connection: McpConnection | undefined;
  #connecting: Promise<McpConnection> | undefined;

  constructor(options: McpToolOptions, { file, host }: { readonly file: string; readonly host: ToolHost }) {
    this.#options = options;
    this.#file = file;
    this.#host = host;
    this.#tool = toolOf(options);
    // A failure was told to the host; the next call tries again.
    this.opened = this.#connected().then(
      () => undefined,
      () => undefined,
    );
  }

  get tool(): Tool {
    return this.#tool;
  }

  whenKnown(): Promise<void> | undefined {
    if (this.#connection?.isOpen === true && !this.#connection.isDoubtful) return undefined;
    return this.#connected().then(() => undefined);
  }

  async call(callable: string | null, args: Readonly<Record<string, Value>>, context: ToolContext): Promise<Value> {
    const deadline = new CallDeadline(context.signal, this.#tool.timeout);
    return this.#openCalls.during(deadline, context, async () => {
      try {
        return await deadline.race(() => this.#callConnected(callable, { args, context, deadline }));
      } catch (error) {
        throw this.#failure(error, { context, deadline });
      }
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const connection = this.#connection ?? (await this.#connecting?.catch(() => undefined));
    this.#connection = undefined;
    await connection?.close();
  }

  async #callConnected(
    wanted: string | null,
    {
      args,
      context,
      deadline,
    }: {
      readonly args: Readonly<Record<string, Value>>;
      readonly context: ToolContext;
      readonly deadline: CallDeadline;
    },
  ): Promise<Value> {
    for (let attempt = 1; ; attempt += 1) {
      const connection = await this.#connected();
      const callable = findCallable(this.#tool, wanted);
      const checked = await checkInput(this.#tool.name, callable, args);
      try {
        return await connection.call(callable.name, checked, {
          signal: deadline.signal,
          report: (progress) => {
            context.report(progress);
          },
        });
      } catch (error) {
        if (!(error instanceof Error) || error.name !== "McpSessionGoneError") throw error;
        if (attempt > 1) {
          throw new McpConnectionError(this.#tool.name, "the server ends every session at once", { cause: error });
        }
        await connection.close();
      }
    }
  }

  /** The connection, made anew if it is gone. Who comes while one is made waits for the same. */
  #connected(): Promise<McpConnection> {
    const current = this.#connection;
    if (current?.isOpen === true && !current.isDoubtful) return Promise.resolve(current);
    this.#connecting ??= this.#renew(current).finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #renew(current: McpConnection | undefined): Promise<McpConnection> {
    const deadline = new CallDeadline(this.#closing.signal, this.#tool.timeout);
    return this.#openCalls.during(deadline, undefined, async () => {
      try {
        if (current !== undefined && (await current.verify(deadline.signal))) {
          this.#show(current);
          return current;
        }
        return await this.#connect(deadline);
      } catch (error) {
        const failure = this.#connectFailure(error, deadline);
        if (!this.#closing.signal.aborted) this.#host.problems([this.#problemOf(failure)]);
        throw failure;
      }
    });
  }

  async #connect(deadline: CallDeadline): Promise<McpConnection> {
    // The SDK is loaded with the first server, not with the page.
    const { McpConnection } = await import("./mcp-connection.js");
    const parts: ConnectionParts = {
      options: this.#options,
      environment: this.#host.environment,
      file: this.#file,
      onChanged: () => {
        if (this.#connection !== undefined) this.#show(this.#connection);
      },
      openCalls: this.#openCalls,
    };
    const opening = McpConnection.open(parts, deadline.signal);
    try {
      const connection = await deadline.race(() => opening);
      this.#connection = connection;
      this.#show(connection);
      return connection;
    } catch (error) {
      // Nobody waits for it any more, but it may still come about.
      opening.then(
        (late) => late.close(),
        () => undefined,
      );
      throw error;
    }
  }

  #connectFailure(error: unknown, deadline: CallDeadline): VitrineError {
    const { name, timeout } = this.#tool;
    if (this.#closing.signal.aborted) return new ToolCancelledError(name);
    if (deadline.expired) {
      const seconds = String(timeout / 1000);
      return new McpConnectionError(name, `the server did not answer within ${seconds}s. The next call tries again`);
    }
    if (error instanceof VitrineError) return error;
    const reason = messageOf(error);
    return new McpConnectionError(name, reason, { cause: error });
  }

  #failure(error: unknown, { context, deadline }: { context: ToolContext; deadline: CallDeadline }): VitrineError {
    if (context.signal.aborted) return new ToolCancelledError(this.#tool.name);
    if (deadline.expired) return new ToolTimeoutError(this.#tool.name, this.#tool.timeout);
    if (error instanceof VitrineError) return error;
    const reason = messageOf(error);
    return new ToolCallError(this.#tool.name, reason, { cause: error });
  }

  #show(connection: McpConnection): void {
    const { description = connection.description } = this.#options;
    this.#tool = { ...this.#tool, description, callables: connection.callables, dynamic: false };
    this.#host.problems(connection.problems);
    this.#host.changed();
  }

  #problemOf(error: VitrineError): Problem {
    const secrets = UsedSecrets.of(this.#host.environment.secrets);
    return { file: this.#file, message: secrets.strikeText(error.message), code: error.code };
  }
}

function findCallable(tool: Tool, wanted: string | null): ToolCallable {
  const name = wanted ?? tool.name;
  const found = tool.callables.find((callable) => callable.name === name) ?? callableByAlias(tool, name);
  if (found !== undefined) return found;
  const available = tool.callables.map((callable) => callableAlias(tool, callable.name));
  throw new UnknownCallableError(tool.name, name, available);
}
