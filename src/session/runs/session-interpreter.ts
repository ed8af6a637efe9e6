import type { BridgeHandler } from "../../bridge/index.js";
import type { Executor, LoadProgress, LossReason } from "../../executor/index.js";
import { ChangeListeners } from "../../storage/index.js";
import { mirrorOf } from "../calls/foreign-content.js";
import type { ProblemReports } from "../calls/problem-reports.js";
import type { Services } from "../calls/services.js";
import { SessionClosedError } from "../errors.js";
import type { CurrentRun } from "./current-run.js";
import { checkParentCall, type ParentSession } from "./parent-session.js";
import { LiveInterpreter } from "./live-interpreter.js";
import { Run } from "./run.js";
import type { BudgetLimits } from "./run-budget.js";
import type { RunChecks } from "./run-checks.js";
import type { RunPlan } from "./run-plan.js";

export interface SessionInterpreterParts {
  readonly executor: Executor;
  readonly current: CurrentRun;
  readonly services: Services;
  readonly checks: RunChecks;
  /** What its code may ask of the page. */
  readonly handlers: ReadonlyMap<string, BridgeHandler>;
  /** Of a session inside another one. */
  readonly parent: ParentSession | undefined;
  /** Bounds what the interpreter asks for while nothing runs. */
  readonly idleLimits: BudgetLimits;
  readonly onProgress: (progress: LoadProgress) => void;
  readonly problems: ProblemReports;
}

/** The interpreter of a session, which is started when it is needed. One run is made in it at a time. */
export class SessionInterpreter {
  readonly #parts: SessionInterpreterParts;
  readonly #hostility = new ChangeListeners<Error>();
  #isClosed = false;
  /** Why the interpreter of the earlier runs is gone, until a result has said so. */
  #unreportedLoss: string | undefined;

  constructor(parts: SessionInterpreterParts) {
    this.#parts = parts;
  }

  get isStarted(): boolean {
    return this.#parts.executor.isStarted;
  }

  /** Hears that the worker broke the protocol. Nothing of the session should be run any more. */
  onHostile(listener: (cause: Error) => void): () => void {
    return this.#hostility.add(listener);
  }

  /** Starts an interpreter if there is none. @throws {SessionClosedError} */
  async start(): Promise<LiveInterpreter> {
    if (this.#isClosed) throw new SessionClosedError();
    const { executor, current, services, handlers, idleLimits, onProgress } = this.#parts;
    if (executor.isStarted && current.interpreter !== undefined) return current.interpreter;
    services.pythonTools.forget("its interpreter has ended");
    current.interpreter = new LiveInterpreter({
      mirror: mirrorOf(services),
      idleLimits,
      onIdleFlood: (requests) => {
        this.#unreportedLoss = `${flooded(requests)}.`;
        this.end(flooded(requests));
      },
    });
    await executor.start({
      handlers,
      admit: (method) => this.#admit(method),
      onProgress,
      wheels: () => services.deps.handedOut(),
      onLost: (reason, cause) => {
        if (reason !== "ended") {
          this.#unreportedLoss = cause.message;
          services.pythonTools.forget("its interpreter was lost");
        }
        this.#reportLoss(reason, cause);
      },
    });
    return current.interpreter;
  }

  /** Ends the interpreter, and with it what runs. */
  end(why: string): void {
    const { executor, services } = this.#parts;
    services.shell?.stop(why);
    services.search.stop(why);
    executor.stop(why);
    services.pythonTools.forget(why);
  }

  /** No interpreter is started any more. */
  close(): void {
    const { executor, services } = this.#parts;
    const why = "the session was closed";
    this.#isClosed = true;
    services.shell?.stop(why);
    services.search.stop(why);
    executor.close(why);
    services.pythonTools.forget(why);
  }

  /** A run that waits for its turn. */
  newRun(plan: RunPlan): Run {
    const { executor, services, checks, parent } = this.#parts;
    return new Run(plan, {
      occupy: (run, job) => this.#occupy(run, job),
      executor,
      services,
      checks,
      parent,
      onFlood: (requests) => {
        this.end(flooded(requests));
      },
      onViolation: (cause) => {
        this.#reportLoss("violation", cause);
      },
      takeLoss: () => {
        const loss = this.#unreportedLoss;
        this.#unreportedLoss = undefined;
        return loss;
      },
    });
  }

  /** One run at a time: the queue sees to that. */
  async #occupy<T>(run: Run, job: (interpreter: LiveInterpreter) => Promise<T>): Promise<T> {
    const { current, parent } = this.#parts;
    current.run = run;
    try {
      if (parent !== undefined) checkParentCall(parent, "the child's run");
      return await job(await this.start());
    } finally {
      current.run = undefined;
    }
  }

  /** The modules that the code of that run may import, if it is at work and has such a list. */
  importsOf(runId: string | null): readonly string[] | undefined {
    return this.#parts.current.executingAs(runId)?.plan.wire.imports ?? undefined;
  }

  /**
   * Has the code of that run and a child on its storage see the same files: what the code wrote, and once the child has
   * ended what that did. Nothing where the run has ended, whose files are stored anyhow.
   */
  async shareFiles(runId: string | null, how: "collect" | "exchange"): Promise<void> {
    const { current, services } = this.#parts;
    if (current.executingAs(runId) === undefined) return;
    try {
      await services.commandFiles[how]();
    } catch (error) {
      if (current.executingAs(runId) !== undefined) throw error;
    }
  }

  /** Counts what a child asks for that works in the course of a run of this session. */
  admitBelow(runId: string, method: string): () => void {
    const above = this.#parts.parent?.admit(method) ?? NOTHING;
    const run = this.#parts.current.executingAs(runId);
    return run === undefined ? above : both(above, () => run.budget.admitBelow(method));
  }

  #reportLoss(reason: LossReason, cause: Error): void {
    if (reason === "violation") this.#hostility.tell(cause);
    if (reason !== "ended") this.#parts.problems.report(cause);
  }

  #admit(method: string): () => void {
    const { current, parent } = this.#parts;
    const above = parent?.admit(method) ?? NOTHING;
    const budget = current.executing?.budget ?? current.interpreter?.idleBudget;
    return budget === undefined ? above : both(above, () => budget.admit(method));
  }
}

const NOTHING = (): void => undefined;

function flooded(requests: number): string {
  return `it sent ${requests.toLocaleString("en-US")} requests, far more than the session's limits allow`;
}

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
