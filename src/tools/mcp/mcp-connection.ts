import {
  Client,
  ProtocolError,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  SseError,
  UnauthorizedError,
  type Transport,
} from "@modelcontextprotocol/client";

import { messageOf, VERSION, type Problem, type Value } from "../../protocol/index.js";
import type { ToolCallable, ToolContext } from "../definition.js";
import { ToolArgumentError, ToolNotFoundError } from "../errors.js";
import { NotJsonError, plainJson } from "../plain-json.js";
import { checkSchema, pathText, type SchemaMismatch } from "../schema/index.js";
import type { ToolEnvironment } from "../tool-host.js";
import { deliverReportsFirst } from "./deliver-reports-first.js";
import { HttpTransport } from "./http-transport.js";
import { extraCallables, readMcpTools } from "./mcp-callables.js";
import { McpEndpoint } from "./mcp-endpoint.js";
import { McpProtocolError, McpSessionGoneError } from "./mcp-errors.js";
import { explainMcpFailure, isSessionGone } from "./mcp-failure.js";
import type { McpFetch } from "./mcp-fetch.js";
import type { McpToolOptions } from "./mcp-options.js";
import { resultOf } from "./mcp-result.js";
import type { OpenCalls } from "./open-calls.js";
import { Relisting } from "./relisting.js";
import { listPages, performOffer } from "./server-offers.js";
import { answerRequests, capabilitiesOf } from "./server-requests.js";

export interface ConnectionParts {
  readonly options: McpToolOptions;
  readonly environment: ToolEnvironment;
  /** The file, or other place, that problems name. */
  readonly file: string;
  /** The list of tools is another one now. */
  readonly onChanged: () => void;
  /** What waits for the server. */
  readonly openCalls: OpenCalls;
}

export interface ConnectionCall {
  readonly signal: AbortSignal;
  readonly report: ToolContext["report"];
}

// Ours is the clock: it stands still while a person is asked, the SDK's does not.
const NO_TIMEOUT = 2 ** 31 - 1;
/** Milliseconds that a server has to show that it is still there. */
const PING_TIMEOUT = 5000;
const MAX_SIGN_INS = 3;

