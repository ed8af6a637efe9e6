import { isRecord } from "../protocol/index.js";
import type { RunResult } from "../session/index.js";
import { PROJECT_LOG } from "./contract.js";
import { codegenError, type CodegenError } from "./errors.js";
import type { PlainJson } from "./plain-json.js";
import type { ArtifactPayload, ProgramState } from "./program-state.js";

/** How the run of a program ended. */
export interface ProgramEnd {
  readonly objective: string;
  /** What it made, in its order. */
  readonly artifacts: ReadonlyMap<string, ArtifactPayload>;
  readonly error: CodegenError | null;
  /** Whether nobody said that the artifacts are finished. */
  readonly areDrafts: boolean;
  /** What is worth knowing though it went well. */
  readonly warnings: readonly string[];
}

export interface ProgramRemains {
  readonly run: Pick<RunResult, "error" | "stderr">;
  readonly state: ProgramState;
  /** Text of the result file; undefined where there is none. */
  readonly resultText: string | undefined;
  readonly resultFilename: string;
  /** Milliseconds; null for no limit. */
  readonly timeout: number | null;
  /** Whether somebody stopped it. */
  readonly cancelled: boolean;
}

/** Finds out how a program ended: by what it said, by what it left, and by how its run ended. */
export function concludeProgram(remains: ProgramRemains): ProgramEnd {
  const { run, state, resultText } = remains;
  const ended = run.error === null || isPlainExit(run.error) ? null : runFailure(remains);
  if (state.finished !== null && ended !== null) return finishedBefore(ended, remains);
  // A result that a program saved by hand counts unless it was ended from outside.
  if (resultText !== undefined && !ended?.managed) return savedResult(resultText, remains, ended);
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
function finishedBefore(later: CodegenError, { state, resultText }: ProgramRemains): ProgramEnd {
  const result = resultText === undefined ? null : readResult(resultText);
  const error = state.finished?.error ?? null;
  const artifacts = result === null ? state.artifacts : result.artifacts;
  const warning = `After the program had finished: ${later.error === "" ? later.description : later.error}`;
  return { objective: state.objective, artifacts, error, areDrafts: false, warnings: [warning] };
}

function savedResult(text: string, remains: ProgramRemains, ended: CodegenError | null): ProgramEnd {
  const { state, resultFilename } = remains;
  const result = readResult(text);
  if (result === null) {
    const description = `The result file is no JSON: ${resultFilename}`;
    return kept(state, codegenError({ where: "codegen.tool", error: "malformed_result_json", description }), true);
  }
  const { objective, artifacts, error } = result;
  const warnings = ended === null ? [] : [`The program failed after it had saved its result: ${ended.error}`];
  return { objective: objective || state.objective, artifacts, error, areDrafts: false, warnings };
}

function kept({ objective, artifacts }: ProgramState, error: CodegenError, areDrafts: boolean): ProgramEnd {
  return { objective, artifacts, error, areDrafts, warnings: [] };
}

function missingResult({ resultFilename }: ProgramRemains): CodegenError {
  const description = `Expected result file not found: ${resultFilename}`;
  return codegenError({ where: "codegen.tool", error: "missing_result_file", description });
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

interface SavedResult {
  readonly objective: string;
  readonly artifacts: ReadonlyMap<string, ArtifactPayload>;
  readonly error: CodegenError | null;
}

/** Null for what is no JSON of a dict. */
function readResult(text: string): SavedResult | null {
  let parsed: PlainJson;
  try {
    parsed = JSON.parse(text) as PlainJson;
  } catch {
    return null;
  }
  if (!isDict(parsed)) return null;
  const { objective, out_dyn: made, out, error, ok } = parsed;
  const fromDict = isDict(made) ? Object.entries(made).filter(isArtifact) : [];
  const artifacts = new Map(fromDict.length > 0 ? fromDict : artifactRows(out));
  return {
    objective: typeof objective === "string" ? objective : "",
    artifacts,
    error: isDict(error) ? statedError(error) : ok === false ? UNSAID : null,
  };
}

const UNSAID = codegenError({ where: "runtime", error: "failed", description: "The program says that it failed." });

function isArtifact(entry: [string, PlainJson]): entry is [string, ArtifactPayload] {
  return entry[0] !== PROJECT_LOG && isDict(entry[1]);
}

/** Rows `{resource_id: "artifact:<id>", output: payload}`, also with `slot:`, or with what the payload has beside it. */
function artifactRows(rows: PlainJson | undefined): [string, ArtifactPayload][] {
  if (!Array.isArray(rows)) return [];
  return (rows as readonly PlainJson[]).filter(isDict).flatMap((row): [string, ArtifactPayload][] => {
    const { resource_id: name, output, type } = row;
    const id = typeof name === "string" ? /^(?:artifact|slot):(.+)$/.exec(name)?.[1] : undefined;
    if (id === undefined || id === PROJECT_LOG) return [];
    const payload: ArtifactPayload = isDict(output) ? output : { value: output ?? null };
    return [[id, { ...row, ...payload, type: payload.type ?? type ?? null }]];
  });
}

function statedError(error: ArtifactPayload): CodegenError {
  const text = (value: PlainJson | undefined): string =>
    typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  return codegenError({
    where: text(error.where) || "runtime",
    error: text(error.error),
    description: text(error.description),
    details: text(error.details),
    managed: error.managed !== false,
  });
}

function isDict(value: PlainJson | undefined): value is ArtifactPayload {
  return isRecord(value);
}
