import type { BridgeContext, BridgeHandler } from "../../bridge/index.js";
import type { Policy } from "../../dispatch/index.js";
import type { Executor, ExecutorOutcome, LoadProgress, LossReason } from "../../executor/index.js";
import type { RunErrorData, Value } from "../../protocol/index.js";
import type { ToolDirectory } from "../../tools/index.js";
import type { WorkspaceMirror } from "../../workspace/index.js";
import { NoHelperError, NoInputError, NoRunError, SessionClosedError } from "../errors.js";
import { isForeign } from "../calls/foreign-content.js";
import type { CallOrigin } from "../calls/call-origin.js";
import type { Services } from "../calls/services.js";
import { checkLineage, stricter, type Lineage } from "./lineage.js";
import { OutputCollector } from "./output-collector.js";
import type { RunPlan } from "./run-plan.js";
import type { HelperCall } from "./run-options.js";
import { assembleResult } from "./run-assembly.js";
import { filesForRun, storeFiles } from "./run-files.js";
import { journalRun } from "./run-journal.js";
import { RunBudget, type BudgetLimits } from "./run-budget.js";
import { failedRun, type RunResult } from "./run-result.js";
import { runScope, tellOfCalls, type RunScope } from "./run-scope.js";
import { CommandWorkspace } from "./command-workspace.js";

/** Of commands of one run, that are counted; few of them are told. */
const MOST_COMMAND_NOTICES = 1000;

/** What a run ends with that was stopped before its code began. */
export const STOPPED_BEFORE_START: RunErrorData = {
  code: "RUN_INTERRUPTED",
  pythonType: "RunInterruptedError",
  message: "The run was stopped before it began.",
  traceback: "",
};

export interface InterpreterRunsParts {
  readonly services: Services;
  readonly handlers: (originOf: (context: BridgeContext) => CallOrigin) => ReadonlyMap<string, BridgeHandler>;
  /** Of a child session: in the course of what it works. */
  readonly lineage?: Lineage | undefined;
  /** Bounds what the interpreter asks for while nothing runs. */
  readonly idleBudget: BudgetLimits;
  readonly onProgress: (progress: LoadProgress) => void;
  /** The interpreter was lost while nothing ran. */
  readonly onLost: (reason: LossReason, cause: Error) => void;
}

/** Runs code in the executor, one piece at a time, and brings storage and interpreter level before and after. */
export class InterpreterRuns {
  readonly #executor: Executor;
  readonly #services: Services;
  readonly #handlers: ReadonlyMap<string, BridgeHandler>;
  readonly #parts: InterpreterRunsParts;
  #mirror: WorkspaceMirror | undefined;
  #scope: RunScope | undefined;
  /** The files of the commands that tools call. */
  readonly commandFiles: CommandWorkspace;
  #isClosed = false;
  /** Whether an agent's or a client's code has run in this interpreter. What it left there may act in any later run. */
  #agentWasHere = false;
  /** Of the run that begins or goes on. */
  #onPause: RunPlan["onPause"];
  #idleBudget: RunBudget;
  #toolsSeen = "";
  #toolsVersion = 0;
  /** Why the interpreter of the earlier runs is gone, until a result has said so. */
  #lossToTell: string | undefined;