/** One connection to one server, from its handshake to its end. */
export class McpConnection {
  readonly #parts: ConnectionParts;
  readonly #endpoint: McpEndpoint;
  #client: Client;
  #transport: Transport | undefined;
  #fetch: McpFetch | undefined;
  #callables: readonly ToolCallable[] = [];
  #problems: readonly Problem[] = [];
  #isOpen = false;
  /** Something went wrong beside the calls; whether the server is there, and which tools it has, is asked before the next. */
  #isDoubtful = false;
  readonly #relisting = new Relisting(
    () => this.#relist(),
    () => this.#isOpen,
  );

  /** @throws {VitrineError} saying why not. */
  static async open(parts: ConnectionParts, signal: AbortSignal): Promise<McpConnection> {
    const connection = new McpConnection(parts, await McpEndpoint.of(parts.options, parts.environment));
    try {
      await connection.#connect(signal);
      await connection.#list(signal);
      connection.#isOpen = true;
      return connection;
    } catch (error) {
      const explained = await connection.#explain(error, signal);
      await connection.close();
      throw explained;
    }
  }

  private constructor(parts: ConnectionParts, endpoint: McpEndpoint) {
    this.#parts = parts;
    this.#endpoint = endpoint;
    this.#client = this.#newClient();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  get callables(): readonly ToolCallable[] {
    return this.#callables;
  }

  /** What is wrong with single tools of the server. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** What the server says of itself. */
  get description(): string {
    const { title, name, description } = this.#client.getServerVersion() ?? {};
    return description ?? title ?? name ?? "";
  }

  /** The protocol revision that both ends speak: `2026-07-28`. */
  get revision(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  /** @throws {VitrineError} @throws {McpSessionGoneError} */
  async call(name: string, args: Readonly<Record<string, Value>>, call: ConnectionCall): Promise<Value> {
    const toolName = this.#parts.options.name;
    const plainArguments = this.#plain(args);
    try {
      return await this.#signedIn(call.signal, () => this.#perform(name, plainArguments, call));
    } catch (error) {
      const hasSession = this.#transport instanceof HttpTransport && this.#transport.sessionId !== undefined;
      if (isSessionGone(error, hasSession)) throw new McpSessionGoneError("The server ended the session.");
      if (isAboutParameters(error) && (await this.#isMissing(name, call.signal))) {
        throw new ToolNotFoundError(
          `${toolName}.${name}`,
          this.#callables.map((callable) => `${toolName}.${callable.name}`),
        );
      }
      throw await this.#explain(error, call.signal);
    }
  }

  /** Whether the server is still there; lists its tools again, since news of them may have been lost. */
  async verify(signal: AbortSignal): Promise<boolean> {
    if (!this.#isOpen) return false;
    this.#isDoubtful = false;
    try {
      if (this.#client.getProtocolEra() === "modern") {
        await this.#client.discover({ signal, timeout: PING_TIMEOUT });
        await this.#listenAnew();
      } else {
        await this.#client.ping({ signal, timeout: PING_TIMEOUT });
      }
      if (this.#client.getServerCapabilities()?.tools?.listChanged === true) await this.#list(signal);
      return true;
    } catch {
      // Whatever it is: a new connection says it better.
      await this.close();
      return false;
    }
  }

  /** Ends the session at the server, if it keeps one, and the connection. */
  async close(): Promise<void> {
    this.#isOpen = false;
    const transport = this.#transport;
    if (transport instanceof HttpTransport && transport.sessionId !== undefined) {
      // The server forgets it by itself, if need be: nobody waits long for it.
      await Promise.race([transport.terminateSession().catch(() => undefined), sleep(1000)]);
    }
    await this.#client.close().catch(() => undefined);
  }

  #newClient(): Client {
    const { options, environment, openCalls } = this.#parts;
    const answers = environment.mcp ?? {};
    const client = new Client(
      { name: "vitrine", version: VERSION },
      {
        capabilities: capabilitiesOf(answers),
        ...(this.#endpoint.isSse ? {} : { versionNegotiation: { mode: "auto" as const } }),
        listChanged: {
          tools: {
            autoRefresh: false,
            debounceMs: 50,
            onChanged: () => {
              void this.#relisting.request();
            },
          },
        },
      },
    );
    answerRequests(client, answers, { tool: options.name, openCalls });
    client.onclose = () => {
      this.#isOpen = false;
    };
    client.onerror = (error) => {
      this.#isDoubtful = true;
      // A new stream is a new session, which knows nothing of this one's calls.
      if (this.#isOpen && error instanceof SseError) void this.close();
    };
    return client;
  }

  async #connect(signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { transport, fetch } = await this.#endpoint.open();
      this.#transport = transport;
      this.#fetch = fetch;
      try {
        await this.#client.connect(transport, { signal, timeout: NO_TIMEOUT });
        break;
      } catch (error) {
        if (!(await this.#signIn(error, { attempt, transport, signal }))) throw error;
        await this.#client.close().catch(() => undefined);
        this.#client = this.#newClient();
      }
    }
    if (this.#transport instanceof HttpTransport) this.#transport.watchAnswers();
    else deliverReportsFirst(this.#transport);
    this.#watchSubscription();
    this.#isDoubtful = false;
  }

  async #signedIn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const transport = this.#transport;
        if (transport === undefined || !(await this.#signIn(error, { attempt, transport, signal }))) throw error;
      }
    }
  }

  /** Whether it was for want of a person's agreement, and there is one now. */
  async #signIn(
    error: unknown,
    {
      attempt,
      transport,
      signal,
    }: { readonly attempt: number; readonly transport: Transport; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const { oauth } = this.#endpoint;
    if (oauth === undefined || attempt > MAX_SIGN_INS || !isUnauthorized(error)) return false;
    const url = oauth.takePending();
    if (url === undefined || !("finishAuth" in transport) || typeof transport.finishAuth !== "function") return false;
    const resume = this.#parts.openCalls.pauseClocks();
    try {
      const answer = await oauth.authorize(url, signal);
      await (transport as HttpTransport).finishAuth(answer);
      return true;
    } catch (failure) {
      // Another login is begun with another connection, and the one at hand is of no use without.
      this.#isDoubtful = true;
      throw failure;
    } finally {
      resume();
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { options, file } = this.#parts;
    const listed =
      this.#client.getServerCapabilities()?.tools === undefined
        ? []
        : await listPages(this.#client, options.name, { signal, timeout: NO_TIMEOUT });
    const { callables, problems } = readMcpTools(listed, { file, hints: options.hints ?? {} });
    const offered = this.#client.getServerCapabilities() ?? {};
    const extras = extraCallables
      .filter(
        ({ capability, callable }) => offered[capability] && !callables.some(({ name }) => name === callable.name),
      )
      .map(({ callable }) => callable);
    this.#callables = [...callables, ...extras];
    this.#problems = problems;
  }

  #perform(name: string, args: Record<string, unknown>, call: ConnectionCall): Promise<Value> {
    const extra = extraCallables.some(({ callable }) => callable.name === name && this.#callables.includes(callable));
    if (!extra) return this.#callTool(name, args, call);
    const options = { signal: call.signal, timeout: NO_TIMEOUT };
    return performOffer(this.#client, { toolName: this.#parts.options.name, name, args }, options);
  }

  async #callTool(name: string, args: Record<string, unknown>, { signal, report }: ConnectionCall): Promise<Value> {
    const toolName = this.#parts.options.name;
    const result = await this.#client.callTool(
      { name, arguments: args },
      {
        signal,
        timeout: NO_TIMEOUT,
        onprogress: ({ progress, total, message }) => {
          report({
            progress,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          });
        },
      },
    );
    const value = resultOf(toolName, result);
    await this.#checkStructured(name, result.structuredContent);
    return value;
  }

  /** The value itself, once it fits the schema that the server promised for it. */
  async #checkStructured(name: string, structured: unknown): Promise<void> {
    const toolName = this.#parts.options.name;
    const schema = this.#callables.find((callable) => callable.name === name)?.outputSchema;
    if (schema === undefined) return;
    if (structured === undefined) {
      throw new McpProtocolError(toolName, `${name} promises structured content by its output schema and sent none`);
    }
    let mismatch: SchemaMismatch | undefined;
    try {
      mismatch = await checkSchema(schema, structured as Value);
    } catch (error) {
      this.#addProblem(name, error);
      return;
    }
    if (mismatch === undefined) return;
    const where = mismatch.path.length === 0 ? "" : ` at ${pathText(mismatch.path)}`;
    throw new McpProtocolError(
      toolName,
      `the result of ${name} does not fit its output schema${where}: ${mismatch.reason}`,
    );
  }

  #addProblem(name: string, error: unknown): void {
    const field = `tools.${name}.outputSchema`;
    if (this.#problems.some((problem) => problem.field === field)) return;
    const reason = messageOf(error);
    const message = `The schema cannot be used, so results are not checked by it: ${reason}`;
    this.#problems = [...this.#problems, { file: this.#parts.file, field, message, code: "MCP_PROTOCOL" }];
    this.#parts.onChanged();
  }

  #plain(args: Readonly<Record<string, Value>>): Record<string, unknown> {
    try {
      return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, plainJson(value)]));
    } catch (error) {
      if (!(error instanceof NotJsonError)) throw error;
      throw new ToolArgumentError(this.#parts.options.name, `An argument ${error.message}`, { args, cause: error });
    }
  }

  async #isMissing(name: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#list(signal);
    } catch {
      // What the call itself was refused with says more.
      return false;
    }
    this.#parts.onChanged();
    return !this.#callables.some((callable) => callable.name === name);
  }

  async #relist(): Promise<void> {
    try {
      await this.#list(AbortSignal.timeout(PING_TIMEOUT));
      this.#parts.onChanged();
    } catch {
      this.#isDoubtful = true;
    }
  }

  #watchSubscription(): void {
    void this.#client.autoOpenedSubscription?.closed.then((reason) => {
      if (reason !== "local") this.#isDoubtful = true;
    });
  }

  async #listenAnew(): Promise<void> {
    if (this.#client.getServerCapabilities()?.tools?.listChanged !== true) return;
    const subscription = await this.#client.listen({ toolsListChanged: true }, { timeout: PING_TIMEOUT });
    void subscription.closed.then((reason) => {
      if (reason !== "local") this.#isDoubtful = true;
    });
  }

  #explain(error: unknown, signal: AbortSignal): Promise<Error> {
    const strike = (text: string): string => this.#endpoint.secrets.strikeText(text);
    return explainMcpFailure(error, { toolName: this.#parts.options.name, fetch: this.#fetch, signal, strike });
  }
}

function isUnauthorized(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof UnauthorizedError) return true;
  }
  return false;
}

/** -32602 says that the parameters are wrong, the name of the tool among them. */
function isAboutParameters(error: unknown): boolean {
  return error instanceof ProtocolError && (error.code === INVALID_PARAMS || error.code === METHOD_NOT_FOUND);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
