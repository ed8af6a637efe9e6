import type { Finding } from "../../check/index.js";
import { CallEndedError, type Journal } from "../../dispatch/index.js";
import type { TrustLevel } from "../../protocol/index.js";
import { JoinedTools, ToolNameTakenError, ToolRegistry, type ToolDirectory } from "../../tools/index.js";
import { isRecordingId, type ChangeRecording, type Workspace } from "../../workspace/index.js";
import { writeCodeTool, type WritingSession } from "../../write-code/index.js";
import { guardedObserver } from "../calls/guarded-observer.js";
import type { ProblemReports } from "../calls/problem-reports.js";
import type { Services } from "../calls/services.js";
import { checkOptions } from "../check-options.js";
import { SessionOptionsError } from "../errors.js";
import type { ClientOptions, SessionClient } from "../client/session-client.js";
import type { SessionArtifacts, SessionSkills } from "../facades.js";
import type { CheckOptions } from "../runs/code-check-options.js";
import type { ParentSession } from "../runs/parent-session.js";
import { checkRunOptions, type RunOptions } from "../runs/run-options.js";
import type { SessionState } from "../runs/run-queue.js";
import type { RunResult } from "../runs/run-result.js";
import type { SessionInterpreter } from "../runs/session-interpreter.js";
import type { SessionOptions } from "../session-options.js";
import { childOptions, narrower, type ChildOptions } from "./child-options.js";
import type { TrialOptions, TrialSession } from "./trial-session.js";

/**
 * A session inside another one: with an interpreter of its own, and never with more than its parent has. Its calls
 * pass the parent's rules, approvals, middleware and budget, and stand in the parent's journal. While a person is
 * asked, its clock and its parent's stand still. It ends with its parent.
 */
export class ChildSession {
  /** The tools that its code sees. */
  readonly tools: ToolDirectory;
  readonly #session: InnerSession;
  readonly #handBack: () => Promise<void>;
  readonly #finish: () => Promise<void>;

  /** @internal Use `session.openChild()`. */
  constructor(session: InnerSession, { tools, handBack, finish }: ChildParts) {
    this.#session = session;
    this.tools = tools;
    this.#handBack = handBack;
    this.#finish = finish;
  }

  get trust(): TrustLevel {
    return this.#session.trust;
  }

  get skills(): SessionSkills {
    return this.#session.skills;
  }

  get artifacts(): SessionArtifacts {
    return this.#session.artifacts;
  }

  get imports(): readonly string[] | undefined {
    return this.#session.imports;
  }

  get workspace(): Workspace {
    return this.#session.workspace;
  }

  /** The parent's. */
  get journal(): Journal {
    return this.#session.journal;
  }

  /** Runs code after the child's runs before it. Whatever the code does, the promise resolves. */
  async run(code: string, options: RunOptions = {}): Promise<RunResult> {
    checkRunOptions(options);
    return this.#session.run(code, this.#narrowed(options));
  }

  /** As `session.check`, by what the child's code sees. */
  check(code: string, options: CheckOptions = {}): Promise<Finding[]> {
    return this.#session.check(code, options);
  }

  /** The child as somebody sees it who calls its tools without code of their own. */
  client(options: ClientOptions = {}): SessionClient {
    return this.#session.client(options);
  }

  interrupt(): void {
    this.#session.interrupt();
  }

  /** Opens a child of this child. */
  openChild(options: ChildOptions = {}): Promise<ChildSession> {
    return this.#session.openChild(options);
  }

  /** As `session.openTrial`, of what the child sees. */
  async openTrial(options: TrialOptions = {}): Promise<TrialSession> {
    const trial = await this.#session.openTrial(options);
    return {
      skills: trial.skills,
      run: (code, runOptions) => trial.run(code, this.#narrowed(runOptions)),
      close: () => trial.close(),
    };
  }

  /** @internal As `session.writingSessionOf`. @throws {CallEndedError} */
  writingSessionOf(callId: string): WritingSession {
    return this.#session.writingSessionOf(callId);
  }

  #narrowed(options: RunOptions = {}): RunOptions {
    const imports = narrower(this.imports, options.imports);
    return { ...options, ...(imports === undefined ? {} : { imports }) };
  }

  /** Ends its interpreter; what is stored stays, and is there for the code that waits for its work. */
  async close(): Promise<void> {
    await this.#session.close();
    await this.#handBack();
    await this.#finish();
  }
}

interface ChildParts {
  readonly tools: ToolDirectory;
  /** Gives what the child stored to the code in whose course it worked. */
  readonly handBack: () => Promise<void>;
  /** Ends the recording of what it changed. */
  readonly finish: () => Promise<void>;
}