  constructor(executor: Executor, parts: InterpreterRunsParts) {
    this.#executor = executor;
    this.#services = parts.services;
    this.#parts = parts;
    this.#idleBudget = this.#newBudget(parts.idleBudget);
    this.commandFiles = new CommandWorkspace({
      executor,
      waiting: () => (this.#scope === undefined ? undefined : this.#mirror),
      newMirror: () => this.#newMirror(),
      notice: (text) => {
        const notices = this.#scope?.notices;
        if (notices !== undefined && notices.length < MOST_COMMAND_NOTICES) notices.push(text);
      },
    });
    this.#handlers = parts.handlers((context) => this.#originOf(context));
  }

  /** Starts the interpreter if there is none. @throws {SessionClosedError} */
  async start(): Promise<void> {
    if (this.#isClosed) throw new SessionClosedError();
    if (this.#executor.isStarted) return;
    this.#services.pythonTools.forget("its interpreter has ended");
    // A new interpreter has an empty workspace.
    this.#mirror = undefined;
    this.#agentWasHere = false;
    await this.#executor.start({
      handlers: this.#handlers,
      admit: (method) => this.#admit(method),
      onProgress: this.#parts.onProgress,
      wheels: () => this.#services.deps.handedOut(),
      onLost: (reason, cause) => {
        if (reason !== "ended") {
          this.#lossToTell = cause.message;
          this.#services.pythonTools.forget("its interpreter was lost");
        }
        this.#parts.onLost(reason, cause);
      },
    });
  }

  /** Answers the helpers of the run that goes on. @throws {NoHelperError} */
  answerHelper(call: HelperCall): Value | Promise<Value> {
    const answer = this.#scope?.plan.onHelperCall;
    if (answer === undefined) throw new NoHelperError(call.kind);
    return answer(call);
  }

  /** The modules that the code of that run may import, if it goes on and has such a list. */
  importsOf(runId: string | null): readonly string[] | undefined {
    return this.currentRun === runId ? (this.#scope?.plan.wire.imports ?? undefined) : undefined;
  }

  /**
   * Has the code of that run and a child on its storage see the same files: what the code wrote, and once the child has
   * ended what that did. Nothing where the run has ended, whose files are stored anyhow.
   */
  async shareFiles(runId: string | null, how: "collect" | "exchange"): Promise<void> {
    const isGoingOn = (): boolean => this.currentRun === runId;
    if (runId === null || !isGoingOn()) return;
    try {
      await this.commandFiles[how]();
    } catch (error) {
      if (isGoingOn()) throw error;
    }
  }

  /** Counts what a child asks for that works in the course of a run of this session. */
  admitBelow(runId: string, method: string): () => void {
    const above = this.#parts.lineage?.admit(method) ?? NOTHING;
    const scope = this.#scope;
    return scope?.plan.wire.runId === runId ? both(above, () => scope.budget.admitBelow(method)) : above;
  }

  #admit(method: string): () => void {
    const above = this.#parts.lineage?.admit(method) ?? NOTHING;
    return both(above, () => (this.#scope?.budget ?? this.#idleBudget).admit(method));
  }

  /** Ends the interpreter, and with it what runs. */
  end(why: string): void {
    this.#services.shell?.stop(why);
    this.#executor.stop(why);
    this.#services.pythonTools.forget(why);
  }

  /** No interpreter is started any more. */
  close(): void {
    this.#isClosed = true;
    this.#services.shell?.stop("the session was closed");
    this.#executor.close("the session was closed");
    this.#services.pythonTools.forget("the session was closed");
  }

  async run(plan: RunPlan): Promise<RunResult> {
    // The person may be asked before the code begins: about files of others.
    this.#onPause = plan.onPause;
    try {
      return await this.#run(plan);
    } finally {
      this.#onPause = undefined;
    }
  }

  async #run(plan: RunPlan): Promise<RunResult> {
    const { lineage } = this.#parts;
    if (lineage !== undefined) checkLineage(lineage, this.#services, "the child's run");
    await this.start();
    const { operations, skillRuns, approver, runPolicies } = this.#services;
    this.#mirror ??= this.#newMirror();
    const mirror = this.#mirror;
    if (plan.caller !== "code") this.#agentWasHere = true;
    const { files, withheld } = await filesForRun(mirror, this.#services.foreign, {
      runId: plan.wire.runId,
      caller: plan.caller,
      inAgentRun: this.#agentWasHere,
      task: this.#taskOf(plan),
      signal: plan.signal,
    });
    if (plan.signal.aborted) return failedRun(plan.wire.runId, STOPPED_BEFORE_START);
    const collector = new OutputCollector({
      limit: plan.outputLength,
      byteLimit: plan.wire.outputBytes,
      onOutput: plan.onOutput,
      onOverflow: () => {
        this.#executor.interrupt("output");
      },
    });
    const stopTelling = tellOfCalls(plan, this.#services);
    const scope = runScope(plan, {
      budget: this.#newBudget(plan.budget),
      task: this.#taskOf(plan),
      tools: this.#services.tools,
    });
    const interrupt = (): void => {
      this.#executor.interrupt("stopped");
    };
    const journalled = journalRun(plan, this.#services, lineage?.callId ?? null);
    const started = performance.now();
    this.#scope = scope;
    const policy = this.#policyFor(plan);
    if (policy !== undefined) runPolicies.set(plan.wire.runId, policy);
    let outcome: ExecutorOutcome;
    try {
      const running = this.#executor.run(plan.wire, {
        files,
        toolsVersion: this.#versionOfTools(plan),
        onOutput: (chunks) => {
          collector.take(chunks);
        },
        onInterrupt: () => {
          scope.wanted.abort();
          scope.wanted = new AbortController();
        },
      });
      plan.signal.addEventListener("abort", interrupt);
      outcome = await running;
    } finally {
      plan.signal.removeEventListener("abort", interrupt);
      this.#scope = undefined;
      // Calls that nobody waits for any more are told so, and end before the result counts them.
      scope.wanted.abort();
      skillRuns.endRun(plan.wire.runId);
      approver.endRun(plan.wire.runId);
      this.#idleBudget = this.#newBudget(this.#parts.idleBudget);
      await operations.settleRun(plan.wire.runId);
      runPolicies.delete(plan.wire.runId);
      stopTelling();
    }
    if (outcome.kind === "lost" && outcome.reason !== "ended")
      this.#services.pythonTools.forget("its interpreter was lost");
    const notices = [
      ...withheld,
      ...scope.notices,
      ...(outcome.kind === "replied" ? await storeFiles(mirror, outcome.reply) : []),
    ];
    if (this.#lossToTell !== undefined)
      notices.unshift(`Before this run the interpreter was lost: ${this.#lossToTell}`);
    this.#lossToTell = undefined;
    const elapsed = performance.now() - started;
    const result = await assembleResult(plan, { outcome, collector, notices, elapsed, services: this.#services });
    journalled(result);
    if (outcome.kind === "lost" && outcome.reason === "violation") this.#parts.onLost("violation", outcome.cause);
    return result;
  }

  /** Has the clock of what runs stand still, because a person is asked. @returns how to let it go on. */
  pauseClock(): () => void {
    const resumes = [this.#executor.pauseClock(), this.#onPause?.() ?? NOTHING];
    return () => {
      for (const resume of resumes) resume();
    };
  }

  /** Has the clock of what runs stand still, because it waits for something that keeps its own time. */
  pauseRun(): () => void {
    return this.#executor.pauseClock();
  }

  /** Whether an agent's or a client's code has run in this interpreter. */
  get agentWasHere(): boolean {
    return this.#agentWasHere;
  }

  /** The id of the run that goes on. */
  get currentRun(): string | undefined {
    return this.#scope?.plan.wire.runId;
  }

  /** Asks the person at the page for the code that runs now; its clock stands still meanwhile. @throws {NoInputError} */
  async input(prompt: string): Promise<string> {
    const scope = this.#scope;
    const onInput = scope?.plan.onInput;
    if (scope === undefined || onInput === undefined) throw new NoInputError();
    const resume = this.#parts.lineage?.pauseClock() ?? this.pauseClock();
    try {
      return await onInput(prompt, { signal: scope.wanted.signal });
    } finally {
      resume();
    }
  }

  /** What the code that runs now sees; without a run, what the session's code sees. */
  get visibleTools(): ToolDirectory {
    return this.#scope?.tools ?? this.#services.tools;
  }

  #originOf({ runId, parent }: BridgeContext): CallOrigin {
    const scope = this.#scope;
    if (scope?.plan.wire.runId !== runId) throw new NoRunError();
    const open = this.#services.operations.openCalls.inRun(parent, runId);
    const caller = open?.namespace === "tools" ? "tool" : scope.plan.caller;
    const { tools, wanted, task, plan } = scope;
    const { lineage } = this.#parts;
    const inAgentRun = lineage !== undefined || this.#agentWasHere;
    const above = open?.id ?? lineage?.callId ?? null;
    return { runId, parent: above, caller, inAgentRun, task, tools, onTool: plan.onTool, signal: wanted.signal };
  }

  /** What binds the run in whose course a child works binds the child's runs, and what binds a call the run that serves it. */
  #policyFor({ policy, wire: { toolCall } }: RunPlan): Policy | undefined {
    const { operations, runPolicies } = this.#services;
    const served = toolCall === null ? undefined : operations.openCalls.originOf(toolCall.callId);
    const runId = served?.runId ?? this.#parts.lineage?.runId ?? null;
    return stricter(runId === null ? undefined : runPolicies.get(runId), policy);
  }

  #taskOf({ task }: RunPlan): RunPlan["task"] {
    return task ?? this.#parts.lineage?.task;
  }

  /** Another number whenever Python is to forget what it knows of the tools: they changed, or others are in scope. */
  #versionOfTools({ scope, wire: { toolCall, runId } }: RunPlan): number {
    const seen = JSON.stringify([this.#services.registry.version, toolCall === null ? (scope ?? null) : runId]);
    if (seen !== this.#toolsSeen) this.#toolsVersion += 1;
    this.#toolsSeen = seen;
    return this.#toolsVersion;
  }

  #newMirror(): WorkspaceMirror {
    const { workspace, trust } = this.#services;
    return workspace.mirror(trust, (author) => isForeign(author, trust));
  }

  #newBudget(limits: BudgetLimits): RunBudget {
    return new RunBudget(limits, (requests) => {
      const why = `it sent ${requests.toLocaleString("en-US")} requests, far more than the session's limits allow`;
      if (this.#scope === undefined) this.#lossToTell = `${why}.`;
      this.end(why);
    });
  }
}

const NOTHING = (): void => undefined;

/** Both countings, or neither. */
function both(done: () => void, count: () => () => void): () => void {
  try {
    const counted = count();
    return () => {
      counted();
      done();
    };
  } catch (error) {
    done();
    throw error;
  }
}
