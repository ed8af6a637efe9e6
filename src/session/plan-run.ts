import { randomId, type RunHelpers } from "../protocol/index.js";
import type { ToolScope } from "../tools/index.js";
import { checkTimeout } from "./check-options.js";
import type { BudgetLimits } from "./run-budget.js";
import type { RunOptions } from "./run-options.js";
import {
  DEFAULT_CALLS_PER_RUN,
  DEFAULT_OPEN_CALLS,
  DEFAULT_OUTPUT_BYTES,
  DEFAULT_OUTPUT_LENGTH,
  DEFAULT_TIMEOUT,
  DEFAULT_VALUE_SIZE,
  type SessionOptions,
} from "./session-options.js";

/** One run, with the session's defaults filled in. */
export interface PlannedRun {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly timeout: number | null;
  readonly helpers: RunHelpers;
  /** Whether a foreign program sent the code. */
  readonly isFromClient: boolean;
  readonly outputLength: number;
  readonly outputBytes: number;
  readonly valueSize: number;
  readonly budget: BudgetLimits;
  readonly imports: readonly string[] | undefined;
  /** What of the session's tools the code sees; undefined for all. */
  readonly scope: ToolScope | undefined;
  readonly heapGrowth: number | undefined;
  readonly policy: RunOptions["policy"];
  readonly onInput: RunOptions["onInput"];
  readonly onOutput: RunOptions["onOutput"];
  readonly onCall: RunOptions["onCall"];
  readonly onCallProgress: RunOptions["onCallProgress"];
  readonly onHelperCall: RunOptions["onHelperCall"];
  /** Aborted when somebody stops this run. */
  readonly signal: AbortSignal;
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

/** A run with the session's defaults filled in. @throws {SessionOptionsError} for a timeout that is none. */
export function planRun(
  code: string,
  options: RunOptions,
  { session, count, signal, guarded }: RunPlanning,
): PlannedRun {
  const { limits = {}, timeout = DEFAULT_TIMEOUT } = session;
  checkTimeout(options.timeout);
  return {
    id: newRunId(),
    code,
    name: options.name ?? `run ${String(count)}`,
    timeout: options.timeout === undefined ? timeout : options.timeout,
    helpers: options.helpers ?? { kind: "none" },
    isFromClient: options.from === "client",
    outputLength: limits.outputLength ?? DEFAULT_OUTPUT_LENGTH,
    outputBytes: limits.outputBytes ?? DEFAULT_OUTPUT_BYTES,
    valueSize: limits.valueSize ?? DEFAULT_VALUE_SIZE,
    budget: budgetOf(session),
    imports: options.imports ?? session.imports,
    scope: options.scope,
    heapGrowth: options.heapGrowth,
    policy: options.policy,
    onInput: options.onInput ?? session.onInput,
    onOutput: guarded(options.onOutput),
    onCall: guarded(options.onCall),
    onCallProgress: guarded(options.onCallProgress),
    onHelperCall: options.onHelperCall,
    signal,
  };
}

/** How many requests the code of one run may make. */
export function budgetOf({ limits = {} }: SessionOptions): { callsPerRun: number; openCalls: number } {
  const { callsPerRun = DEFAULT_CALLS_PER_RUN, openCalls = DEFAULT_OPEN_CALLS } = limits;
  return { callsPerRun, openCalls };
}

/** Names for runs that no other session has. */
export function newRunId(): string {
  return `run-${randomId()}`;
}
