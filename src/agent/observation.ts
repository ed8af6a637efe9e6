import { warningText } from "../check/index.js";
import type { RunResult } from "../session/index.js";

/** Bytes of an observation's text that a model is shown. */
export const MAX_OBSERVATION_SIZE = 10_000;

/** Warnings of the check that a model is told. */
const MOST_WARNINGS = 5;

export interface ObservationOptions {
  /** Python blocks of the reply that were not run. */
  readonly ignoredBlocks: number;
}

/**
 * What the model is told about a run: what it printed, its value or its error.
 * It holds nothing that differs when the same run is repeated, such as times:
 * recordings are compared by it.
 */
export function observe(run: RunResult, { ignoredBlocks }: ObservationOptions): string {
  const parts = run.error === null ? [observeOutcome(run)] : observeError(run);
  for (const notice of run.notices) {
    // Where the whole of a cut output lies differs from run to run, and is nothing that code can read.
    if (!notice.includes(run.runId)) parts.push(`Note: ${notice}`);
  }
  const warnings = run.findings.filter(({ severity }) => severity === "warning");
  if (warnings.length > 0) parts.push(warningNote(warnings));
  if (ignoredBlocks > 0) parts.push(ignoredNote(ignoredBlocks));
  return parts.join("\n\n");
}

/** Told instead of an observation when a reply holds no code. */
export const RETRY_TEXT = "Please respond with a python block only.";

/** Told when the server cut the reply inside its code block. */
export const CUT_REPLY_TEXT =
  "Your reply was cut off at the length limit before its python block ended, so nothing was run. " +
  "Please respond with a shorter python block, and split the work into several steps.";

/** Cuts text to `limit` bytes of UTF-8, at the end of a character, with a mark that says so. */
export function truncateText(text: string, limit = MAX_OBSERVATION_SIZE): string {
  // One unit of a string takes three bytes at most.
  if (text.length * 3 <= limit) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(limit));
  return read === text.length ? text : `${text.slice(0, read)}\n[OUTPUT TRUNCATED]`;
}

function observeOutcome({ stdout, valueRepr }: RunResult): string {
  const lines = stdout.trim() === "" ? [] : [stdout.trimEnd()];
  if (valueRepr !== null) lines.push(`Value: ${valueRepr}`);
  return `Observation:\n${lines.length === 0 ? "(no output)" : truncateText(lines.join("\n"))}`;
}

function observeError({ error, stdout }: RunResult): string[] {
  if (error === null) return [];
  const parts = [truncateText(`Execution error: ${error.pythonType}: ${error.message}`)];
  if (error.traceback.includes("\n")) parts.push(truncateText(error.traceback.trimEnd()));
  if (stdout.trim() !== "") parts.push(`Output before the error:\n${truncateText(stdout.trimEnd())}`);
  return parts;
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
