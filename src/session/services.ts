import { ArtifactStore, OutputStore } from "../artifacts/index.js";
import { DepsStore, WheelFolder } from "../deps/index.js";
import { Dispatcher, Journal } from "../dispatch/index.js";
import { randomId, type TrustLevel, type Value } from "../protocol/index.js";
import { SkillLibrary, type SkillInspector } from "../skills/index.js";
import { ToolRegistry, type HttpToolOptions } from "../tools/index.js";
import { Workspace } from "../workspace/index.js";
import { DepsOperations } from "./deps-operations.js";
import { Operations } from "./operations.js";
import type { SessionOptions } from "./session-options.js";
import { SkillRuns } from "./skill-runs.js";

/** What the services need of the interpreter. */
export interface InterpreterDoor {
  runSkill(name: string, args: Readonly<Record<string, Value>>, parent: string): Promise<Value>;
  readonly inspectSkill: SkillInspector;
}

/** Everything of a session that lives on the page, put together. */
export interface Services {
  readonly trust: TrustLevel;
  readonly registry: ToolRegistry;
  readonly skills: SkillLibrary;
  readonly artifacts: ArtifactStore;
  readonly outputs: OutputStore;
  readonly workspace: Workspace;
  readonly depsStore: DepsStore;
  readonly deps: DepsOperations;
  readonly journal: Journal;
  readonly dispatcher: Dispatcher;
  readonly operations: Operations;
  readonly skillRuns: SkillRuns;
}

export function createServices(options: SessionOptions, door: InterpreterDoor): Services {
  const { storage, trust = "sandboxed", policy, middleware, onProblem = logProblem } = options;
  const journal = new Journal(storage, { sessionId: randomId(), onProblem });
  const dispatcher = new Dispatcher({
    journal,
    ...(policy === undefined ? {} : { policy }),
    ...(middleware === undefined ? {} : { middleware }),
  });
  const registry = new ToolRegistry();
  const skills = new SkillLibrary(storage, door.inspectSkill);
  const artifacts = new ArtifactStore(storage);
  const runSkill: InterpreterDoor["runSkill"] = (name, args, parent) => door.runSkill(name, args, parent);
  const operations = new Operations({ dispatcher, trust, tools: registry, skills, artifacts, runSkill });
  const depsStore = new DepsStore(storage, { allowRuntime: options.allowRuntimeDeps ?? true });
  return {
    trust,
    registry,
    skills,
    artifacts,
    outputs: new OutputStore(storage),
    workspace: new Workspace(storage),
    depsStore,
    deps: new DepsOperations(operations, { store: depsStore, folder: new WheelFolder(options.packagesURL) }),
    journal,
    dispatcher,
    operations,
    skillRuns: new SkillRuns(operations, skills),
  };
}

/** How the session's HTTP tools reach their hosts. */
export function httpToolOptions({ allowedHosts, corsProxy }: SessionOptions): HttpToolOptions {
  return {
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(corsProxy === undefined ? {} : { proxy: corsProxy }),
  };
}

function logProblem(error: unknown): void {
  console.error("Vitrine:", error);
}
