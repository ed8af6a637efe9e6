import type { BridgeContext, BridgeHandler } from "../../bridge/index.js";
import type { Executor, LoadProgress, LossReason } from "../../executor/index.js";
import type { Value } from "../../protocol/index.js";
import type { ToolDirectory } from "../../tools/index.js";
import type { WorkspaceMirror } from "../../workspace/index.js";
import type { CallOrigin } from "../calls/call-origin.js";
import { isForeign } from "../calls/foreign-content.js";
import type { Services } from "../calls/services.js";
import { NoHelperError, NoInputError, NoRunError, SessionClosedError } from "../errors.js";
import { CommandWorkspace } from "./command-workspace.js";
import { checkLineage, type Lineage } from "./lineage.js";
import { LiveInterpreter } from "./live-interpreter.js";
import { Run } from "./run.js";
import type { BudgetLimits } from "./run-budget.js";
import type { RunChecks } from "./run-checks.js";
import type { HelperCall } from "./run-options.js";
import type { RunPlan } from "./run-plan.js";
import type { RunResult } from "./run-result.js";

export interface SessionInterpreterParts {
  readonly services: Services;
  readonly checks: RunChecks;
  readonly handlers: (originOf: (context: BridgeContext) => CallOrigin) => ReadonlyMap<string, BridgeHandler>;
  /** Of a child session: in the course of what it works. */
  readonly lineage?: Lineage | undefined;
  /** Bounds what the interpreter asks for while nothing runs. */
  readonly idleLimits: BudgetLimits;
  readonly onProgress: (progress: LoadProgress) => void;
  /** The interpreter was lost while nothing ran. */
  readonly onLost: (reason: LossReason, cause: Error) => void;
}

/** The interpreter of a session: started when it is needed, in which one run is made at a time, and that asks in its name. */
export class SessionInterpreter {
  readonly #executor: Executor;
  readonly #services: Services;
  readonly #handlers: ReadonlyMap<string, BridgeHandler>;
  readonly #parts: SessionInterpreterParts;
  /** The files of the commands that tools call. */
  readonly commandFiles: CommandWorkspace;
  /** Undefined before the first start. */
  #live: LiveInterpreter | undefined;
  /** From the moment in which its turn comes until it has a result. */
  #run: Run | undefined;
  #isClosed = false;
  /** Why the interpreter of the earlier runs is gone, until a result has said so. */
  #untoldLoss: string | undefined;

  constructor(executor: Executor, parts: SessionInterpreterParts) {
    this.#executor = executor;
    this.#services = parts.services;
    this.#parts = parts;
    this.commandFiles = new CommandWorkspace({
      executor,
      waiting: () => this.#executing?.mirror,
      newMirror: () => this.#newMirror(),
      notice: (text) => {
        this.#executing?.notice(text);
      },
    });
    this.#handlers = parts.handlers((context) => this.#originOf(context));
  }

  get isStarted(): boolean {
    return this.#executor.isStarted;
  }

  /** Whether an agent's or a client's code has run in this interpreter. */
  get agentWasHere(): boolean {
    return this.#live?.agentWasHere ?? false;
  }

  /** The id of the run whose code is at work. */
  get currentRun(): string | undefined {
    return this.#executing?.id;
  }

  /** What the code that runs now sees; without a run, what the session's code sees. */
  get visibleTools(): ToolDirectory {
    return this.#executing?.tools ?? this.#services.tools;
  }

