import { randomId, type RunHelpers, type RunRequest } from "../../protocol/index.js";
import type { ToolDirectory, ToolScope } from "../../tools/index.js";
import { checkTimeout } from "../check-options.js";
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

/** One run, with the session's defaults filled in. */
export interface PlannedRun {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly timeout: number | null;
  readonly helpers: RunHelpers;
  /** Who the code is from. */
  readonly caller: "code" | "agent" | "client";
  readonly outputLength: number;
  readonly outputBytes: number;
  readonly valueSize: number;
  readonly budget: BudgetLimits;
  readonly imports: readonly string[] | undefined;
  /** What of the session's tools the code sees; undefined for all. */
  readonly scope: ToolScope | undefined;
  /** Set where the run calls a tool that session code defined, and `code` only says so. */
  readonly toolRun?: Pick<ToolRun, "toolCall" | "tools">;
  readonly heapGrowth: number | undefined;
  readonly policy: RunOptions["policy"];
  readonly task: RunOptions["task"];
  readonly onPause: RunOptions["onPause"];
  readonly onInput: RunOptions["onInput"];
  readonly onOutput: RunOptions["onOutput"];
  readonly onCall: RunOptions["onCall"];
  readonly onTool: RunOptions["onTool"];
  readonly onCallProgress: RunOptions["onCallProgress"];
  readonly onHelperCall: RunOptions["onHelperCall"];
  /** Aborted when somebody stops this run. */
  readonly signal: AbortSignal;
}

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
  /** Names the run where its options do not. */
  readonly count: number;
  readonly signal: AbortSignal;
  /** Makes a listener of the page one that breaks nothing. */
  readonly guarded: <T>(listener: Listener<T>) => Listener<T>;
}

function callerOf({ from = "page", helpers = { kind: "none" } }: RunOptions): PlannedRun["caller"] {
  if (from !== "page") return from;
  return helpers.kind === "none" ? "code" : "agent";
}

/** A run with the session's defaults filled in. @throws {SessionOptionsError} for a timeout that is none. */
export function planRun(
  code: string,
  options: RunOptions,
  { session, count, signal, guarded }: RunPlanning,
): PlannedRun {
  const { limits = {}, timeout = DEFAULT_TIMEOUT } = session;
  checkTimeout(options.timeout);
  return {
    id: options.runId ?? newRunId(),
    code,
    name: options.name ?? `run ${String(count)}`,
    timeout: options.timeout === undefined ? timeout : options.timeout,
    helpers: options.helpers ?? { kind: "none" },
    caller: callerOf(options),
    outputLength: limits.outputLength ?? DEFAULT_OUTPUT_LENGTH,
    outputBytes: limits.outputBytes ?? DEFAULT_OUTPUT_BYTES,
    valueSize: limits.valueSize ?? DEFAULT_VALUE_SIZE,
    budget: budgetOf(session),
    imports: options.imports ?? session.imports,
    scope: options.scope,
    heapGrowth: options.heapGrowth,
    policy: options.policy,
    task: options.task,
    onPause: options.onPause,
    onInput: options.onInput ?? session.onInput,
    onOutput: guarded(options.onOutput),
    onCall: guarded(options.onCall),
    onTool: guardedObserver(options.onTool, guarded),
    onCallProgress: guarded(options.onCallProgress),
    onHelperCall: options.onHelperCall,
    signal,
  };
}

/** The run of a call that comes from outside of any run. Its value is the call's, however large. */
export function planToolRun(
  { id, toolCall, tools, timeout, isFromClient, task }: ToolRun,
  planning: RunPlanning,
): PlannedRun {
  const name = `tools.${toolCall.name}`;
  const planned = planRun(`# A call of ${name}.`, { name, timeout, from: isFromClient ? "client" : "page" }, planning);
  return { ...planned, id, task, valueSize: LARGEST_VALUE, toolRun: { toolCall, tools } };
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
