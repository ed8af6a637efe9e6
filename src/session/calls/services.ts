import { ArtifactStore, OutputStore } from "../../artifacts/index.js";
import { commandHosts, pageCommands, Shell, type CommandFiles, type CommandHost } from "../../commands/index.js";
import { DepsStore } from "../../deps/index.js";
import {
  approvalPolicy,
  Approver,
  Dispatcher,
  Journal,
  requestFor,
  type Call,
  type Decision,
  type Policy,
} from "../../dispatch/index.js";
import { sealedFrameHost } from "../../executor/index.js";
import { FileSearch, fileTools, refusedInOwnWords } from "../../file-tools/index.js";
import { randomId, type TrustLevel, type Value } from "../../protocol/index.js";
import { UsedSecrets } from "../../secrets/index.js";
import { SkillLibrary, type SkillInspector } from "../../skills/index.js";
import {
  ToolRegistry,
  type HttpToolOptions,
  type ToolDirectory,
  type ToolEnvironment,
  type ToolFileOptions,
  whilePaused,
} from "../../tools/index.js";
import { Workspace, type ChangeRecording } from "../../workspace/index.js";
import { writeCodeTool, type TextInterpreter } from "../../write-code/index.js";
import { ToolProblemError } from "../errors.js";
import { autoInstallOf, packagesFor } from "../package-options.js";
import { DEFAULT_CONCURRENT_CALLS, DEFAULT_NESTING_DEPTH, type SessionOptions } from "../session-options.js";
import { commandFetch, programFetch } from "./command-requests.js";
import { CommandWorkspace, type CommandWorkspaceParts, type WaitingCode } from "./command-workspace.js";
import { DepsOperations } from "./deps-operations.js";
import { PackageApproval } from "./package-approval.js";
import { pictureView, sessionFiles, type PictureViewer } from "./session-files.js";
import { ForeignContents, mirrorOf, type SessionWorkspace } from "./foreign-content.js";
import { Operations } from "./operations.js";
import { writingSession } from "./writing-session.js";
import { PythonTools, type PythonToolCall } from "./python-tools.js";
import { SkillRuns } from "./skill-runs.js";

/** Where stored OpenAPI documents lie. */
export const DOCUMENT_PREFIX = "documents/";

/** What the services ask of the interpreter, and of all who wait for it. */
export interface InterpreterAccess {
  runSkill(name: string, args: Readonly<Record<string, Value>>, parent: string): Promise<Value>;
  readonly inspectSkill: SkillInspector;
  /** Calls a tool that session code defined. */
  callPythonTool(call: PythonToolCall): Promise<Value>;
  /** The run that goes on, if one does. */
  currentRun(): string | undefined;
  /** Stops the clock of the run alone; the answer lets it go on. */
  pauseRun(): () => void;
  /** Stops the clocks of all who wait, because a person is asked; the answer lets them go on. */
  pauseClock(): () => void;
  /** The files of code that waits. */
  readonly files: CommandWorkspaceParts["interpreter"];
  /** The code of the run, if it waits for the page. */
  waitingCode(): WaitingCode | undefined;
  /** Looks at texts, in an interpreter of its own. */
  textInterpreter(): Promise<TextInterpreter>;
}

/** Everything of a session that lives on the page, put together. */
export interface Services {
  readonly trust: TrustLevel;
  readonly registry: ToolRegistry;
  /**
   * The tools that work on the files of the session, beside its own: read files, search, patch. They are in `registry` too
   * where the session was opened with `fileTools`.
   */
  readonly fileTools: ToolRegistry;
  /** Who takes the pictures of calls that are made outside of runs of code, by the run that stands for them. */
  readonly pictureViewers: Map<string, PictureViewer>;
  /** What the session's code sees of the registry. */
  readonly tools: ToolDirectory;
  readonly skills: SkillLibrary;
  readonly artifacts: ArtifactStore;
  readonly outputs: OutputStore;
  readonly workspace: Workspace;
  /** Keeps what files held before the session changed them; undefined where nothing does. */
  readonly recording: ChangeRecording | undefined;
  /** The workspace, as commands find it, and sessions inside this one. */
  readonly commandFiles: CommandWorkspace;
  readonly depsStore: DepsStore;
  readonly deps: DepsOperations;
  readonly journal: Journal;
  readonly dispatcher: Dispatcher;
  /** The policies of the runs that go on, by the run's id. */
  readonly runPolicies: Map<string, Policy>;
  readonly approver: Approver;
  readonly foreign: ForeignContents;
  readonly operations: Operations;
  /** The page's secrets, and those of them that calls have used. */
  readonly secrets: UsedSecrets;
  readonly skillRuns: SkillRuns;
  /** What session code has defined. */
  readonly pythonTools: PythonTools;
  /** Undefined where the session has none. */
  readonly shell: Shell | undefined;
  /** Searches the files, for `grep_files`. */
  readonly search: FileSearch;
  /** What command tools call. */
  readonly commands: CommandHost;
}

