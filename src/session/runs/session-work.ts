import { refusalOf } from "../../check/index.js";
import type { Executor } from "../../executor/index.js";
import { ChangeListeners } from "../../storage/index.js";
import { SessionClosedError } from "../errors.js";
import type { ProblemReports } from "../calls/problem-reports.js";
import type { SessionOptions } from "../session-options.js";
import { STOPPED_BEFORE_START, type InterpreterRuns } from "./interpreter-runs.js";
import type { RunPlan, RunPlanning } from "./run-plan.js";
import { queueRun } from "./queue-run.js";
import type { RunChecks } from "./run-checks.js";
import { RunQueue } from "./run-queue.js";
import { failedRun, refusedRun, type RunResult } from "./run-result.js";

/** What a session is doing. */
export type SessionState = "idle" | "starting" | "running" | "closed";

interface WorkParts {
  readonly options: SessionOptions;
  readonly executor: Executor;
  readonly runs: InterpreterRuns;
  readonly checks: RunChecks;
  readonly problems: ProblemReports;
}

/** What a session does with its interpreter, one thing after the other. */
export class SessionWork {
  readonly #parts: WorkParts;
  readonly #queue = new RunQueue();
  readonly #stateListeners = new ChangeListeners<SessionState>();
  #state: SessionState = "idle";
  #runCount = 0;
  #stopCurrent: (() => void) | undefined;

  constructor(parts: WorkParts) {
    this.#parts = parts;
  }

  get state(): SessionState {
    return this.#state;
  }

  get isClosed(): boolean {
    return this.#state === "closed";
  }

  onStateChange(listener: (state: SessionState) => void): () => void {
    return this.#stateListeners.add(listener);
  }

  /** The number of the next run that is asked for, and one more from then on. */
  countRun(): number {
    this.#runCount += 1;
    return this.#runCount;
  }

  /** How many runs were asked for. */
  get runCount(): number {
    return this.#runCount;
  }

  /** Runs what is planned after what was queued before it. Whatever the code does, the promise resolves. */
  run(make: (planning: RunPlanning) => RunPlan, signal: AbortSignal | undefined): Promise<RunResult> {
    const { options, problems } = this.#parts;
    const stop = new AbortController();
    const plan = make({
      session: options,
      count: this.#runCount,
      signal: stop.signal,
      guarded: (listener) => problems.guarded(listener),
    });
    return queueRun(plan, {
      queue: this.#queue,
      stop,
      signal,
      start: async (stopRun) => {
        this.#stopCurrent = stopRun;
        try {
          return await this.#runNow(plan);
        } finally {
          this.#stopCurrent = undefined;
        }
      },
    });
  }

  /** Does something else with the interpreter when it is free, and starts it if need be. */
  inTurn<T>(job: () => Promise<T>): Promise<T> {
    return this.#queue.add(async () => {
      await this.start();
      return job();
    });
  }

  /** Stops the code that runs now. */
  interrupt(): void {
    this.#stopCurrent?.();
  }

  /** A fresh interpreter: what runs is ended at once, what is queued runs before. */
  async reset(): Promise<void> {
    if (this.isClosed) throw new SessionClosedError();
    const { runs } = this.#parts;
    runs.end("the session was reset");
    await this.#queue.add(async () => {
      runs.end("the session was reset");
      await this.start();
    });
  }

  async start(): Promise<void> {
    const { executor, runs } = this.#parts;
    if (executor.isStarted && !this.isClosed) return;
    this.#setState("starting");
    try {
      await runs.start();
    } finally {
      this.#setState("idle");
    }
  }

  /** Nothing is run from now on. */
  close(): void {
    this.#setState("closed");
  }

  async #runNow(plan: RunPlan): Promise<RunResult> {
    const { runId, code, filename } = plan.wire;
    if (this.isClosed) return refusedRun(runId, new SessionClosedError());
    const { runs, checks } = this.#parts;
    try {
      await this.start();
      const checked = await checks.before(plan);
      if (plan.signal.aborted) return failedRun(runId, STOPPED_BEFORE_START);
      const refusal = refusalOf(checked.findings, code, filename);
      if (refusal !== null) return { ...failedRun(runId, refusal), ...checked };
      this.#setState("running");
      const run = await runs.run(plan);
      return plan.check === false ? await checks.after(plan, run) : { ...run, ...checked };
    } catch (error) {
      return refusedRun(runId, error);
    } finally {
      this.#setState("idle");
    }
  }

  #setState(state: SessionState): void {
    if (this.#state === state || this.isClosed) return;
    this.#state = state;
    this.#stateListeners.tell(state);
  }
}
