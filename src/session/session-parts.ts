import { WorkerExecutor, type Executor } from "../executor/index.js";
import { bridgeHandlers } from "./calls/bridge-handlers.js";
import { ProblemReports } from "./calls/problem-reports.js";
import { createServices, type InterpreterAccess, type Services } from "./calls/services.js";
import { skillInspector } from "./calls/skill-inspector.js";
import { ChildSessions } from "./child/child-sessions.js";
import { childServices } from "./child/child-services.js";
import { CurrentRun } from "./runs/current-run.js";
import { InterpreterWork } from "./runs/interpreter-work.js";
import type { ParentSession } from "./runs/parent-session.js";
import { RunAnswers } from "./runs/run-answers.js";
import { RunChecks } from "./runs/run-checks.js";
import { budgetOf, planToolRun, type RunPlanning } from "./runs/run-plan.js";
import { RunQueue } from "./runs/run-queue.js";
import { SessionInterpreter } from "./runs/session-interpreter.js";
import { TextInterpreterOnDemand } from "./runs/text-interpreter-on-demand.js";
import { ServedCalls, ToolRuns } from "./runs/tool-runs.js";
import type { SessionOptions } from "./session-options.js";

/** What a session is made of. */
export interface SessionParts {
  readonly options: SessionOptions;
  /** Undefined for a session that is in no other. */
  readonly parent: ParentSession | undefined;
  readonly problems: ProblemReports;
  readonly executor: Executor;
  readonly children: ChildSessions;
  readonly services: Services;
  readonly checks: RunChecks;
  readonly interpreter: SessionInterpreter;
  readonly queue: RunQueue;
  /** What runs are planned in. */
  readonly planning: RunPlanning;
  /** Looks at texts while code of the session waits. */
  readonly texts: TextInterpreterOnDemand;
}

/** Makes the parts of a session in their order: each knows those before it, and one knot is tied at the end. */
export function sessionParts(options: SessionOptions, parent?: ParentSession): SessionParts {
  const problems = new ProblemReports(options.onProblem);
  const executor = createExecutor(options, (error) => {
    problems.report(error);
  });
  const current = new CurrentRun(executor);
  const children = new ChildSessions(() => current.pauseClock());
  const work = new InterpreterWork();
  const texts = new TextInterpreterOnDemand({ options, services: () => services });
  const access: InterpreterAccess = {
    runSkill: (name, args, call) => executor.invokeSkill(name, args, call),
    inspectSkill: skillInspector(
      (name, source) => work.inspectSkill(name, source),
      () => current.agentWasHere,
    ),
    callPythonTool: (call) => work.callTool(call),
    currentRun: () => current.executing?.id,
    pauseRun: () => executor.pauseClock(),
    pauseClock: () => children.pauseClocks(),
    files: executor,
    waitingCode: () => current.executing,
    textInterpreter: () => texts.open(),
  };
  const services = parent === undefined ? createServices(options, access) : childServices(parent, options, access);
  const checks = new RunChecks({ executor, services, imports: options.imports });
  const served = new ServedCalls();
  const answers = new RunAnswers(current, { services, served, parent });
  const interpreter = new SessionInterpreter({
    executor,
    current,
    services,
    checks,
    handlers: bridgeHandlers(answers, services),
    parent,
    idleLimits: budgetOf(options),
    onProgress: problems.guarded(options.onProgress) ?? (() => undefined),
    problems,
  });
  const queue = new RunQueue(interpreter);
  const planning: RunPlanning = { session: options, guarded: (listener) => problems.guarded(listener) };
  const toolRuns = new ToolRuns({
    executor,
    operations: services.operations,
    current,
    served,
    run: (run) => queue.run(planToolRun(run, planning), run.signal),
  });
  work.connect({
    inspectSkill: async (name, source) => {
      await interpreter.start();
      return executor.inspectSkill(name, source);
    },
    callTool: (call) => toolRuns.call(call),
  });
  return { options, parent, problems, executor, children, services, checks, interpreter, queue, planning, texts };
}

/** The executor that a session's options ask for. */
function createExecutor(options: SessionOptions, onProblem: (error: unknown) => void): Executor {
  const { trust = "sandboxed", spare = "none", limits = {}, pyodideBaseURL, host, transport, useSnapshot } = options;
  return new WorkerExecutor({
    trust,
    spare,
    onProblem,
    ...(limits.heapSize === undefined ? {} : { heapLimit: limits.heapSize }),
    ...(pyodideBaseURL === undefined ? {} : { pyodideBaseURL }),
    ...(host === undefined ? {} : { host }),
    ...(transport === undefined ? {} : { transport }),
    ...(useSnapshot === undefined ? {} : { useSnapshot }),
  });
}
