import type { BridgeHandler } from "../bridge/index.js";
import type { Executor } from "../executor/index.js";
import type { ToolDirectory } from "../tools/index.js";
import { bridgeHandlers } from "./calls/bridge-handlers.js";
import { createExecutor } from "./create-executor.js";
import { budgetOf, planToolRun, type RunPlanning } from "./runs/run-plan.js";
import { ProblemReports } from "./calls/problem-reports.js";
import { RunChecks } from "./runs/run-checks.js";
import type { Services } from "./calls/services.js";
import type { SessionBirth } from "./child/session-birth.js";
import type { SessionOptions } from "./session-options.js";
import { RunQueue } from "./runs/run-queue.js";
import { SessionInterpreter } from "./runs/session-interpreter.js";
import { skillInspector } from "./calls/skill-inspector.js";
import { ToolRuns } from "./calls/tool-runs.js";

/** What a session's parts need of it. */
interface SessionDoor {
  /** Has the clocks of all who wait with the session stand still. Returns how to let them go on. */
  readonly pauseClocks: () => () => void;
  /** The worker broke the protocol: nothing of this session is run any more. */
  readonly onHostile: () => void;
}

/** What a session is made of: its services, its executor, and what has the one work for the other. */
export class SessionParts {
  readonly problems: ProblemReports;
  readonly services: Services;
  readonly executor: Executor;
  readonly interpreter: SessionInterpreter;
  readonly toolRuns: ToolRuns;
  readonly checks: RunChecks;
  readonly queue: RunQueue;
  /** How many runs were asked for. */
  runCount = 0;
  readonly #options: SessionOptions;

  constructor(options: SessionOptions, birth: SessionBirth, door: SessionDoor) {
    this.#options = options;
    this.problems = new ProblemReports(options.onProblem);
    this.executor = createExecutor(options, (error) => {
      this.problems.report(error);
    });
    this.services = birth.services(options, {
      runSkill: (name, args, parent) => this.executor.invokeSkill(name, args, parent),
      callPythonTool: (call) => this.toolRuns.call(call),
      currentRun: () => this.interpreter.currentRun,
      pauseRun: () => this.interpreter.pauseRun(),
      inspectSkill: skillInspector(
        (name, source) => this.#inspectSkill(name, source),
        () => this.interpreter.agentWasHere,
      ),
      pauseClock: door.pauseClocks,
      commandFiles: {
        take: (which) => this.interpreter.commandFiles.take(which),
        put: (changes) => this.interpreter.commandFiles.put(changes),
      },
    });
    const { services } = this;
    this.checks = new RunChecks({ executor: this.executor, services, imports: options.imports });
    this.toolRuns = new ToolRuns({
      executor: this.executor,
      operations: () => services.operations,
      currentRun: () => this.interpreter.currentRun,
      run: (run) => this.queue.run(planToolRun(run, this.planning), run.signal),
    });
    this.interpreter = new SessionInterpreter(this.executor, {
      services,
      checks: this.checks,
      lineage: birth.lineage,
      onProgress: this.problems.guarded(options.onProgress) ?? (() => undefined),
      onLost: (reason, cause) => {
        if (reason === "violation") door.onHostile();
        if (reason !== "ended") this.problems.report(cause);
      },
      handlers: (originOf): ReadonlyMap<string, BridgeHandler> => {
        const visibleTools = (): ToolDirectory => this.interpreter.visibleTools;
        return bridgeHandlers({
          ...services,
          toolRuns: this.toolRuns,
          visibleTools,
          originOf,
          answerHelper: (call) => this.interpreter.answerHelper(call),
          input: (prompt) => this.interpreter.input(prompt),
        });
      },
      idleLimits: budgetOf(options),
    });
    this.queue = new RunQueue(this.interpreter);
  }

  /** What runs are planned in. */
  get planning(): RunPlanning {
    return {
      session: this.#options,
      count: this.runCount,
      guarded: (listener) => this.problems.guarded(listener),
    };
  }

  async #inspectSkill(name: string, source: string): Promise<string> {
    await this.interpreter.start();
    return this.executor.inspectSkill(name, source);
  }
}
