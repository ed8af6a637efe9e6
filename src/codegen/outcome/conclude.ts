import type { RunResult } from "../../session/index.js";
import { codegenError, type CodegenError } from "../errors.js";
import type { ArtifactPayload, ProgramState } from "./program-state.js";
import type { ResultFile } from "./result-file.js";

/** How the run of a program ended. */
export interface ProgramEnd {
  readonly objective: string;
  /** What it made, in its order. */
  readonly artifacts: ReadonlyMap<string, ArtifactPayload>;
  /** By the ids of artifacts of which no more than their names could be taken: why. */
  readonly refused: ReadonlyMap<string, string>;
  readonly error: CodegenError | null;
  /** Whether nobody said that the artifacts are finished. */
  readonly areDrafts: boolean;
  /** What is worth knowing though it went well. */
  readonly warnings: readonly string[];
}

export interface ProgramRemains {
  readonly run: Pick<RunResult, "error" | "stderr">;
  readonly state: ProgramState;
  readonly resultFile: ResultFile;
  readonly resultFilename: string;
  /** Absolute, below `/workspace`. */
  readonly outputDir: string;
  readonly executionId: string;
  /** Milliseconds; null for no limit. */
  readonly timeout: number | null;
  /** Whether somebody stopped it. */
  readonly cancelled: boolean;
}

/** Finds out how a program ended: by what it said, by what it left, and by how its run ended. */
export function concludeProgram(remains: ProgramRemains): ProgramEnd {
  const end = endOf(remains);
  const again = remains.state.finishedAgain;
  if (again === null) return end;
  const warning = `finished_twice: ${again} was called after the program had finished; what it said first counts`;
  return { ...end, warnings: [...end.warnings, warning] };
}

function endOf(remains: ProgramRemains): ProgramEnd {
  const { run, state, resultFile } = remains;
  const ended = run.error === null || isPlainExit(run.error) ? null : runFailure(remains);
  if (state.finished !== null && ended !== null) return finishedBefore(ended, remains);
  if (state.finished !== null && resultFile.kind === "too-large") {
    // What `done()` was said of is on the page; the file holds no more, or what nobody wants.
    return { ...kept(state, state.finished.error, false), warnings: [`result_file_not_read: ${resultFile.reason}`] };
  }
  // A result that a program saved by hand counts unless it was ended from outside.
  if (resultFile.kind !== "none" && !ended?.managed) return savedResult(resultFile, remains, ended);
  if (ended !== null) return kept(state, ended, false);
  if (state.finished !== null) return kept(state, missingResult(remains), false);
  return kept(state, NO_DONE, true);
}

/** `sys.exit()`: the program is over, and that is no failure. */
function isPlainExit({ pythonType, message }: NonNullable<RunResult["error"]>): boolean {
  return pythonType === "SystemExit" && ["", "0", "None"].includes(message);
}

const NO_DONE = codegenError({
  where: "main",
  error: "no_done",
  description: "The program ended without done() or fail().",
});

/** It had said that it is done, or why not; what went wrong afterwards takes nothing of that away. */
function finishedBefore(later: CodegenError, { state, resultFile }: ProgramRemains): ProgramEnd {
  const end = kept(state, state.finished?.error ?? null, false);
  const warnings = [`After the program had finished: ${later.error === "" ? later.description : later.error}`];
  if (resultFile.kind !== "saved") return { ...end, warnings };
  const { artifacts, refused } = resultFile;
  return { ...end, artifacts, refused, warnings };
}

function savedResult(
  file: Exclude<ResultFile, { kind: "none" }>,
  { state, resultFilename }: ProgramRemains,
  ended: CodegenError | null,
): ProgramEnd {
  if (file.kind !== "saved") {
    const [error, description] =
      file.kind === "malformed"
        ? ["malformed_result_json", `The result file is no JSON: ${resultFilename}`]
        : ["program_output_limit", `The result file is not read: ${file.reason}. Write large contents to other files.`];
    return kept(state, codegenError({ where: "codegen.tool", error, description }), true);
  }
  const { objective, artifacts, refused, error } = file;
  const warnings = ended === null ? [] : [`The program failed after it had saved its result: ${ended.error}`];
  return { objective: objective || state.objective, artifacts, refused, error, areDrafts: false, warnings };
}

function kept({ objective, artifacts }: ProgramState, error: CodegenError | null, areDrafts: boolean): ProgramEnd {
  return { objective, artifacts, refused: new Map(), error, areDrafts, warnings: [] };
}

function missingResult({ resultFilename, outputDir: outdir, executionId: run_id }: ProgramRemains): CodegenError {
  const description = `Expected result file not found: ${resultFilename}`;
  const details = JSON.stringify({ outdir, workdir: "/workspace", run_id });
  return codegenError({ where: "codegen.tool", error: "missing_result_file", description, details });
}

function runFailure({ run, timeout, cancelled }: ProgramRemains): CodegenError {
  const { code = "", pythonType = "", message = "", traceback = "" } = run.error ?? {};
  if (code === "RUN_TIMEOUT") {
    const seconds = String((timeout ?? 0) / 1000);
    const description = `Solver runtime exceeded ${seconds}s and was terminated.`;
    return codegenError({ where: "runtime", error: "timeout", description, details: traceback });
  }
  if (cancelled || code === "RUN_INTERRUPTED") {
    return codegenError({
      where: "runtime",
      error: "cancelled",
      description: "The run was stopped.",
      details: traceback,
    });
  }
  if (code !== "PYTHON_ERROR" && traceback === "") {
    return codegenError({ where: "runtime", error: code.toLowerCase(), description: message });
  }
  if (isSyntaxError(pythonType) && !RAN.test(traceback)) {
    const line = /line (\d+)/.exec(traceback)?.[1];
    const description = `${message.replace(/ \(<main\.py>, line \d+\)$/, "")}${line === undefined ? "" : ` (line ${line})`}`;
    return codegenError({ where: "main", error: "syntax_error", description, details: traceback, managed: false });
  }
  const error = message === "" ? pythonType : `${pythonType}: ${message}`;
  return codegenError({ where: "main", error, description: "Unhandled error", details: traceback, managed: false });
}

/** A frame of the program: it ran. */
const RAN = /File "<main\.py>", line \d+, in /;

function isSyntaxError(pythonType: string): boolean {
  return ["SyntaxError", "IndentationError", "TabError"].includes(pythonType);
}
