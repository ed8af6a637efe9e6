import { ChangeListeners } from "../../storage/index.js";
import { SessionClosedError } from "../errors.js";
import type { Run } from "./run.js";
import type { RunPlan } from "./run-plan.js";
import { failedRun, refusedRun, STOPPED_BEFORE_START, type RunResult } from "./run-result.js";
import type { SessionInterpreter } from "./session-interpreter.js";

/** What a session is doing. */
export type SessionState = "idle" | "starting" | "running" | "closed";

/** What a session does with its interpreter, one thing after the other. A failure of one does not stop the next. */
export class RunQueue {
  readonly #interpreter: SessionInterpreter;
  readonly #stateListeners = new ChangeListeners<SessionState>();
  #tail: Promise<unknown> = Promise.resolve();
  #state: SessionState = "idle";
  #current: Run | undefined;

  constructor(interpreter: SessionInterpreter) {
    this.#interpreter = interpreter;
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

  /**
   * Runs what is planned after what was queued before it. Stopped before its turn it ends at once; from then on a stop
   * interrupts its code. Whatever the code does, the promise resolves.
   *
   * @param signal - of the caller.
   */
  run(plan: RunPlan, signal: AbortSignal | undefined): Promise<RunResult> {
    const run = this.#interpreter.newRun(plan);
    const { promise: abandoned, resolve: abandon } = Promise.withResolvers<RunResult>();
    const stop = (): void => {
      run.stop();
    };
    const giveUp = (): void => {
      abandon(failedRun(run.id, STOPPED_BEFORE_START));
    };
    run.signal.addEventListener("abort", giveUp, { once: true });
    signal?.addEventListener("abort", stop);
    if (signal?.aborted === true) stop();
    const result = this.#add(async () => {
      run.signal.removeEventListener("abort", giveUp);
      this.#current = run;
      try {
        return await this.#runNow(run);
      } finally {
        this.#current = undefined;
        signal?.removeEventListener("abort", stop);
      }
    });
    return Promise.race([result, abandoned]);
  }

  /** Does something else with the interpreter when it is free, and starts it if need be. */
  inTurn<T>(job: () => Promise<T>): Promise<T> {
    return this.#add(async () => {
      await this.start();
      return job();
    });
  }

  /** Stops the code that runs now. */
  interrupt(): void {
    this.#current?.stop();
  }

  /** A fresh interpreter: what runs is ended at once, what is queued runs before. */
  async reset(): Promise<void> {
    if (this.isClosed) throw new SessionClosedError();
    this.#interpreter.end("the session was reset");
    await this.#add(async () => {
      this.#interpreter.end("the session was reset");
      await this.start();
    });
  }

  async start(): Promise<void> {
    if (this.#interpreter.isStarted && !this.isClosed) return;
    this.#setState("starting");
    try {
      await this.#interpreter.start();
    } finally {
      this.#setState("idle");
    }
  }

  /** Nothing is run from now on. */
  close(): void {
    this.#setState("closed");
  }

  #add<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(job, job);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  async #runNow(run: Run): Promise<RunResult> {
    if (this.isClosed) return refusedRun(run.id, new SessionClosedError());
    try {
      await this.start();
      const refused = await run.check();
      if (refused !== undefined) return refused;
      this.#setState("running");
      return await run.carryOut();
    } catch (error) {
      return refusedRun(run.id, error);
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
