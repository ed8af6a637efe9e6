import { refusalOf } from "../../check/index.js";
import type { Policy } from "../../dispatch/index.js";
import type { Executor, ExecutorOutcome } from "../../executor/index.js";
import type { OutputChunk, WorkspaceChange } from "../../protocol/index.js";
import type { ToolDirectory } from "../../tools/index.js";
import type { WorkspaceMirror } from "../../workspace/index.js";
import type { Services } from "../calls/services.js";
import type { CheckedCode } from "./code-check.js";
import { stricter, type ParentSession } from "./parent-session.js";
import type { LiveInterpreter } from "./live-interpreter.js";
import { OutputCollector } from "./output-collector.js";
import { assembleResult } from "./run-assembly.js";
import { RunBudget } from "./run-budget.js";
import type { RunChecks } from "./run-checks.js";
import { filesForRun, storeFiles } from "./run-files.js";
import { journalRun } from "./run-journal.js";
import type { RunPlan } from "./run-plan.js";
import { failedRun, STOPPED_BEFORE_START, type RunResult } from "./run-result.js";

/** Of commands of one run, that are counted; few of them are told. */
const MOST_COMMAND_NOTICES = 1000;

/** What a run needs of its session. */
export interface RunParts {
  /** Has the run be the one that is made while `job` goes on, in an interpreter that is started if need be. */
  readonly occupy: <T>(run: Run, job: (interpreter: LiveInterpreter) => Promise<T>) => Promise<T>;
  readonly executor: Executor;
  readonly services: Services;
  readonly checks: RunChecks;
  /** Of a session inside another one. */
  readonly parent: ParentSession | undefined;
  /** The code floods the page with requests: the interpreter is ended, and with it the run. */
  readonly onFlood: (requests: number) => void;
  /** The worker broke the protocol. */
  readonly onViolation: (cause: Error) => void;
  /** Why the interpreter of the earlier runs is gone, until a result has said so. */
  readonly takeLoss: () => string | undefined;
}

/** One run, from its turn in the queue to its result: prepared, executed, concluded. All that is of it alone is here. */
export class Run {
  readonly plan: RunPlan;
  /** The tools that its code sees. */
  readonly tools: ToolDirectory;
  readonly budget: RunBudget;
  readonly task: RunPlan["task"];
  readonly #parts: RunParts;
  readonly #stop = new AbortController();
  readonly #output: OutputCollector;
  readonly #commandNotices: string[] = [];
  /** What was found in the code before it ran; undefined where that was not asked for. */
  #checked: CheckedCode | undefined;
  /** Where its code is at work; undefined before that and after. */
  #interpreter: LiveInterpreter | undefined;
  /**
   * Aborted when the calls made so far are no longer waited for: the code is being stopped, or has ended. Code that
   * cleans up after its interrupt makes calls of a new one.
   */
  #calls = new AbortController();

