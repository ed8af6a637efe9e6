import { warningText } from "../../check/index.js";
import type { RunResult, Signal } from "../../session/index.js";
import { MAX_OBSERVATION_SIZE, truncateText } from "../truncate-text.js";

/** Warnings of the check that a model is told. */
const MOST_WARNINGS = 5;

export interface ObservationOptions {
  /** Python blocks of the reply that were not run. */
  readonly ignoredBlocks: number;
  /** Bytes of each text that are shown. Default {@link MAX_OBSERVATION_SIZE}. */
  readonly limit?: number;
  /** Documentation of what the code used, told beside an error. */
  readonly hints?: readonly string[];
  /** The working memory as text, told at the end. */
  readonly memory?: string;
}

/**
 * What the model is told about a run: what it printed, its value or its error.
 * It holds nothing that differs when the same run is repeated, such as times:
 * recordings are compared by it.
 */
export function observe(run: RunResult, options: ObservationOptions): string {
  const { ignoredBlocks, limit = MAX_OBSERVATION_SIZE, hints = [], memory = "" } = options;
  const parts = run.error === null ? [observeOutcome(run, limit)] : observeError(run, limit);
  if (run.error !== null) parts.push(...hints);
  const signals = unsaidSignals(run);
  if (signals.length > 0) parts.push(truncateText(signals.join("\n"), limit));
  for (const notice of run.notices) {
    // Where the whole of a cut output lies differs from run to run, and is nothing that code can read.
    if (!notice.includes(run.runId)) parts.push(`Note: ${notice}`);
  }
  const warnings = run.findings.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0) parts.push(warningNote(warnings));
  if (ignoredBlocks > 0) parts.push(ignoredNote(ignoredBlocks));
  if (memory !== "") parts.push(memory);
  return parts.join("\n\n");
}

/** How a run failed, in a line; what an approach that failed is remembered by. */
export function failureOf({ error }: RunResult): string | null {
  if (error === null) return null;
  if (error.code === "RUN_TIMEOUT") return "Timeout";
  return `${error.pythonType}: ${error.message.split("\n")[0] ?? ""}`;
}

/** A signal as a line of text. */
export function signalText({ type, message }: Signal): string {
  return `[${type.toUpperCase()}] ${message}`;
}

/** Told instead of an observation when a reply holds no code. */
export const RETRY_TEXT = "Please respond with a python block only.";

/** Told when the server cut the reply inside its code block. */
export const CUT_REPLY_TEXT =
  "Your reply was cut off at the length limit before its python block ended, so nothing was run. " +
  "Please respond with a shorter python block, and split the work into several steps.";

function observeOutcome({ stdout, valueRepr, signals }: RunResult, limit: number): string {
  const lines = stdout.trim() === "" ? [] : [stdout.trimEnd()];
  // A signal is its own value, and told as the signal that it is.
  const isSignal = signals.some((signal) => signalText(signal) === valueRepr);
  if (valueRepr !== null && !isSignal) lines.push(`Value: ${valueRepr}`);
  return `Observation:\n${lines.length === 0 ? "(no output)" : truncateText(lines.join("\n"), limit)}`;
}

function observeError({ error, stdout, timeout }: RunResult, limit: number): string[] {
  if (error === null) return [];
  const { code, pythonType, message, traceback } = error;
  if (code === "RUN_TIMEOUT" && timeout !== null) {
    return [`Execution timed out after ${String(timeout / 1000)}s`, ...outputBefore(stdout, limit)];
  }
  const parts = [
    truncateText(
      SYNTAX_ERRORS.has(pythonType) ? `Syntax error in code: ${message}` : `Execution error: ${pythonType}: ${message}`,
      limit,
    ),
  ];
  if (traceback.includes("\n")) parts.push(truncateText(traceback.trimEnd(), limit));
  return [...parts, ...outputBefore(stdout, limit)];
}

const SYNTAX_ERRORS: ReadonlySet<string> = new Set(["SyntaxError", "IndentationError", "TabError"]);

function outputBefore(stdout: string, limit: number): string[] {
  return stdout.trim() === "" ? [] : [`Output before the error:\n${truncateText(stdout.trimEnd(), limit)}`];
}

/** Signals that the output does not show already: `print(explore("x"))` is one line and not two. */
function unsaidSignals({ signals, stdout }: RunResult): string[] {
  const said = new Set(stdout.split("\n").map((line) => line.trim()));
  return signals.map(signalText).filter((text) => !said.has(text));
}

function warningNote(warnings: RunResult["findings"]): string {
  const lines = warnings.slice(0, MOST_WARNINGS).map((warning) => `- ${warningText(warning)}`);
  const left = warnings.length - lines.length;
  return ["The check of this code warns:", ...lines, ...(left > 0 ? [`and ${String(left)} more`] : [])].join("\n");
}

function ignoredNote(blocks: number): string {
  const others = blocks === 1 ? "another one was" : `${String(blocks)} others were`;
  return `Note: only the first python block of your reply was run; ${others} ignored.`;
}
