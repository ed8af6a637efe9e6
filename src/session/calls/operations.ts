import type { Artifact, ArtifactContent, ArtifactOptions, ArtifactStore } from "../../artifacts/index.js";
import {
  CallEndedError,
  type CallDescription,
  type CallNamespace,
  type Dispatcher,
  type Invoke,
} from "../../dispatch/index.js";
import { unlessAborted, type TrustLevel, type Value } from "../../protocol/index.js";
import type { UsedSecrets } from "../../secrets/index.js";
import type { CallingSession } from "../../file-tools/index.js";
import type { WritingSession } from "../../write-code/index.js";
import type { NewSkill, Skill, SkillInspection, SkillLibrary } from "../../skills/index.js";
import {
  ToolNotFoundError,
  whilePaused,
  type CallTool,
  type ToolContext,
  type ToolDirectory,
  type ToolHints,
} from "../../tools/index.js";
import { NestingDepthError } from "../limit-errors.js";
import type { CallOrigin, ObserveTool } from "./call-origin.js";
import { OpenCalls } from "./open-calls.js";
import type { PythonToolDefinition, PythonTools } from "./python-tools.js";
import { skillSignature } from "./skill-signature.js";

/** What a call is, beside its origin. */
interface Operation {
  readonly namespace: CallNamespace;
  readonly name: string;
  readonly arguments: Readonly<Record<string, Value>>;
  readonly hints?: ToolHints;
  readonly tags?: readonly string[];
  readonly scope?: () => void;
  readonly draft?: NonNullable<CallDescription["draft"]>;
  readonly definitionId?: string | undefined;
  readonly hosts?: readonly string[] | undefined;
  readonly refusal?: string | undefined;
  readonly asksItself?: boolean | undefined;
  readonly validate?: NonNullable<CallDescription["validate"]>;
  readonly waitsForInterpreter?: boolean;
}

/** A call of a tool, as Python asks for it. */
interface ToolCallRequest {
  readonly tool: string;
  readonly callable: string | null;
  readonly args: Readonly<Record<string, Value>>;
}

const READ_ONLY: ToolHints = { readOnly: true, idempotent: true };
const REPEATABLE: ToolHints = { idempotent: true };
const DESTRUCTIVE: ToolHints = { destructive: true, idempotent: true };

export interface OperationParts {
  readonly dispatcher: Dispatcher;
  readonly trust: TrustLevel;
  readonly skills: SkillLibrary;
  readonly artifacts: ArtifactStore;
  readonly pythonTools: PythonTools;
  /** What tools that work on files find here. */
  readonly session: CallingSession;
  /** What a tool that writes code finds here. */
  readonly writing: WritingSession;
  /** The run that goes on, if one does. */
  readonly currentRun: () => string | undefined;
  /** Has the clock of the run that goes on stand still; the answer lets it go on. */
  readonly pauseRun: () => () => void;
  /** Struck from what tools return, throw and report, before middleware, journal and caller see it. */
  readonly secrets: UsedSecrets;
  /** How deep calls may be inside one another. */
  readonly nestingDepth: number;
  /** Runs a skill inside the waiting interpreter. */
  readonly runSkill: (name: string, args: Readonly<Record<string, Value>>, parent: string) => Promise<Value>;
  readonly observeTool?: ObserveTool | undefined;
}

/**
 * Everything of a session that is journalled, once for all who ask: session
 * code over the bridge, and the page through the session's facades. Each goes
 * through the dispatcher.
 */
export class Operations {
  /** The calls under way, of this session and of those that it is inside of or that are inside of it. */
  readonly openCalls: OpenCalls;
  readonly #parts: OperationParts;
  readonly #unsettled = new Map<string, Set<Promise<unknown>>>();

  constructor(parts: OperationParts, above?: Operations) {
    this.#parts = parts;
    // Calls of a child are inside of its parent's, and as deep.
    this.openCalls = above?.openCalls ?? new OpenCalls();
  }

