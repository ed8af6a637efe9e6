import { z } from "zod";

import { LONGEST_TEXT, type BridgeContext, type BridgeHandler } from "../../bridge/index.js";
import { isRecord, textUpTo, VitrineError, type TrustLevel, type Value } from "../../protocol/index.js";
import type { ArtifactContent, ArtifactStore } from "../../artifacts/index.js";
import type { SkillLibrary } from "../../skills/index.js";
import { decodeText } from "../../storage/index.js";
import {
  callableByAlias,
  callableStub,
  callableTypes,
  CodexDirectory,
  codexStubs,
  describeCallable,
  describeEntry,
  describeHit,
  describeTool,
  toolAlias,
  type CodexEntry,
  type ParameterStyle,
  type Tool,
  type ToolCallable,
  type ToolDirectory,
  type ToolRegistry,
} from "../../tools/index.js";
import type { DepsOperations } from "./deps-operations.js";
import type { CallOrigin, HelperCall } from "./call-origin.js";
import type { Operations } from "./operations.js";
import type { PythonTools } from "./python-tools.js";
import type { SkillRuns } from "./skill-runs.js";

/** Python asked with arguments of another form than the method takes. */
export class BridgeArgumentError extends VitrineError {
  override readonly name = "RPCTransportError";
  readonly code = "BRIDGE_ARGUMENT";

  constructor(method: string, reason: string) {
    super(`The arguments of ${method} are not as the page expects them: ${reason}`);
  }
}

/** The run whose code asks. */
export interface RunningCode {
  /** In whose name it calls. @throws {NoRunError} when that run does not go on. */
  originOf(context: BridgeContext): CallOrigin;
  /** What it sees; without a run, what the session's code sees. */
  readonly visibleTools: ToolDirectory;
  /** The arguments of the call that the run serves. @throws {NoRunError} */
  servedArguments(callId: string, runId: string): Readonly<Record<string, Value>>;
  /** Answers its helpers. @throws {NoHelperError} */
  answerHelper(call: HelperCall): Value | Promise<Value>;
  /** Asks the person at the page. @throws {NoInputError} */
  input(prompt: string): Promise<string>;
}

export interface BridgeHandlerParts {
  readonly operations: Operations;
  readonly skillRuns: SkillRuns;
  readonly pythonTools: PythonTools;
  readonly registry: ToolRegistry;
  /** The tools on files. */
  readonly fileTools: ToolRegistry;
  readonly deps: DepsOperations;
  readonly skills: SkillLibrary;
  readonly artifacts: ArtifactStore;
  readonly trust: TrustLevel;
}

const arguments_ = z.custom<Readonly<Record<string, Value>>>(isRecord, "a dict with text keys was expected");
const name = z.strictObject({ name: z.string() });
/** Which tools are meant: those of `tools`, or those of the module `codex_tools`. */
const directory = z.literal("codex_tools").optional();
const oneTool = z.strictObject({ name: z.string(), directory });
const oneCallable = z.strictObject({ tool: z.string(), callable: z.string(), directory });
const searching = z.strictObject({ query: z.string(), limit: z.int().nonnegative() });
const nothing = z.strictObject({});
const WantedModule = z.strictObject({ module: z.string().max(200), package: z.string().max(200) });
const artifactMeta = { name: z.string(), description: z.string(), metadata: arguments_ };
const content = z.custom<Uint8Array | string>(
  (data) => typeof data === "string" || data instanceof Uint8Array,
  "text or bytes were expected",
);

/** No method has more. An error that named half a million would take seconds to write. */
const MOST_ARGUMENTS = 20;
const LONGEST_REASON = 2000;

/** Characters of a request with a source, in which one of the source may take six. */
const LONGEST_SOURCE = 8_000_000;