export function createServices(options: SessionOptions, interpreter: InterpreterAccess): Services {
  const { storage, trust = "sandboxed", middleware, onProblem = logProblem, onApproval, limits = {}, scope } = options;
  const journal = new Journal(storage, { sessionId: randomId(), onProblem });
  const approver = new Approver({ onApproval, pauseClock: () => interpreter.pauseClock() });
  const runPolicies = new Map<string, Policy>();
  const dispatcher = new Dispatcher({
    journal,
    policy: sessionPolicy(options, { approver, runPolicies }),
    ask: async (call, reason) => {
      const answer = await approver.ask(await requestFor(call, reason), call.signal);
      return approver.canAsk ? inWordsOf(call, answer) : answer;
    },
    canAsk: () => approver.canAsk,
    concurrentCalls: limits.concurrentCalls ?? DEFAULT_CONCURRENT_CALLS,
    ...(middleware === undefined ? {} : { middleware }),
  });
  const skills = new SkillLibrary(storage, interpreter.inspectSkill);
  const artifacts = new ArtifactStore(storage, { size: limits.artifactsSize });
  const runSkill: InterpreterAccess["runSkill"] = (name, args, parent) => interpreter.runSkill(name, args, parent);
  const { nestingDepth = DEFAULT_NESTING_DEPTH } = limits;
  const secrets = new UsedSecrets(options.secrets);
  const registry = new ToolRegistry({
    environment: toolEnvironment(options, { secrets, pauseClock: () => interpreter.pauseClock() }),
    onProblem: (problem) => {
      onProblem(new ToolProblemError(problem));
    },
  });
  const foreign = new ForeignContents(approver, trust);
  const workspace = new Workspace(storage);
  const commandFiles = commandWorkspace({ workspace, trust, recording: undefined }, interpreter);
  const shell = createShell(options, commandFiles);
  const search = new FileSearch(sealedFrameHost());
  const pictureViewers = new Map<string, PictureViewer>();
  const pythonTools = new PythonTools(registry, { trust, call: (call) => interpreter.callPythonTool(call) });
  const files = sessionFiles({ workspace, foreign, commandFiles, trust, recording: undefined });
  const operations = new Operations({
    dispatcher,
    trust,
    skills,
    artifacts,
    pythonTools,
    session: {
      files,
      showPicture: pictureView({
        currentRun: () => interpreter.currentRun(),
        waitingCode: () => interpreter.waitingCode(),
        viewers: pictureViewers,
      }),
      search,
      shell,
    },
    writing: writingSession({
      files,
      workspace,
      trust,
      recording: undefined,
      storage,
      secrets,
      interpreter: () => interpreter.textInterpreter(),
    }),
    nestingDepth,
    runSkill,
    currentRun: () => interpreter.currentRun(),
    pauseRun: () => interpreter.pauseRun(),
    secrets,
  });
  if (options.writeCode !== undefined) {
    registry.register(writeCodeTool({ ...options.writeCode, session: operations.openCalls }), { yields: true });
  }
  const depsStore = new DepsStore(storage, { allowRuntime: options.allowRuntimeDeps ?? true });
  return {
    trust,
    registry,
    pictureViewers,
    fileTools: fileToolRegistry(operations, options.fileTools === true ? registry : undefined),
    tools: scope === undefined ? registry : registry.inScope(scope),
    skills,
    artifacts,
    outputs: new OutputStore(storage),
    workspace,
    recording: undefined,
    commandFiles,
    depsStore,
    deps: new DepsOperations(operations, {
      store: depsStore,
      packages: packagesFor(options),
      approval: new PackageApproval({ approver, trust, autoInstall: autoInstallOf(options) }),
      foreign,
      trust,
      limits,
    }),
    journal,
    dispatcher,
    runPolicies,
    approver,
    foreign,
    operations,
    secrets,
    pythonTools,
    skillRuns: new SkillRuns(operations, { library: skills, foreign }),
    shell,
    search,
    commands: commandHosts(pageCommands(options.commands ?? {}), ...(shell === undefined ? [] : [shell])),
  };
}