  /** Starts an interpreter if there is none. @throws {SessionClosedError} */
  async start(): Promise<LiveInterpreter> {
    if (this.#isClosed) throw new SessionClosedError();
    if (this.#executor.isStarted && this.#live !== undefined) return this.#live;
    this.#services.pythonTools.forget("its interpreter has ended");
    this.#live = new LiveInterpreter({
      mirror: this.#newMirror(),
      idleLimits: this.#parts.idleLimits,
      onIdleFlood: (requests) => {
        this.#untoldLoss = `${flooded(requests)}.`;
        this.end(flooded(requests));
      },
    });
    await this.#executor.start({
      handlers: this.#handlers,
      admit: (method) => this.#admit(method),
      onProgress: this.#parts.onProgress,
      wheels: () => this.#services.deps.handedOut(),
      onLost: (reason, cause) => {
        if (reason !== "ended") {
          this.#untoldLoss = cause.message;
          this.#services.pythonTools.forget("its interpreter was lost");
        }
        this.#parts.onLost(reason, cause);
      },
    });
    return this.#live;
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

  /** A run that waits for its turn. */
  newRun(plan: RunPlan): Run {
    const { services, checks, lineage, onLost } = this.#parts;
    return new Run(plan, {
      executor: this.#executor,
      services,
      checks,
      lineage,
      onFlood: (requests) => {
        this.end(flooded(requests));
      },
      onViolation: (cause) => {
        onLost("violation", cause);
      },
      takeLoss: () => {
        const loss = this.#untoldLoss;
        this.#untoldLoss = undefined;
        return loss;
      },
    });
  }

  /** Makes a run whose turn has come. One at a time: the queue sees to that. */
  async run(run: Run): Promise<RunResult> {
    const { lineage } = this.#parts;
    this.#run = run;
    try {
      if (lineage !== undefined) checkLineage(lineage, this.#services, "the child's run");
      return await run.carryOut(await this.start());
    } finally {
      this.#run = undefined;
    }
  }

  /** Has the clock of what runs stand still, because a person is asked. @returns how to let it go on. */
  pauseClock(): () => void {
    const resumes = [this.#executor.pauseClock(), this.#run?.plan.onPause?.() ?? NOTHING];
    return () => {
      for (const resume of resumes) resume();
    };
  }

  /** Has the clock of what runs stand still, because it waits for something that keeps its own time. */
  pauseRun(): () => void {
    return this.#executor.pauseClock();
  }

  /** Answers the helpers of the run whose code is at work. @throws {NoHelperError} */
  answerHelper(call: HelperCall): Value | Promise<Value> {
    const answer = this.#executing?.plan.onHelperCall;
    if (answer === undefined) throw new NoHelperError(call.kind);
    return answer(call);
  }

  /** Asks the person at the page for the code that runs now; its clock stands still meanwhile. @throws {NoInputError} */
  async input(prompt: string): Promise<string> {
    const run = this.#executing;
    const onInput = run?.plan.onInput;
    if (run === undefined || onInput === undefined) throw new NoInputError();
    const resume = this.#parts.lineage?.pauseClock() ?? this.pauseClock();
    try {
      return await onInput(prompt, { signal: run.callSignal });
    } finally {
      resume();
    }
  }

  /** The modules that the code of that run may import, if it is at work and has such a list. */
  importsOf(runId: string | null): readonly string[] | undefined {
    return this.#executingRun(runId)?.plan.wire.imports ?? undefined;
  }

  /**
   * Has the code of that run and a child on its storage see the same files: what the code wrote, and once the child has
   * ended what that did. Nothing where the run has ended, whose files are stored anyhow.
   */
  async shareFiles(runId: string | null, how: "collect" | "exchange"): Promise<void> {
    if (this.#executingRun(runId) === undefined) return;
    try {
      await this.commandFiles[how]();
    } catch (error) {
      if (this.#executingRun(runId) !== undefined) throw error;
    }
  }

  /** Counts what a child asks for that works in the course of a run of this session. */
  admitBelow(runId: string, method: string): () => void {
    const above = this.#parts.lineage?.admit(method) ?? NOTHING;
    const run = this.#executingRun(runId);
    return run === undefined ? above : both(above, () => run.budget.admitBelow(method));
  }

  #admit(method: string): () => void {
    const above = this.#parts.lineage?.admit(method) ?? NOTHING;
    const budget = this.#executing?.budget ?? this.#live?.idleBudget;
    return budget === undefined ? above : both(above, () => budget.admit(method));
  }

  #originOf({ runId, parent }: BridgeContext): CallOrigin {
    const run = this.#executing;
    if (run?.id !== runId) throw new NoRunError();
    const open = this.#services.operations.openCalls.inRun(parent, runId);
    const { lineage } = this.#parts;
    return {
      runId,
      parent: open?.id ?? lineage?.callId ?? null,
      caller: open?.namespace === "tools" ? "tool" : run.plan.caller,
      inAgentRun: lineage !== undefined || this.agentWasHere,
      task: run.task,
      tools: run.tools,
      onTool: run.plan.onTool,
      signal: run.callSignal,
    };
  }

  /** The run whose code is at work; one that is being prepared or concluded asks for nothing. */
  get #executing(): Run | undefined {
    return this.#run?.isExecuting === true ? this.#run : undefined;
  }

  #executingRun(runId: string | null): Run | undefined {
    const run = this.#executing;
    return run?.id === runId ? run : undefined;
  }

  #newMirror(): WorkspaceMirror {
    const { workspace, trust } = this.#services;
    return workspace.mirror(trust, (author) => isForeign(author, trust));
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
