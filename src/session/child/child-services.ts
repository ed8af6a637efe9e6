import { ArtifactStore, OutputStore } from "../../artifacts/index.js";
import { DepsStore } from "../../deps/index.js";
import { sealedFrameHost } from "../../executor/index.js";
import { FileSearch } from "../../file-tools/index.js";
import type { StorageBackend } from "../../storage/index.js";
import { SkillLibrary } from "../../skills/index.js";
import { ToolRegistry } from "../../tools/index.js";
import { Workspace } from "../../workspace/index.js";
import { DepsOperations } from "../calls/deps-operations.js";
import { PackageApproval } from "../calls/package-approval.js";
import { ForeignContents } from "../calls/foreign-content.js";
import { PythonTools } from "../calls/python-tools.js";
import { pictureView, sessionFiles, type PictureViewer } from "../calls/session-files.js";
import { writingSession } from "../calls/writing-session.js";
import { commandWorkspace, createShell, type InterpreterAccess, type Services } from "../calls/services.js";
import { autoInstallOf, packagesFor } from "../package-options.js";
import type { ParentSession } from "../runs/parent-session.js";
import type { SessionOptions } from "../session-options.js";
import { SkillRuns } from "../calls/skill-runs.js";

/**
 * What a child session works with: its parent's tools, rules, journal and secrets, and what belongs to its own
 * interpreter. Commands of tool files that its calls run are its parent's; its own shell is for the file tools.
 *
 * @param options - of the child: its trust and its storage count.
 */
export function childServices(
  { services: parent, tools, storage, observeTool, recording: own }: ParentSession,
  options: SessionOptions,
  interpreter: InterpreterAccess,
): Services {
  const { trust = "sandboxed" } = options;
  const { approver } = parent;
  const stores = storage === undefined ? parent : ownStores(storage, options, interpreter);
  const { skills, artifacts, workspace, depsStore } = stores;
  const recording = own ?? (storage === undefined ? parent.recording : undefined);
  const runSkill: InterpreterAccess["runSkill"] = (name, args, call) => interpreter.runSkill(name, args, call);
  // What the child's code would define belongs to no registry: its parent's is not the child's to change.
  const pythonTools = new PythonTools(new ToolRegistry(), {
    trust,
    call: (call) => interpreter.callPythonTool(call),
    refusal: "the code of a session inside another one defines no tools; call the function as it is",
  });
  const foreign = new ForeignContents(approver, trust);
  const commandFiles = commandWorkspace({ workspace, trust, recording }, interpreter);
  const shell = createShell(options, commandFiles);
  const search = new FileSearch(sealedFrameHost());
  const pictureViewers = new Map<string, PictureViewer>();
  const files = sessionFiles({ workspace, foreign, commandFiles, trust, recording });
  const operations = parent.operations.forChild({
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
      recording,
      storage: options.storage,
      secrets: parent.secrets,
      interpreter: () => interpreter.textInterpreter(),
    }),
    runSkill,
    currentRun: () => interpreter.currentRun(),
    pauseRun: () => interpreter.pauseRun(),
    observeTool,
  });
  const deps = new DepsOperations(operations, {
    store: depsStore,
    packages: packagesFor(options),
    approval: new PackageApproval({ approver, trust, autoInstall: autoInstallOf(options) }),
    foreign,
    trust,
    limits: options.limits,
    handedOut: parent.deps.handedOut(),
  });
  const skillRuns = new SkillRuns(operations, { library: skills, foreign });
  return {
    ...parent,
    ...stores,
    trust,
    tools,
    operations,
    recording,
    foreign,
    commandFiles,
    pictureViewers,
    deps,
    skillRuns,
    pythonTools,
    shell,
    search,
  };
}

type Stores = Pick<Services, "skills" | "artifacts" | "outputs" | "workspace" | "depsStore">;

function ownStores(storage: StorageBackend, options: SessionOptions, interpreter: InterpreterAccess): Stores {
  return {
    skills: new SkillLibrary(storage, interpreter.inspectSkill),
    artifacts: new ArtifactStore(storage, { size: options.limits?.artifactsSize }),
    outputs: new OutputStore(storage),
    workspace: new Workspace(storage),
    depsStore: new DepsStore(storage, { allowRuntime: options.allowRuntimeDeps ?? true }),
  };
}
