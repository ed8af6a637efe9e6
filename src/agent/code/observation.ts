import { warningText } from "../../check/index.js";
import { shortenBytes, signalText } from "../../protocol/index.js";
import type { RunResult } from "../../session/index.js";
import { MAX_OBSERVATION_SIZE } from "../conversation/conversation.js";

/** Warnings of the check that a model is told. */
const MOST_WARNINGS = 5;

/** Of a failure that is remembered: it is told again in every later step. */
const LONGEST_FAILURE = /^.{0,300}/su;

/** Told of an answer whose block failed after it: what the answer rests on may be what failed. */
const LOST_ANSWER_NOTE =
  "Note: nothing was handed in: the block failed after final_answer(). " +
  "Call it once, in a block that does not fail.";

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
  const signals = unsaidSignals(run, parts);
  if (run.error !== null) parts.push(...hints);
  if (run.error !== null && run.finalAnswer !== null) parts.push(LOST_ANSWER_NOTE);
  if (signals.length > 0) parts.push(shortenBytes(signals.join("\n"), limit));
  // Where the whole of a cut output lies differs from run to run, and is nothing that code can read.
  const notices = run.notices.filter((notice) => !notice.includes(run.runId)).map((notice) => `Note: ${notice}`);
  if (notices.length > 0) parts.push(shortenBytes(notices.join("\n\n"), limit));
  const warnings = run.findings.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0) parts.push(warningNote(warnings));
  if (ignoredBlocks > 0) parts.push(ignoredNote(ignoredBlocks));
  if (memory !== "") parts.push(memory);
  return parts.join("\n\n");
}

/** How a run failed, in a short line; what an approach that failed is remembered by. */
export function failureOf({ error }: RunResult): string | null {
  if (error === null) return null;
  if (error.code === "RUN_TIMEOUT") return "Timeout";
  const line = `${error.pythonType}: ${error.message.split("\n")[0] ?? ""}`;
  // The flag keeps characters of two units whole.
  const short = LONGEST_FAILURE.exec(line)?.[0] ?? "";
  return short === line ? line : `${short}...`;
}

/** Told instead of an observation when a reply holds no code. */
export const RETRY_TEXT = "Please respond with a python block only.";

/** Told when the server cut the reply before a code block in it was whole. */
export const CUT_REPLY_TEXT =
  "Your reply was cut off at the length limit before it held a whole python block, so nothing was run. " +
  "Please respond with a shorter python block, and split the work into several steps.";

/** Told when the server withheld the reply, or the rest of it, before a code block in it was whole. */
export const WITHHELD_REPLY_TEXT =
  "The server's content filter withheld your reply or the rest of it before it held a whole python block, so nothing was run. " +
  "Please respond with a python block in other words.";

function observeOutcome({ stdout, valueRepr, signals }: RunResult, limit: number): string {
  const lines = stdout.trim() === "" ? [] : [stdout.trimEnd()];
  // A signal is its own value, and told as the signal that it is.
  const isSignal = signals.some((signal) => signalText(signal) === valueRepr);
  if (valueRepr !== null && !isSignal) lines.push(`Value: ${valueRepr}`);
  return `Observation:\n${lines.length === 0 ? "(no output)" : shortenBytes(lines.join("\n"), limit)}`;
}

function observeError({ error, stdout, timeout }: RunResult, limit: number): string[] {
  if (error === null) return [];
  const { code, pythonType, message, traceback } = error;
  if (code === "RUN_TIMEOUT" && timeout !== null) {
    return [`Execution timed out after ${String(timeout / 1000)}s`, ...outputBefore(stdout, limit)];
  }
  const parts = [
    shortenBytes(
      SYNTAX_ERRORS.has(pythonType) ? `Syntax error in code: ${message}` : `Execution error: ${pythonType}: ${message}`,
      limit,
    ),
  ];
  if (traceback.includes("\n")) parts.push(shortenBytes(traceback.trimEnd(), limit));
  return [...parts, ...outputBefore(stdout, limit)];
}

const SYNTAX_ERRORS: ReadonlySet<string> = new Set(["SyntaxError", "IndentationError", "TabError"]);

function outputBefore(stdout: string, limit: number): string[] {
  return stdout.trim() === "" ? [] : [`Output before the error:\n${shortenBytes(stdout.trimEnd(), limit)}`];
}

/** Signals with which no line of the sections ends already: `print(explore("x"))` is one line and not two. */
function unsaidSignals({ signals }: RunResult, sections: readonly string[]): string[] {
  const lines = (text: string): string[] => text.split("\n").map((line) => line.trimEnd());
  const said = `${sections.flatMap(lines).join("\n")}\n`;
  return signals.map(signalText).filter((text) => !said.includes(`${lines(text).join("\n")}\n`));
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
