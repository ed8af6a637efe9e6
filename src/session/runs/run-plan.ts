import { randomId, type RunRequest } from "../../protocol/index.js";
import type { ToolDirectory } from "../../tools/index.js";
import { checkTimeout } from "../check-options.js";
import { autoInstallOf } from "../package-options.js";
import { guardedObserver } from "../calls/guarded-observer.js";
import {
  DEFAULT_CALLS_PER_RUN,
  DEFAULT_OPEN_CALLS,
  DEFAULT_OUTPUT_BYTES,
  DEFAULT_OUTPUT_LENGTH,
  DEFAULT_TIMEOUT,
  DEFAULT_VALUE_SIZE,
  type SessionOptions,
} from "../session-options.js";
import type { BudgetLimits } from "./run-budget.js";
import type { RunOptions } from "./run-options.js";

/** What a run hands on as the caller said it, listeners of the page made harmless. */
type AsSaid =
  | "scope"
  | "policy"
  | "task"
  | "onPause"
  | "onInput"
  | "onOutput"
  | "onCall"
  | "onTool"
  | "onCallProgress"
  | "onHelperCall";

/** A run as it will be made: what its caller said, with the session's defaults. */
export type RunPlan = { readonly [Name in AsSaid]: RunOptions[Name] | undefined } & {
  /** What of it crosses to the worker. */
  readonly wire: RunRequest;
  /** How the journal calls it. */
  readonly name: string;
  /** Who the code is from. */
  readonly caller: "code" | "agent" | "client";
  /** Whether, and how, the code is checked before it runs. */
  readonly check: NonNullable<RunOptions["check"]>;
  /** Characters of each stream that the result shows. */
  readonly outputLength: number;
  readonly budget: BudgetLimits;
  /** The tools that the function sees which the run calls in place of running code. */
  readonly servedTools: ToolDirectory | undefined;
};

/** A run that calls a tool of session code in place of running code. */
export interface ToolRun {
  readonly id: string;
  readonly toolCall: NonNullable<RunRequest["toolCall"]>;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** The tools that the function sees. */
  readonly tools: ToolDirectory;
  /** Whether a foreign program or an agent makes the call. */
  readonly isFromClient: boolean;
  readonly task: RunOptions["task"] | undefined;
}

type Listener<T> = ((value: T) => void) | undefined;

/** What a run is planned in. */
export interface RunPlanning {
  readonly session: SessionOptions;
  /** Makes a listener of the page one that breaks nothing. */
  readonly guarded: <T>(listener: Listener<T>) => Listener<T>;
}

function callerOf({ from = "page", helpers = { kind: "none" } }: RunOptions): RunPlan["caller"] {
  if (from !== "page") return from;
  return helpers.kind === "none" ? "code" : "agent";
}

/** A run with the session's defaults filled in. @throws {SessionOptionsError} for an invalid timeout. */
export function planRun(
  code: string,
  options: RunOptions,
  { session, guarded, name: ownName }: RunPlanning & { readonly name: string },
): RunPlan {
  const { limits = {}, timeout = DEFAULT_TIMEOUT } = session;
  checkTimeout(options.timeout);
  const { name = ownName } = options;
  const budget = budgetOf(session);
  return {
    wire: {
      runId: options.runId ?? newRunId(),
      code,
      filename: `<${name}>`,
      timeout: options.timeout === undefined ? timeout : options.timeout,
      helpers: options.helpers ?? { kind: "none" },
      imports: options.imports ?? session.imports ?? null,
      maxValueSize: limits.valueSize ?? DEFAULT_VALUE_SIZE,
      outputBytes: limits.outputBytes ?? DEFAULT_OUTPUT_BYTES,
      heapGrowth: options.heapGrowth ?? null,
      maxOpenCalls: budget.openCalls,
      autoInstall: autoInstallOf(session) !== "never",
      toolCall: null,
    },
    name,
    caller: callerOf(options),
    check: options.check ?? false,
    outputLength: limits.outputLength ?? DEFAULT_OUTPUT_LENGTH,
    budget,
    servedTools: undefined,
    scope: options.scope,
    policy: options.policy,
    task: options.task,
    onPause: options.onPause,
    onInput: options.onInput ?? session.onInput,
    onOutput: guarded(options.onOutput),
    onCall: guarded(options.onCall),
    onTool: guardedObserver(options.onTool, guarded),
    onCallProgress: guarded(options.onCallProgress),
    onHelperCall: options.onHelperCall,
  };
}

/** The run of a call that comes from outside of any run. Its value is the call's, however large. */
export function planToolRun(
  { id: runId, toolCall, tools, timeout, isFromClient, task }: ToolRun,
  planning: RunPlanning,
): RunPlan {
  const name = `tools.${toolCall.name}`;
  const plan = planRun(
    `# A call of ${name}.`,
    { timeout, from: isFromClient ? "client" : "page" },
    { ...planning, name },
  );
  return { ...plan, wire: { ...plan.wire, runId, maxValueSize: LARGEST_VALUE, toolCall }, servedTools: tools, task };
}

/** Bytes. */
const LARGEST_VALUE = 2 ** 28;

/** How many requests the code of one run may make. */
export function budgetOf({ limits = {} }: Pick<SessionOptions, "limits">): BudgetLimits {
  const { callsPerRun = DEFAULT_CALLS_PER_RUN, openCalls = DEFAULT_OPEN_CALLS } = limits;
  return { callsPerRun, openCalls };
}

/** Names for runs that no other session has. */
export function newRunId(): string {
  return `run-${randomId()}`;
}
