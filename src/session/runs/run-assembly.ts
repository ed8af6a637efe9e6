import type { ExecutorOutcome } from "../../executor/index.js";
import {
  decodeValueInSlices,
  MalformedValueError,
  type EncodedValue,
  type RunErrorData,
  type RunReply,
  type Value,
} from "../../protocol/index.js";
import type { Services } from "../calls/services.js";
import { fewNotices } from "../calls/workspace-notices.js";
import { describeKept, type OutputCollector } from "./output-collector.js";
import type { RunPlan } from "./run-plan.js";
import { RunError, type RunResult } from "./run-result.js";

const LOST =
  "The interpreter was restarted: its variables are gone. Stored artifacts, skills and files are still there.";
/** What a run has of helpers where it is no step of an agent's: code can forge a reply, and with it an answer. */
const WITHOUT_HELPERS: Pick<RunReply, "finalAnswer" | "memory"> = { finalAnswer: null, memory: null };
/** Characters that are kept of a value too large to hand on. */
const KEPT_VALUE = 16_000_000;

export interface RunParts {
  readonly outcome: ExecutorOutcome;
  readonly collector: OutputCollector;
  readonly notices: readonly string[];
  /** Milliseconds by the page's clock, for a run whose worker cannot tell any more, or says that it took longer. */
  readonly elapsed: number;
  readonly services: Services;
}

/** Puts the result of a run together. What cannot be kept or read costs its part of the result, never the rest. */
export async function assembleResult(plan: RunPlan, parts: RunParts): Promise<RunResult> {
  const { runId, timeout, helpers, outputBytes } = plan.wire;
  const { outcome, collector, services } = parts;
  const keep = (stream: string, text: string): Promise<string> => services.outputs.keep(`${runId}-${stream}`, text);
  const stdout = await collector.finish("stdout", keep);
  const stderr = await collector.finish("stderr", keep);
  const notices = [stdout.notice, stderr.notice, ...collector.notices, ...fewNotices(parts.notices)];
  const outside = {
    runId,
    timeout,
    stdout: stdout.text,
    stderr: stderr.text,
    outputs: collector.displays,
    signals: collector.signals,
    // Runs are journalled too; the result is about the calls of this one.
    findings: [],
    namedTools: [],
    calls: services.journal.forRun(runId).filter(({ namespace }) => namespace !== "runs"),
  };
  if (outcome.kind === "lost") {
    const error = new RunError(lostError(outcome, plan.wire));
    const nothing = {
      value: null,
      valueRepr: null,
      finalAnswer: null,
      memory: null,
      ok: false,
      lost: true,
      heapGrowth: null,
    };
    const isOver = outcome.reason === "violation" ? ({ sessionFailed: true } as const) : {};
    return { ...outside, ...nothing, ...isOver, elapsed: parts.elapsed, error, notices: said([...notices, LOST]) };
  }
  const { reply } = outcome;
  if (reply.fullText !== null) {
    const { text, omitted } = reply.fullText;
    const kept = text.slice(0, KEPT_VALUE);
    const length = text.length + omitted;
    const where = await describeKept(() => keep("value", kept), { kept: kept.length, length });
    notices.push(`The value was too large to hand on: ${where}.`);
  }
  const value = await decoded(reply.value);
  const { finalAnswer, memory } = helpers.kind === "agent" ? reply : WITHOUT_HELPERS;
  const answer = await decoded(finalAnswer?.value ?? null);
  // The worker stops by itself; its word is not enough.
  const overflow = collector.isOverLimit && reply.error?.code !== "OUTPUT_LIMIT" ? outputError(outputBytes) : null;
  const errorData = overflow ?? value.error ?? answer.error ?? (await advised(raised(reply.error), services));
  return {
    ...outside,
    value: value.value,
    valueRepr: reply.valueRepr,
    finalAnswer: finalAnswer === null ? null : { ...finalAnswer, value: answer.value },
    memory,
    lost: false,
    error: errorData === null ? null : new RunError(errorData),
    ok: errorData === null,
    // The worker measures more exactly; code can have it say anything.
    elapsed: Math.min(reply.elapsed, parts.elapsed),
    heapGrowth: reply.heapGrowth,
    notices: said(notices),
  };
}

/** Where a module is missing, the page adds whether its package folder has it. */
async function advised(error: RunErrorData | null, { deps }: Services): Promise<RunErrorData | null> {
  if (error?.wantedPackage === undefined) return error;
  const advice = await deps.adviceOn(error.wantedPackage);
  if (advice === undefined) return error;
  const { message, traceback } = error;
  return { ...error, message: `${message}\n${advice}`, traceback: `${traceback.replace(/\n$/, "")}\n${advice}\n` };
}

/** Codes of runs without a reply: whose code never began, or whose interpreter was lost. Only the page says so. */
const WITHOUT_REPLY: ReadonlySet<string> = new Set([
  "ASSET_LOAD",
  "CSP_BLOCKED",
  "PROTOCOL_VIOLATION",
  "SESSION_CLOSED",
  "UNEXPECTED",
  "WORKER_LOST",
  "WORKER_START",
]);

/** What the code raised. An error of a call may bear the code of another session's end, which is not this one's. */
function raised(error: RunErrorData | null): RunErrorData | null {
  return error !== null && WITHOUT_REPLY.has(error.code) ? { ...error, code: "PYTHON_ERROR" } : error;
}

function said(notices: readonly (string | undefined)[]): string[] {
  return notices.filter((notice) => notice !== undefined);
}

async function decoded(encoded: EncodedValue | null): Promise<{ value: Value; error: RunErrorData | null }> {
  if (encoded === null) return { value: null, error: null };
  try {
    return { value: await decodeValueInSlices(encoded), error: null };
  } catch (error) {
    if (!(error instanceof MalformedValueError)) throw error;
    const { code, name: pythonType, message } = error;
    return { value: null, error: { code, pythonType, message, traceback: "" } };
  }
}

function lostError(
  { reason, cause }: Extract<ExecutorOutcome, { kind: "lost" }>,
  { timeout, outputBytes }: RunPlan["wire"],
): RunErrorData {
  const killed = "The code did not stop by itself, so the interpreter was ended and its variables are gone.";
  switch (reason) {
    case "timeout": {
      const message = `Execution timeout after ${String((timeout ?? 0) / 1000)} seconds. ${killed}`;
      return { code: "RUN_TIMEOUT", pythonType: "RunTimeoutError", message, traceback: "" };
    }
    case "stopped": {
      const message = `The run was stopped. ${killed}`;
      return { code: "RUN_INTERRUPTED", pythonType: "RunInterruptedError", message, traceback: "" };
    }
    case "output": {
      const { message, ...error } = outputError(outputBytes);
      return { ...error, message: `${message} ${killed}` };
    }
    case "ended":
      return { code: "RUN_INTERRUPTED", pythonType: "RunInterruptedError", message: cause.message, traceback: "" };
    case "violation":
      return { code: "PROTOCOL_VIOLATION", pythonType: cause.name, message: cause.message, traceback: "" };
    case "crashed":
      return { code: "WORKER_LOST", pythonType: cause.name, message: cause.message, traceback: "" };
  }
}

function outputError(limit: number): RunErrorData {
  const message = `The run made more than ${limit.toLocaleString("en-US")} bytes of output and was stopped. Print less, or save the data as a file or an artifact.`;
  return { code: "OUTPUT_LIMIT", pythonType: "OutputLimitError", message, traceback: "" };
}