/** What session code may ask of the page, by method. */
export function bridgeHandlers(run: RunningCode, parts: BridgeHandlerParts): Map<string, BridgeHandler> {
  const handlers = new Map<string, BridgeHandler>();
  const { operations, skillRuns } = parts;
  const originOf = (context: BridgeContext): CallOrigin => run.originOf(context);
  const codex = (own: ToolDirectory): CodexDirectory =>
    new CodexDirectory({ own, registered: parts.registry, more: parts.fileTools });
  const toolsOf = (of: string | undefined): ToolDirectory =>
    of === undefined ? run.visibleTools : codex(run.visibleTools);
  const on = <T>(
    method: string,
    schema: z.ZodType<T>,
    handle: (args: T, context: BridgeContext) => unknown,
    longestText?: number,
  ): void => {
    const answer: BridgeHandler["answer"] = async (args, context) => {
      const count = Object.keys(args).length;
      if (count > MOST_ARGUMENTS) throw new BridgeArgumentError(method, `there are ${String(count)} of them`);
      const parsed = schema.safeParse(args);
      if (!parsed.success)
        throw new BridgeArgumentError(method, z.prettifyError(parsed.error).slice(0, LONGEST_REASON));
      return (await handle(parsed.data, context)) as Value;
    };
    handlers.set(method, longestText === undefined ? { answer } : { answer, longestText });
  };

  // What a server offers is known a moment after the session opened: code that lists at once is to see it.
  on("tools.list", nothing, async () => {
    await run.visibleTools.settled();
    return run.visibleTools.list().map((tool) => describeTool(tool));
  });
  on("tools.names", z.strictObject({ directory }), async ({ directory: wanted }) => {
    if (wanted === undefined) return run.visibleTools.list().map(toolAlias);
    await run.visibleTools.settled();
    return codex(run.visibleTools).names();
  });
  // Seldom asked for.
  on("tools.forUrl", nothing, async () => (await import("./call-for-url.js")).callForUrl(run.visibleTools) ?? null);
  on("tools.get", oneTool, async ({ name: wanted, directory: of }) => {
    const seen = run.visibleTools;
    const found = (): Described | undefined => {
      if (of !== undefined) return described(codex(seen).entry(wanted));
      const tool = seen.get(wanted);
      return tool === undefined ? undefined : describeTool(tool);
    };
    const mayCome = seen.get(wanted)?.dynamic === true || (of !== undefined && found() === undefined);
    if (mayCome) await seen.settled();
    const tool = found();
    if (tool !== undefined) return tool;
    const gone = parts.pythonTools.gone(wanted);
    if (gone !== undefined) throw gone;
    return null;
  });
  on("tools.search", searching, async ({ query, limit }) => {
    await run.visibleTools.settled();
    const { hits, more } = await run.visibleTools.search(query, { limit });
    return { tools: hits.map(describeHit), more };
  });
  on("tools.callables", oneTool, ({ name: wanted, directory: of }) => {
    if (of !== undefined) return described(codex(run.visibleTools).entry(wanted), { all: true }) ?? null;
    const tool = run.visibleTools.get(wanted);
    return tool === undefined ? null : describeTool(tool, { all: true });
  });
  on("tools.callable", oneCallable, ({ tool: wanted, callable, directory: of }) => {
    const found = findCallable(toolsOf(of), wanted, callable);
    return found === null ? null : describeCallable(found.tool, found.callable, styleOf(of));
  });
  on("tools.stub", oneCallable, ({ tool: wanted, callable, directory: of }) => {
    const found = findCallable(toolsOf(of), wanted, callable);
    if (found === null) return null;
    const stub = callableStub(found.tool, found.callable, styleOf(of));
    return { stub, types: callableTypes(found.tool, found.callable) };
  });
  on("tools.stubs", z.strictObject({ directory }), async () => {
    await run.visibleTools.settled();
    return codexStubs(codex(run.visibleTools).list());
  });
  on(
    "tools.call",
    z.strictObject({ tool: z.string(), callable: z.string().nullable(), arguments: arguments_, directory }),
    ({ tool, callable, arguments: args, directory: of }, context) => {
      const origin = originOf(context);
      const tools = of === undefined ? origin.tools : codex(origin.tools);
      return operations.callTool({ ...origin, tools }, { tool, callable, args });
    },
    LONGEST_TEXT,
  );

  on(
    "tools.register",
    z.strictObject({
      name: z.string(),
      description: z.string(),
      inputSchema: arguments_,
      outputSchema: arguments_.nullable(),
      timeout: z.int().positive().nullable(),
      source: z.string(),
    }),
    (definition, context) => operations.registerTool(originOf(context), definition),
    LONGEST_SOURCE,
  );
  on("tools.begin", z.strictObject({ callId: z.string() }), ({ callId }, { runId }) =>
    run.servedArguments(callId, runId),
  );

  on("skills.list", nothing, async () => (await parts.skills.list()).skills);
  on("skills.search", searching, ({ query, limit }) => parts.skills.search(query, { limit }));
  on("skills.get", name, ({ name: wanted }) => parts.skills.get(wanted));
  on(
    "skills.create",
    z.strictObject({ name: z.string(), source: z.string(), description: z.string() }),
    (skill, context) => operations.createSkill(originOf(context), { ...skill, trust: parts.trust }),
    LONGEST_SOURCE,
  );
  on("skills.delete", name, ({ name: doomed }, context) => operations.deleteSkill(originOf(context), doomed));
  on(
    "skills.begin",
    z.strictObject({ name: z.string(), arguments: arguments_ }),
    (skill, context) => skillRuns.begin(originOf(context), { name: skill.name, args: skill.arguments }),
    LONGEST_TEXT,
  );
  on(
    "skills.end",
    z.discriminatedUnion("ok", [
      z.strictObject({ callId: z.string(), ok: z.literal(true) }),
      z.strictObject({
        callId: z.string(),
        ok: z.literal(false),
        error: z.strictObject({ name: z.string(), message: z.string() }),
      }),
    ]),
    (ended, { runId }) => {
      const failure = ended.ok ? null : { type: ended.error.name, message: ended.error.message };
      skillRuns.end(ended.callId, { runId, failure });
      return null;
    },
    LONGEST_SOURCE,
  );

  on(
    "artifacts.save",
    z.strictObject({ ...artifactMeta, kind: z.enum(["json", "text", "bytes"]), data: content }),
    ({ kind, data, ...artifact }, context) =>
      operations.saveArtifact(originOf(context), { ...artifact, content: artifactContent(kind, data) }),
    LONGEST_TEXT,
  );
  on("artifacts.load", name, ({ name: wanted }, context) => operations.loadArtifact(originOf(context), wanted));
  on("artifacts.get", name, ({ name: wanted }) => parts.artifacts.get(wanted));
  on("artifacts.list", nothing, () => parts.artifacts.list());
  on("artifacts.exists", name, ({ name: wanted }) => parts.artifacts.exists(wanted));
  on("artifacts.delete", name, async ({ name: doomed }, context) => {
    await operations.deleteArtifact(originOf(context), doomed);
    return null;
  });
  on(
    "artifacts.register",
    z.strictObject(artifactMeta),
    (artifact, context) => operations.registerArtifact(originOf(context), artifact),
    LONGEST_TEXT,
  );

  on("deps.list", nothing, () => parts.deps.list());
  on("deps.add", z.strictObject({ package: z.string() }), ({ package: spec }, context) =>
    parts.deps.add(originOf(context), spec, context.send),
  );
  on("deps.remove", z.strictObject({ package: z.string() }), ({ package: spec }, context) =>
    parts.deps.remove(originOf(context), spec),
  );
  on("deps.provide", z.strictObject({ modules: z.array(WantedModule).max(20) }), ({ modules }, context) =>
    parts.deps.provide(originOf(context), modules, context.send),
  );
  on("deps.sync", nothing, (_args, context) => parts.deps.sync(originOf(context), context.send));

  on(
    "helpers.call",
    z.strictObject({ kind: z.string().max(64), content: arguments_ }),
    (call, context) => {
      originOf(context);
      return run.answerHelper(call);
    },
    LONGEST_TEXT,
  );

  on("input", z.strictObject({ prompt: textUpTo(20_000) }), ({ prompt }, context) => {
    originOf(context);
    return run.input(prompt);
  });
  return handlers;
}

type Described = ReturnType<typeof describeTool>;

function described(entry: CodexEntry | undefined, options: { readonly all?: boolean } = {}): Described | undefined {
  return entry === undefined ? undefined : describeEntry(entry, options);
}

function styleOf(directoryName: string | undefined): ParameterStyle {
  return directoryName === undefined ? "by-name" : "in-order";
}

function findCallable(
  tools: ToolDirectory,
  wanted: string,
  name: string,
): { readonly tool: Tool; readonly callable: ToolCallable } | null {
  const tool = tools.get(wanted);
  const callable =
    tool?.callables.find((candidate) => candidate.name === name) ??
    (tool === undefined ? undefined : callableByAlias(tool, name));
  return tool === undefined || callable === undefined ? null : { tool, callable };
}

function artifactContent(kind: ArtifactContent["kind"], data: string | Uint8Array): ArtifactContent {
  if (kind === "bytes") {
    if (typeof data === "string") throw new BridgeArgumentError("artifacts.save", "bytes were expected, text came");
    return { kind, data };
  }
  const text = typeof data === "string" ? data : decodeText(data);
  if (text === null) throw new BridgeArgumentError("artifacts.save", "the text is not UTF-8");
  return { kind, data: text };
}
