import type { CellFile, CellOutcome, CellRunRequest, LentSession, SessionRequest } from "../cell-runtime.js";
import type { CellSession } from "./cell-session.js";
import { runChecks } from "./checks/run-checks.js";
import { faultLineOf } from "./fault-line.js";
import { textOf } from "./run-text.js";
import type { FilesOfRun } from "./site-files.js";

/** What a run has beside its request. */
export interface CellRunParts {
  readonly files: FilesOfRun;
  /** Aborted when the reader stops the run, or its session is reset. */
  readonly signal: AbortSignal;
  /** The code is at work from now on: whatever happens, there is a result. */
  readonly onCode: () => void;
}

/**
 * Makes a run in a session that is its own for that time: brings the session to what the cell asks for, runs the code, and
 * has it checked.
 *
 * @throws {VitrineError} where the code could not be run. @throws the signal's reason before it began.
 */
export async function runCell(cell: CellSession, request: CellRunRequest, parts: CellRunParts): Promise<CellOutcome> {
  const { settings, code, name, checks, onOutput, onInput } = request;
  const { signal } = parts;
  const { session, phases } = cell;
  const { timeout } = settings;
  await prepare(cell, request, parts);
  const result = await cell.run(code, { name, timeout, signal, onOutput, onInput });
  const isChecked = result.ok && checks.length > 0;
  if (isChecked) phases.tell({ kind: "checking" });
  const onLost = (notice: string): void => {
    cell.notice(notice);
  };
  return {
    result,
    checks: isChecked ? await runChecks(checks, { session, timeout, signal, onLost }) : [],
    faultLine: faultLineOf(result.error, { name, code }),
    text: textOf(result),
    duration: result.elapsed,
  };
}

/** Brings a session to what is asked of it, and lends it to a job. @throws as {@link runCell}, and what the job throws. */
export async function lendCell<T>(
  cell: CellSession,
  request: SessionRequest,
  { parts, job }: { readonly parts: CellRunParts; readonly job: (lent: LentSession) => Promise<T> },
): Promise<T> {
  await prepare(cell, request, parts);
  return job({ session: cell.session, signal: parts.signal, run: (code, options) => cell.run(code, options) });
}

async function prepare(
  cell: CellSession,
  request: SessionRequest,
  { files, signal, onCode }: CellRunParts,
): Promise<void> {
  const { settings } = request;
  signal.throwIfAborted();
  await placeFiles(cell, cell.missingOf(settings.files), files);
  await cell.adapt(settings, signal);
  await cell.prepare(request, signal);
  signal.throwIfAborted();
  onCode();
  cell.phases.tell({ kind: "running" });
}

async function placeFiles(cell: CellSession, missing: readonly CellFile[], files: FilesOfRun): Promise<void> {
  if (missing.length === 0) return;
  cell.phases.tell({ kind: "loading-files", names: missing.map(({ path }) => path) });
  const fetched = missing.map(async (file) => ({ file, content: await files.get(file) }));
  await cell.write(await Promise.all(fetched));
}
