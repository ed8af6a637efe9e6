import { ArtifactStore, OutputStore } from "../artifacts/index.js";
import { pageCommands } from "../commands/index.js";
import { DepsStore, WheelFolder } from "../deps/index.js";
import { approvalPolicy, Approver, Dispatcher, Journal, requestFor, type Policy } from "../dispatch/index.js";
import { randomId, type TrustLevel, type Value } from "../protocol/index.js";
import { SkillLibrary, type SkillInspector } from "../skills/index.js";
import { ToolRegistry, type ToolFileOptions, type ToolDirectory } from "../tools/index.js";
import { Workspace } from "../workspace/index.js";
import { DepsOperations } from "./deps-operations.js";
import { ForeignContents } from "./foreign-content.js";
import { Operations } from "./operations.js";
import { DEFAULT_NESTING_DEPTH, type SessionOptions } from "./session-options.js";
import { SkillRuns } from "./skill-runs.js";

/** What the services need of the interpreter. */
export interface InterpreterDoor {
  runSkill(name: string, args: Readonly<Record<string, Value>>, parent: string): Promise<Value>;
  readonly inspectSkill: SkillInspector;
  /** Stops the clock of the run; the answer lets it go on. */
  pauseClock(): () => void;
}

/** Everything of a session that lives on the page, put together. */
export interface Services {
  readonly trust: TrustLevel;
  readonly registry: ToolRegistry;
  /** What the session's code sees of the registry. */
  readonly tools: ToolDirectory;
  readonly skills: SkillLibrary;
  readonly artifacts: ArtifactStore;
  readonly outputs: OutputStore;
  readonly workspace: Workspace;
  readonly depsStore: DepsStore;
  readonly deps: DepsOperations;
  readonly journal: Journal;
  readonly dispatcher: Dispatcher;
  readonly approver: Approver;
  readonly foreign: ForeignContents;
  readonly operations: Operations;
  readonly skillRuns: SkillRuns;
}

export function createServices(options: SessionOptions, door: InterpreterDoor): Services {
  const { storage, trust = "sandboxed", middleware, onProblem = logProblem, onApproval, limits = {}, scope } = options;
  const journal = new Journal(storage, { sessionId: randomId(), onProblem });
  const approver = new Approver({ onApproval, pauseClock: () => door.pauseClock() });
  const dispatcher = new Dispatcher({
    journal,
    policy: sessionPolicy(options, approver),
    ask: (call, reason) => approver.ask(requestFor(call, reason), call.signal),
    ...(middleware === undefined ? {} : { middleware }),
  });
  const registry = new ToolRegistry();
  const skills = new SkillLibrary(storage, door.inspectSkill);
  const artifacts = new ArtifactStore(storage);
  const runSkill: InterpreterDoor["runSkill"] = (name, args, parent) => door.runSkill(name, args, parent);
  const { nestingDepth = DEFAULT_NESTING_DEPTH } = limits;
  const operations = new Operations({ dispatcher, trust, skills, artifacts, nestingDepth, runSkill });
  const foreign = new ForeignContents(approver, trust);
  const depsStore = new DepsStore(storage, { allowRuntime: options.allowRuntimeDeps ?? true });
  return {
    trust,
    registry,
    tools: scope === undefined ? registry : registry.inScope(scope),
    skills,
    artifacts,
    outputs: new OutputStore(storage),
    workspace: new Workspace(storage),
    depsStore,
    deps: new DepsOperations(operations, {
      store: depsStore,
      folder: new WheelFolder(options.packagesURL),
      foreign,
      trust,
    }),
    journal,
    dispatcher,
    approver,
    foreign,
    operations,
    skillRuns: new SkillRuns(operations, { library: skills, foreign }),
  };
}

/** The page's own policy first, then the rules; what a person wanted remembered spares them the question. */
function sessionPolicy({ policy, approvals }: SessionOptions, approver: Approver): Policy {
  const byRules = approvalPolicy(approvals);
  return async (call) => {
    const own = policy === undefined ? undefined : await policy(call);
    if (own?.kind === "deny") return own;
    const decision = own?.kind === "ask" ? own : await byRules(call);
    if (decision.kind !== "ask") return decision;
    return approver.remembered({ name: `${call.namespace}.${call.name}`, runId: call.runId }) ?? decision;
  };
}

/** What the tools of the session's files work with. */
export function toolFileOptions({ allowedHosts, corsProxy, commands = {} }: SessionOptions): ToolFileOptions {
  return {
    commands: pageCommands(commands),
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(corsProxy === undefined ? {} : { proxy: corsProxy }),
  };
}

function logProblem(error: unknown): void {
  console.error("Vitrine:", error);
}