  /** The same for a child session: its calls are made through the same dispatcher. */
  forChild(parts: Omit<OperationParts, "dispatcher" | "secrets" | "nestingDepth">): Operations {
    const { dispatcher, secrets, nestingDepth } = this.#parts;
    return new Operations({ dispatcher, secrets, nestingDepth, ...parts }, this);
  }

  /** Whether this session made the call, and it is under way. */
  isMaking(id: string): boolean {
    return this.openCalls.isMadeBy(this, id);
  }

  /** Resolves when every call of the run has ended. Abort their signal first. */
  async settleRun(runId: string): Promise<void> {
    await Promise.allSettled([...(this.#unsettled.get(runId) ?? [])]);
  }

  /** Resolves when every call has ended. Abort their signals first. */
  async settleAll(): Promise<void> {
    await Promise.allSettled([...this.#unsettled.values()].flatMap((calls) => [...calls]));
  }

  callTool(origin: CallOrigin, { tool, callable, args }: ToolCallRequest): Promise<Value> {
    const unknown = origin.tools.whenKnown(tool);
    if (unknown !== undefined)
      return this.#track(origin.runId, this.#callOnceKnown(origin, { tool, callable, args }, unknown));
    return this.#callKnown(origin, { tool, callable, args });
  }

  /** What a call may do is known from the tool's server: before that nobody can say whether to ask about it. */
  async #callOnceKnown(origin: CallOrigin, call: ToolCallRequest, known: Promise<void>): Promise<Value> {
    try {
      await unlessAborted(known, origin.signal);
    } catch (error) {
      // One that nobody waits for any more ends below as any stopped call does.
      if (origin.signal.aborted) return this.#callKnown(origin, call);
      return this.#refuse(origin, call, new Refusal(this.#parts.secrets.strikeError(error)));
    }
    return this.#callKnown(origin, call);
  }

  #callKnown(origin: CallOrigin, { tool, callable, args }: ToolCallRequest): Promise<Value> {
    const prepared = attempt(() => origin.tools.prepare(tool, callable));
    if (prepared instanceof Refusal) return this.#refuse(origin, { tool, callable, args }, this.#whyMissing(prepared));
    const operation: Operation = {
      namespace: "tools",
      name: prepared.name,
      arguments: args,
      hints: prepared.hints,
      tags: prepared.tags,
      definitionId: prepared.tool.definitionId,
      hosts: prepared.tool.hosts,
      refusal: prepared.tool.refusal,
      asksItself: prepared.tool.asksItself,
      waitsForInterpreter: prepared.tool.trust !== undefined && origin.runId !== this.#parts.currentRun(),
      validate: (checked) => prepared.validate(checked),
    };
    return this.dispatch(origin, operation, (checked, { callId, signal, report, askAbout }) => {
      const context: ToolContext = {
        callId,
        runId: origin.runId,
        signal,
        runSkill: (name, skillArguments) => this.#parts.runSkill(name, skillArguments, callId),
        report: (progress) => {
          report(this.#parts.secrets.strikeProgress(progress));
        },
        callTool: this.#callToolWithin({ ...origin, signal, parent: callId, caller: "tool" }),
        askAbout,
        task: origin.task,
      };
      const invoke = (): Promise<Value> => this.#parts.secrets.guard(() => prepared.invoke(checked, context));
      const holdsRun = prepared.tool.ownTime === true && origin.runId === this.#parts.currentRun();
      return holdsRun ? whilePaused(this.#parts.pauseRun, invoke) : invoke();
    });
  }

  /** Calls of other tools in the course of the call that `origin` names as parent. */
  #callToolWithin(origin: CallOrigin & { readonly parent: string }): CallTool {
    return async (name, args = {}, { signal } = {}) => {
      // A call that has ended holds no run any more, and nobody would hear of what it starts.
      if (this.openCalls.originOf(origin.parent) === undefined) throw new CallEndedError(`tools.${name}`);
      const signals = signal === undefined ? origin.signal : AbortSignal.any([origin.signal, signal]);
      return this.callToolByName({ ...origin, signal: signals }, name, args);
    };
  }

  /** `weather`, `github.get_repo`. */
  callToolByName(origin: CallOrigin, name: string, args: Readonly<Record<string, Value>>): Promise<Value> {
    return this.callTool(origin, { ...findTool(origin.tools, name), args });
  }

  #whyMissing(refusal: Refusal): Refusal {
    const { reason } = refusal;
    const gone = reason instanceof ToolNotFoundError ? this.#parts.pythonTools.gone(reason.toolName) : undefined;
    return gone === undefined ? refusal : new Refusal(gone);
  }

  /** What is out of scope is journalled too: somebody tried. */
  #refuse(origin: CallOrigin, { tool, callable, args }: ToolCallRequest, refusal: Refusal): Promise<Value> {
    const operation: Operation = {
      namespace: "tools",
      name: callable === null ? tool : `${tool}.${callable}`,
      arguments: args,
      hints: READ_ONLY,
      scope: () => {
        throw refusal.reason;
      },
    };
    return this.dispatch(origin, operation, () => Promise.reject(new TypeError(`${tool} is out of scope.`)));
  }

  async saveArtifact(
    origin: CallOrigin,
    artifact: {
      name: string;
      content: ArtifactContent;
      description: string;
      metadata: Readonly<Record<string, Value>>;
    },
  ): Promise<Value> {
    const { name, content, description, metadata } = artifact;
    const args = { name, data: content.data, ...(description === "" ? {} : { description }) };
    return this.dispatch(
      origin,
      { namespace: "artifacts", name: "save", arguments: args, hints: REPEATABLE },
      async () => ({
        ...(await this.#parts.artifacts.saveContent(name, content, { description, metadata })),
      }),
    );
  }

  loadArtifact(origin: CallOrigin, name: string): Promise<Value> {
    const operation: Operation = { namespace: "artifacts", name: "load", arguments: { name }, hints: READ_ONLY };
    return this.dispatch(origin, operation, async () => ({ ...(await this.#parts.artifacts.loadContent(name)) }));
  }

  registerArtifact(
    origin: CallOrigin,
    { name, description, metadata }: { name: string; description: string; metadata: Readonly<Record<string, Value>> },
  ): Promise<Value> {
    const operation: Operation = {
      namespace: "artifacts",
      name: "register",
      arguments: { name, description },
      hints: REPEATABLE,
    };
    return this.dispatch(origin, operation, async () => ({
      ...(await this.#parts.artifacts.register(name, description, metadata)),
    }));
  }

  async deleteArtifact(origin: CallOrigin, name: string): Promise<void> {
    const operation: Operation = { namespace: "artifacts", name: "delete", arguments: { name }, hints: DESTRUCTIVE };
    await this.dispatch(origin, operation, async () => {
      await this.#parts.artifacts.delete(name);
      return null;
    });
  }

  /** @param notes - what a person who is asked about it is told beside its source. */
  async createSkill(origin: CallOrigin, skill: NewSkill, notes: readonly string[] = []): Promise<Skill> {
    const { name, source, description = "" } = skill;
    const { skills } = this.#parts;
    let shown: SkillInspection | undefined;
    let created: Skill | undefined;
    const operation: Operation = {
      namespace: "skills",
      name: "create",
      arguments: { name, source, description },
      hints: REPEATABLE,
      draft: async () => {
        // What a person agreed to is what is stored: asked again, the interpreter might say something else.
        shown = await skills.describe(skill);
        const signature = `It is called as ${skillSignature({ name, parameters: shown.parameters })}.`;
        const before = await skills.sourceOf(name);
        return { name, source, description: shown.description, before, notes: [signature, ...notes] };
      },
    };
    await this.dispatch(origin, operation, async () => {
      created = await skills.create(skill, shown);
      return { name, version: created.version };
    });
    if (created === undefined) throw new TypeError("A middleware answered for skills.create without calling it.");
    return created;
  }

  /** Makes a function of session code a tool. @throws what {@link PythonTools.define} throws. */
  async registerTool(origin: CallOrigin, definition: PythonToolDefinition): Promise<Value> {
    const { name, description, source } = definition;
    const { pythonTools } = this.#parts;
    const operation: Operation = {
      namespace: "tools",
      name: "register",
      arguments: { name, description, source },
      hints: REPEATABLE,
      // Before anybody is asked about it.
      validate: (args) => {
        pythonTools.check(definition);
        return args;
      },
    };
    return this.dispatch(origin, operation, () => Promise.resolve(pythonTools.define(definition).name));
  }

  async deleteSkill(origin: CallOrigin, name: string): Promise<boolean> {
    const operation: Operation = { namespace: "skills", name: "delete", arguments: { name }, hints: DESTRUCTIVE };
    return (await this.dispatch(origin, operation, () => this.#parts.skills.delete(name))) === true;
  }

  /** Saves what the page hands in, as session code would. */
  async saveArtifactValue(
    origin: CallOrigin,
    { name, data, options }: { name: string; data: Value; options: ArtifactOptions },
  ): Promise<Artifact> {
    let saved: Artifact | undefined;
    const operation: Operation = { namespace: "artifacts", name: "save", arguments: { name, data }, hints: REPEATABLE };
    await this.dispatch(origin, operation, async () => {
      saved = await this.#parts.artifacts.save(name, data, options);
      return { ...saved };
    });
    if (saved === undefined) throw new TypeError("A middleware answered for artifacts.save without calling it.");
    return saved;
  }

  /** Sends one call through the dispatcher. */
  dispatch(origin: CallOrigin, operation: Operation, invoke: Invoke): Promise<Value> {
    const { signal, runId, parent, caller, inAgentRun, task } = origin;
    const maker = { runId, parent, caller, inAgentRun, task };
    const { nestingDepth } = this.#parts;
    const depth = this.openCalls.depthBelow(parent);
    const description: CallDescription = {
      hints: {},
      tags: [],
      ...operation,
      ...maker,
      trust: this.#parts.trust,
      scope: () => {
        if (depth > nestingDepth) throw new NestingDepthError(nestingDepth);
        operation.scope?.();
      },
    };
    const tracked: Invoke = async (args, context) => {
      const end = this.openCalls.begin(context.callId, {
        maker: this,
        origin,
        session: this.#parts.session,
        writing: this.#parts.writing,
        namespace: operation.namespace,
        depth,
      });
      try {
        return await invoke(args, context);
      } finally {
        end();
      }
    };
    const call = this.#parts.dispatcher.dispatch(description, tracked, { signal });
    if (operation.namespace === "tools" && operation.name !== "register" && caller !== "tool") {
      for (const observe of [this.#parts.observeTool, origin.onTool]) {
        const heard = observe?.({ name: operation.name, arguments: operation.arguments });
        if (heard !== undefined) call.then(heard.returned, heard.failed);
      }
    }
    return this.#track(runId, call);
  }

  #track(runId: string, call: Promise<Value>): Promise<Value> {
    const calls = this.#unsettled.get(runId) ?? new Set();
    this.#unsettled.set(runId, calls);
    const done = (): void => {
      calls.delete(call);
      if (calls.size === 0) this.#unsettled.delete(runId);
    };
    calls.add(call);
    call.then(done, done);
    return call;
  }
}

/** `github.get_repo` is a callable of `github`, unless there is a tool of that whole name. */
function findTool(tools: ToolDirectory, name: string): { tool: string; callable: string | null } {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index).reverse();
  if (tools.get(name) !== undefined || dots.length === 0) return { tool: name, callable: null };
  // The longest name of a tool that there is; where there is none, the error names what stands before the first dot.
  const at = dots.find((dot) => tools.get(name.slice(0, dot)) !== undefined) ?? dots.at(-1);
  return { tool: name.slice(0, at), callable: name.slice((at ?? 0) + 1) };
}

/** Why something was not found. */
class Refusal {
  constructor(readonly reason: unknown) {}
}

function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    return new Refusal(error);
  }
}
