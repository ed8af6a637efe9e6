import type { Artifact } from "../../artifacts/index.js";
import type { JournalEntry } from "../../dispatch/index.js";
import { checkArgument, optionCheck } from "../../options/index.js";
import { Allowance, type TrustLevel, type Value } from "../../protocol/index.js";
import {
  SKILL_SEARCH,
  type NewSkill,
  type ScoredSkill,
  type Skill,
  type SkillListing,
  type SkillSearchOptions,
} from "../../skills/index.js";
import {
  JoinedTools,
  TOOL_SCOPE,
  TOOL_SEARCH,
  type Tool,
  type ToolDirectory,
  type ToolScope,
  type ToolSearchOptions,
  type ToolSearchResult,
} from "../../tools/index.js";
import { RunFailedError } from "../errors.js";
import { OpenCallsError } from "../limit-errors.js";
import type { ParentSession } from "../runs/parent-session.js";
import type { CallOrigin } from "../calls/call-origin.js";
import type { RunResult } from "../runs/run-result.js";
import type { Services } from "../calls/services.js";
import type { RunOptions } from "../runs/run-options.js";
import {
  checkClientCalls,
  ClientCalls,
  type ClientCallsOptions,
  type ClientCallsParts,
  type ShownPicture,
} from "./client-calls.js";

/** Who the client is, and what of the session it may use. */
export interface ClientOptions {
  /** What its runs are called in the journal and in tracebacks: `mcp 3`. Default: `client`. */
  readonly name?: string;
  /** The tools that it sees of those that the session's code sees. Default: all of them. */
  readonly scope?: ToolScope;
  /**
   * Who asks: a foreign program that the page serves, or an agent of the page. Both are asked about alike; the journal
   * tells them apart. Default: `client`.
   */
  readonly caller?: "client" | "agent";
}

/** What a client may say about a run. */
export type ClientRunOptions = Pick<RunOptions, "timeout" | "signal" | "onOutput" | "onCall">;

/** What a client may say about a call. */
export interface CallToolOptions {
  readonly signal?: AbortSignal;
  /** Told of the call and of those made in its course: when one begins, when something becomes of it, when it ends. */
  readonly onCall?: (entry: JournalEntry) => void;
}

/** What a client may say about a call of a tool on files. */
export interface CallFileToolOptions {
  readonly signal?: AbortSignal;
  /** Takes the pictures that the call shows. Default: there is no one to show them to, and `view_image` fails. */
  readonly onPicture?: (picture: ShownPicture) => void;
}

export const checkClientOptions = optionCheck<ClientOptions>("session.client", {
  name: "string?",
  scope: TOOL_SCOPE,
  caller: "string?",
});
const checkClientRun = optionCheck<ClientRunOptions>("client.run", {
  timeout: "number|null?",
  signal: "object?",
  onOutput: "function?",
  onCall: "function?",
});
const checkCallTool = optionCheck<CallToolOptions>("client.callTool", { signal: "object?", onCall: "function?" });
const checkCallFileTool = optionCheck<CallFileToolOptions>("client.callFileTool", {
  signal: "object?",
  onPicture: "function?",
});
const checkToolSearch = optionCheck<ToolSearchOptions>("searchTools", TOOL_SEARCH);
const checkSkillSearch = optionCheck<SkillSearchOptions>("searchSkills", SKILL_SEARCH);

interface ClientParts {
  readonly tools: ToolDirectory;
  /** What of the tools it sees; undefined for all that the session's code sees. */
  readonly scope?: ToolScope | undefined;
  readonly caller: "client" | "agent";
  readonly parent: ParentSession | undefined;
  readonly limits: ClientCallsParts["limits"];
  /** Aborted when the session closes. */
  readonly signal: AbortSignal;
  readonly watchPauses: ClientCallsParts["watchPauses"];
  readonly run: (code: string, options: ClientRunOptions) => Promise<RunResult>;
}

/**
 * A session as a foreign program sees it: what it asks for is journalled as its own, and judged as if an agent's code
 * asked. It reads what session code may read.
 */
export class SessionClient {
  readonly #services: Services;
  readonly #parts: ClientParts;
  /** Calls of tools on files that have not ended. */
  readonly #openFileCalls: Allowance;

  /** @internal */
  constructor(services: Services, parts: ClientParts) {
    this.#services = services;
    this.#parts = parts;
    this.#openFileCalls = new Allowance(parts.limits.openCalls);
  }

  /** The trust level of the session. */
  get trust(): TrustLevel {
    return this.#services.trust;
  }

  /** Runs code after the runs before it. Whatever the code does, the promise resolves. */
  async run(code: string, options: ClientRunOptions = {}): Promise<RunResult> {
    checkClientRun(options);
    return this.#parts.run(code, options);
  }

  listTools(): readonly Tool[] {
    return this.#parts.tools.list();
  }

  /**
   * Calls a tool that the client sees: `weather`, `github.get_repo`. One that session code defined is called once the
   * interpreter is free; do not wait for it inside a tool of the same session.
   *
   * @throws {ToolNotFoundError} @throws {ToolArgumentError} @throws {CallNotAllowedError} with nothing called.
   * @throws {VitrineError} as the tool failed.
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, Value>> = {},
    options: CallToolOptions = {},
  ): Promise<Value> {
    checkArgument("client.callTool", "name", name, "string");
    checkArgument("client.callTool", "args", args, "object");
    checkCallTool(options);
    const { signal, onCall } = options;
    return this.#asking(signal, async (origin) => {
      const stop = onCall === undefined ? undefined : this.#followCalls(origin.runId, onCall);
      try {
        return await this.#services.operations.callToolByName(origin, name, args);
      } finally {
        stop?.();
      }
    });
  }

  /**
   * The tools on files that the client may call (`read_file`, `shell` and their like), whether or not the session was opened
   * with `fileTools`. A scope says of them what it says of other tools; a name that a tool of the session's own has is its.
   */
  listFileTools(): readonly Tool[] {
    return this.#fileTools().list();
  }