/** @param listed - where they are to be found too, unless another tool wants the name. */
function fileToolRegistry({ openCalls }: Operations, listed: ToolRegistry | undefined): ToolRegistry {
  const registry = new ToolRegistry();
  for (const made of fileTools({ sessionOf: ({ callId }) => openCalls.sessionOf(callId) })) {
    const adapter = refusedInOwnWords(made);
    registry.register(adapter);
    listed?.register(adapter, { yields: true });
  }
  return registry;
}

/** What commands and sessions inside this one find in the workspace. */
export function commandWorkspace(files: SessionWorkspace, interpreter: InterpreterAccess): CommandWorkspace {
  return new CommandWorkspace({
    interpreter: interpreter.files,
    waiting: () => interpreter.waitingCode(),
    newMirror: () => mirrorOf(files),
  });
}

/**
 * The policies of run and page first, then the rules; what a person wanted remembered spares them the question. The
 * strictest counts.
 */
function sessionPolicy(
  { policy, approvals }: SessionOptions,
  { approver, runPolicies }: Pick<Services, "approver" | "runPolicies">,
): Policy {
  const byRules = approvalPolicy(approvals);
  return async (call) => {
    const asks: Decision[] = [];
    for (const own of [runPolicies.get(call.runId), policy]) {
      const decision = await own?.(call);
      if (decision?.kind === "deny") return decision;
      if (decision?.kind === "ask") asks.push(decision);
    }
    const ruled = await byRules(call);
    if (ruled.kind === "deny") return ruled;
    const decision = asks[0] ?? ruled;
    if (decision.kind !== "ask") return decision;
    const { namespace, name, runId, definitionId, proposal } = call;
    const remembered = approver.remembered({
      name: `${namespace}.${name}`,
      runId,
      definitionId,
      files: proposal?.files,
    });
    return remembered === undefined ? decision : inWordsOf(call, remembered);
  };
}

/** A person's no, as the tool that was refused says it. */
function inWordsOf<T extends Decision>({ refusal }: Call, decision: T): T | Decision {
  if (refusal === undefined || decision.kind !== "deny") return decision;
  return { kind: "deny", reason: `${refusal}: ${decision.reason}` };
}

/** Sealed at every trust level: what commands read may be anybody's, and of the page they need nothing. */
export function createShell(options: SessionOptions, files: CommandFiles): Shell | undefined {
  if (options.shell === false) return undefined;
  const requests = { allowedHosts: options.allowedHosts, corsProxy: options.corsProxy };
  return new Shell({
    host: sealedFrameHost(),
    files,
    fetch: commandFetch(requests),
    fetchProgram: programFetch(requests),
  });
}

/** What the session's tools work with. */
function toolEnvironment(
  options: SessionOptions,
  { secrets, pauseClock }: { readonly secrets: UsedSecrets; readonly pauseClock: () => () => void },
): ToolEnvironment {
  const { onElicitation, onSampling, ...others } = options.mcp ?? {};
  // A run's clock stands still while the page answers.
  return {
    ...requestOptions(options, secrets),
    mcp: {
      ...others,
      ...(onElicitation === undefined
        ? {}
        : { onElicitation: (asked, signal) => whilePaused(pauseClock, () => onElicitation(asked, signal)) }),
      ...(onSampling === undefined
        ? {}
        : { onSampling: (asked, signal) => whilePaused(pauseClock, () => onSampling(asked, signal)) }),
    },
  };
}

/** What the tools of the session's files work with. */
export function toolFileOptions(
  options: SessionOptions,
  { commands, secrets }: Pick<Services, "commands" | "secrets">,
): ToolFileOptions {
  return {
    ...requestOptions(options, secrets),
    commands,
    readDocument: (name) => options.storage.get(DOCUMENT_PREFIX + name),
  };
}

/** How requests of the session's tools reach the network. */
function requestOptions({ allowedHosts, corsProxy }: SessionOptions, secrets: UsedSecrets): HttpToolOptions {
  return {
    secrets,
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(corsProxy === undefined ? {} : { proxy: corsProxy }),
  };
}

function logProblem(error: unknown): void {
  console.error("Vitrine:", error);
}