  constructor(plan: RunPlan, parts: RunParts) {
    const { executor, services, parent, onFlood } = parts;
    const { scope, servedTools } = plan;
    this.plan = plan;
    this.#parts = parts;
    this.tools = servedTools ?? (scope === undefined ? services.tools : services.tools.inScope(scope));
    this.budget = new RunBudget(plan.budget, onFlood);
    this.task = plan.task ?? parent?.task;
    this.#output = new OutputCollector({
      limit: plan.outputLength,
      byteLimit: plan.wire.outputBytes,
      onOutput: plan.onOutput,
      onOverflow: () => {
        executor.interrupt("output");
      },
    });
  }

  get id(): string {
    return this.plan.wire.runId;
  }

  /** Aborted when somebody stops it, also while it waits for its turn. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Of the calls that its code makes now. */
  get callSignal(): AbortSignal {
    return this.#calls.signal;
  }

  /** Whether its code is at work. What it asks for is answered then, and only then. */
  get isExecuting(): boolean {
    return this.#interpreter !== undefined;
  }

  /** The files of the interpreter in which its code is at work. */
  get mirror(): WorkspaceMirror | undefined {
    return this.#interpreter?.mirror;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** What the person should know of files that commands wrote meanwhile. */
  notice(text: string): void {
    if (this.#commandNotices.length < MOST_COMMAND_NOTICES) this.#commandNotices.push(text);
  }

  /** A picture that a tool has the code show, for instance. */
  give(chunk: OutputChunk): void {
    this.#output.take([chunk]);
  }

  /** Looks at the code, if that was asked for. @returns the result of a run that does not begin. */
  async check(): Promise<RunResult | undefined> {
    const { code, filename } = this.plan.wire;
    if (this.plan.check !== false) this.#checked = await this.#parts.checks.before(this, this.plan.check);
    if (this.signal.aborted) return failedRun(this.id, STOPPED_BEFORE_START);
    const refusal = refusalOf(this.#checked?.findings ?? [], code, filename);
    return refusal === null ? undefined : { ...failedRun(this.id, refusal), ...this.#checked };
  }

  /** Runs the code, and brings storage and interpreter level before and after. */
  async carryOut(): Promise<RunResult> {
    const { occupy, services, parent, checks } = this.#parts;
    const result = await occupy(this, async (interpreter) => {
      const { files, withheld } = await this.#prepare(interpreter);
      if (this.signal.aborted) return failedRun(this.id, STOPPED_BEFORE_START);
      const finishEntry = journalRun(this.plan, services, parent?.callId ?? null);
      const started = performance.now();
      const outcome = await this.#execute(interpreter, files);
      const concluded = await this.#conclude(outcome, { interpreter, withheld, started });
      finishEntry(concluded);
      if (outcome.kind === "lost" && outcome.reason === "violation") this.#parts.onViolation(outcome.cause);
      return concluded;
    });
    return this.#checked === undefined ? checks.after(this, result) : { ...result, ...this.#checked };
  }

  /** The files that its code finds. A person may be asked about those of others, before the clock runs. */
  async #prepare(interpreter: LiveInterpreter): ReturnType<typeof filesForRun> {
    const { caller } = this.plan;
    if (caller !== "code") interpreter.agentWasHere = true;
    return filesForRun(interpreter.mirror, this.#parts.services.foreign, {
      runId: this.id,
      caller,
      inAgentRun: interpreter.agentWasHere,
      task: this.task,
      signal: this.signal,
    });
  }

  /** Has the code at work, under its policy, until the last of its calls has ended. */
  async #execute(interpreter: LiveInterpreter, files: readonly WorkspaceChange[]): Promise<ExecutorOutcome> {
    const { executor, services } = this.#parts;
    const { operations, skillRuns, approver, runPolicies } = services;
    const interrupt = (): void => {
      executor.interrupt("stopped");
    };
    const stopReporting = this.#reportCalls();
    const policy = this.#strictestPolicy();
    if (policy !== undefined) runPolicies.set(this.id, policy);
    this.#interpreter = interpreter;
    try {
      const running = executor.run(this.plan.wire, {
        files,
        toolsVersion: interpreter.versionOfTools(this.plan, services.registry.version),
        onOutput: (chunks) => {
          this.#output.take(chunks);
        },
        onInterrupt: () => {
          this.#calls.abort();
          this.#calls = new AbortController();
        },
      });
      this.signal.addEventListener("abort", interrupt);
      // Who hears of the run's beginning may have stopped it.
      if (this.signal.aborted) interrupt();
      return await running;
    } finally {
      this.signal.removeEventListener("abort", interrupt);
      this.#interpreter = undefined;
      // Calls that are no longer awaited are aborted, and end before the result counts them.
      this.#calls.abort();
      skillRuns.endRun(this.id);
      approver.endRun(this.id);
      interpreter.renewIdleBudget();
      await operations.settleRun(this.id);
      runPolicies.delete(this.id);
      stopReporting();
    }
  }

  /** Stores what the code wrote, and puts the result together. */
  async #conclude(
    outcome: ExecutorOutcome,
    {
      interpreter,
      withheld,
      started,
    }: { readonly interpreter: LiveInterpreter; readonly withheld: readonly string[]; readonly started: number },
  ): Promise<RunResult> {
    const { services, takeLoss } = this.#parts;
    if (outcome.kind === "lost" && outcome.reason !== "ended") services.pythonTools.forget("its interpreter was lost");
    const notices = [
      ...withheld,
      ...this.#commandNotices,
      ...(outcome.kind === "replied" ? await storeFiles(interpreter.mirror, outcome.reply) : []),
    ];
    const loss = takeLoss();
    if (loss !== undefined) notices.unshift(`Before this run the interpreter was lost: ${loss}`);
    const elapsed = performance.now() - started;
    return assembleResult(this.plan, { outcome, collector: this.#output, notices, elapsed, services });
  }

  /** Tells who made the run of its calls. @returns how to stop. */
  #reportCalls(): () => void {
    const { dispatcher } = this.#parts.services;
    const { onCall, onCallProgress } = this.plan;
    const stops = [
      dispatcher.onCall((entry) => {
        if (entry.runId === this.id && entry.namespace !== "runs") onCall?.(entry);
      }),
      dispatcher.onCallProgress((progress) => {
        if (progress.runId === this.id) onCallProgress?.(progress);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** What binds the run in whose course a child works binds the child's runs, and what binds a call the run that serves it. */
  #strictestPolicy(): Policy | undefined {
    const { operations, runPolicies } = this.#parts.services;
    const { policy, wire } = this.plan;
    const served = wire.toolCall === null ? undefined : operations.openCalls.originOf(wire.toolCall.callId);
    const runId = served?.runId ?? this.#parts.parent?.runId ?? null;
    return stricter(runId === null ? undefined : runPolicies.get(runId), policy);
  }
}
