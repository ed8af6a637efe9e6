import type { Executor } from "../../executor/index.js";
import type { LiveInterpreter } from "./live-interpreter.js";
import type { Run } from "./run.js";

/** Which run is being made, and in which interpreter: for all who ask. `SessionInterpreter` alone changes it. */
export class CurrentRun {
  readonly #executor: Pick<Executor, "pauseClock">;
  /** Undefined before the first start. */
  interpreter: LiveInterpreter | undefined;
  /** From the moment in which its turn comes until it has a result. */
  run: Run | undefined;

  constructor(executor: Pick<Executor, "pauseClock">) {
    this.#executor = executor;
  }

  /** The run whose code is at work; one that is being prepared or concluded asks for nothing. */
  get executing(): Run | undefined {
    return this.run?.isExecuting === true ? this.run : undefined;
  }

  /** That run, if its code is at work. */
  executingAs(runId: string | null): Run | undefined {
    const run = this.executing;
    return run?.id === runId ? run : undefined;
  }

  /** Whether an agent's or a client's code has run in the interpreter. */
  get agentWasHere(): boolean {
    return this.interpreter?.agentWasHere ?? false;
  }

  /** Has the clock of the run stand still, because a person is asked. @returns how to let it go on. */
  pauseClock(): () => void {
    const resumes = [this.#executor.pauseClock(), this.run?.plan.onPause?.()];
    return () => {
      for (const resume of resumes) resume?.();
    };
  }
}