/** The session that a child is: it has all that the child hands on. */
export interface InnerSession extends Omit<ChildSession, "tools"> {
  onStateChange(listener: (state: SessionState) => void): () => void;
}

/** The session that opens a child. */
export interface Opener {
  readonly options: SessionOptions;
  readonly services: Services;
  readonly interpreter: Pick<SessionInterpreter, "admitBelow" | "importsOf" | "shareFiles">;
  readonly problems: ProblemReports;
  readonly pauseClock: () => () => void;
  /** Makes a session that ends with this one, and starts its interpreter. */
  readonly open: (options: SessionOptions, parent: ParentSession) => Promise<InnerSession>;
}

/**
 * Opens a session inside the one that makes the call.
 *
 * @throws {SessionOptionsError}
 * @throws {CallEndedError}
 * @throws {ToolNameTakenError}
 */
export async function openChildSession(options: ChildOptions, opener: Opener): Promise<ChildSession> {
  const recording = await recordingOf(options, opener.services);
  const parent = parentOf(options, opener, recording);
  const { interpreter } = opener;
  const own = childOptions(opener.options, options, interpreter.importsOf(parent.runId));
  checkOptions(own);
  // The code that waits and the child work on the same files, unless the child has a place of its own.
  const shared = options.storage === undefined ? parent.runId : null;
  await interpreter.shareFiles(shared, "collect");
  const child = await opener.open(own, parent);
  const handBack = (): Promise<void> =>
    interpreter.shareFiles(shared, "exchange").catch((error: unknown) => {
      // The next run gets them.
      opener.problems.report(error);
    });
  const finish = async (): Promise<void> => {
    if (recording === undefined) return;
    const changes = await opener.services.workspace.changes(recording.id);
    if (changes?.state === "open") await changes.finish();
  };
  return new ChildSession(child, { tools: parent.tools, handBack, finish });
}

/** @throws {SessionOptionsError} */
async function recordingOf(
  { recordsChanges: id, storage }: ChildOptions,
  { workspace }: Services,
): Promise<ChangeRecording | undefined> {
  if (id === undefined) return undefined;
  if (storage !== undefined) {
    throw new SessionOptionsError(
      "`recordsChanges` is for a session that works on the files of the one around it, without a `storage` of its own.",
    );
  }
  if (!isRecordingId(id)) {
    throw new SessionOptionsError("`recordsChanges` must be 1 to 64 letters, digits, hyphens and underscores.");
  }
  return workspace.recordChanges(id);
}

/** What the child sees. @throws {ToolNameTakenError} @throws {ToolNameError} */
function toolsOf(
  { scope, fileTools = false, writeCode, tools = [] }: ChildOptions,
  services: Services,
  visible: ToolDirectory,
): ToolDirectory {
  const { registry: registered } = services;
  let own = scope === undefined ? visible : visible.inScope(scope);
  if (fileTools) own = new JoinedTools({ own, registered, more: services.fileTools });
  const given =
    writeCode === undefined
      ? tools
      : [...tools, writeCodeTool({ ...writeCode, session: services.operations.openCalls })];
  if (given.length === 0) return own;
  const more = new ToolRegistry();
  for (const adapter of given) {
    more.register(adapter);
    const { name } = adapter.tool;
    if (registered.get(name) !== undefined || own.get(name) !== undefined) throw new ToolNameTakenError(name);
  }
  return new JoinedTools({ own, registered, more });
}

/** What the child has of its parent. @throws {CallEndedError} */
function parentOf(
  options: ChildOptions,
  { services, interpreter, problems, pauseClock }: Opener,
  recording: ChangeRecording | undefined,
): ParentSession {
  const { parentCall, storage, onTool } = options;
  const call = parentCall === undefined ? undefined : services.operations.openCalls.originOf(parentCall);
  if (parentCall !== undefined && call === undefined) throw new CallEndedError("openChild");
  // The functions of what session code defined are in the parent's interpreter, which waits, or is another one's.
  const visible = (call?.tools ?? services.tools).inScope({ pageToolsOnly: true });
  return {
    services,
    callId: parentCall ?? null,
    runId: call?.runId ?? null,
    task: call?.task,
    tools: toolsOf(options, services, visible),
    storage,
    recording,
    observeTool: guardedObserver(onTool, (listener) => problems.guarded(listener)),
    pauseClock,
    admit: (method) => interpreter.admitBelow(call?.runId ?? "", method),
  };
}