  /**
   * Calls one of them: `read_file` and its like.
   *
   * @throws {ToolNotFoundError} @throws {ToolArgumentError} @throws {CallNotAllowedError} with nothing called.
   * @throws {OpenCallsError} when `limits.openCalls` of them have not ended yet.
   * @throws {VitrineError} as the tool failed.
   */
  async callFileTool(
    name: string,
    args: Readonly<Record<string, Value>> = {},
    options: CallFileToolOptions = {},
  ): Promise<Value> {
    checkArgument("client.callFileTool", "name", name, "string");
    checkArgument("client.callFileTool", "args", args, "object");
    checkCallFileTool(options);
    const { signal, onPicture } = options;
    const { operations } = this.#services;
    if (!this.#openFileCalls.take()) throw new OpenCallsError(this.#openFileCalls.limit);
    const calls = this.#callsOf(this.#fileTools(), onPicture === undefined ? {} : { onPicture });
    try {
      return await calls.make(signal, (origin) => operations.callTool(origin, { tool: name, callable: null, args }));
    } finally {
      calls.close();
      this.#openFileCalls.count(-1);
    }
  }

  /** Makes calls that belong together, as those of one run of code do. */
  openCalls(options: ClientCallsOptions = {}): ClientCalls {
    checkClientCalls(options);
    return this.#callsOf(this.#parts.tools, options);
  }

  #callsOf(tools: ToolDirectory, options: ClientCallsOptions = {}): ClientCalls {
    const { caller, parent, limits, signal: closing, watchPauses } = this.#parts;
    const inAgentRun = caller === "agent" || parent !== undefined;
    const origin = { tools, caller, inAgentRun, parent: parent?.callId ?? null };
    return new ClientCalls({ services: this.#services, origin, parent, limits, closing, watchPauses }, options);
  }

  /** Those whose names are free: what the session's code reaches under the name is not another tool. */
  #fileTools(): ToolDirectory {
    const { fileTools, registry, tools } = this.#services;
    const { scope } = this.#parts;
    const reached = new JoinedTools({ own: tools, registered: registry, more: fileTools });
    const taken = fileTools.list().flatMap((tool) => (reached.get(tool.name) === tool ? [] : [tool.name]));
    const free = fileTools.inScope({ without: taken });
    return scope === undefined ? free : free.inScope(scope);
  }

  async searchTools(query: string, options: ToolSearchOptions = {}): Promise<ToolSearchResult> {
    checkArgument("client.searchTools", "query", query, "string");
    checkToolSearch(options);
    return this.#parts.tools.search(query, options);
  }

  listSkills(): Promise<SkillListing> {
    return this.#services.skills.list();
  }

  async searchSkills(query: string, options: SkillSearchOptions = {}): Promise<ScoredSkill[]> {
    checkArgument("client.searchSkills", "query", query, "string");
    checkSkillSearch(options);
    return this.#services.skills.search(query, options);
  }

  /** @throws {CallNotAllowedError} @throws {SkillValidationError} @throws {SkillSyntaxError} with nothing changed. */
  createSkill(skill: Omit<NewSkill, "trust">, signal?: AbortSignal): Promise<Skill> {
    const { operations, trust } = this.#services;
    return this.#asking(signal, (origin) => operations.createSkill(origin, { ...skill, trust }));
  }

  /** False when there was none. @throws {CallNotAllowedError} */
  deleteSkill(name: string, signal?: AbortSignal): Promise<boolean> {
    return this.#asking(signal, (origin) => this.#services.operations.deleteSkill(origin, name));
  }

  listArtifacts(): Promise<Artifact[]> {
    return this.#services.artifacts.list();
  }

  listDeps(): Promise<string[]> {
    return this.#services.deps.list();
  }

  /** Installs a package and remembers it. @throws {RunFailedError} with what Python said, a refusal included. */
  addDep(spec: string, signal?: AbortSignal): Promise<Value> {
    return this.#evaluate(`deps.add(${JSON.stringify(spec)})`, signal);
  }

  /** Forgets a package. @throws {RunFailedError} */
  removeDep(spec: string, signal?: AbortSignal): Promise<Value> {
    return this.#evaluate(`deps.remove(${JSON.stringify(spec)})`, signal);
  }

  async #evaluate(code: string, signal: AbortSignal | undefined): Promise<Value> {
    const { error, value } = await this.run(code, signal === undefined ? {} : { signal });
    if (error !== null) throw new RunFailedError(error);
    return value;
  }

  /** A program that serves the call runs in a session of its own, whose calls name the one above them. */
  #followCalls(runId: string, onCall: (entry: JournalEntry) => void): () => void {
    const followed = new Set<string>();
    return this.#services.dispatcher.onCall((entry) => {
      if (entry.runId !== runId && !followed.has(entry.parent ?? "")) return;
      followed.add(entry.id);
      onCall(entry);
    });
  }

  /** A call of the client itself, outside of any run of code: what is remembered "for this run" ends with it. */
  async #asking<T>(signal: AbortSignal | undefined, call: (origin: CallOrigin) => Promise<T>): Promise<T> {
    const calls = this.openCalls();
    try {
      return await calls.make(signal, call);
    } finally {
      calls.close();
    }
  }
}
