import type { ModelUsage } from "../../model/index.js";
import { shortenTo, type Value } from "../../protocol/index.js";
import type { CallRecord } from "../records/call-records.js";
import { errorLogTail, type CodegenError } from "../errors.js";
import type { Source } from "../sources/sources.js";
import type { CodegenItem } from "./items.js";

/** What came of one call of a tool that writes or runs programs. */
export interface CodegenResult {
  /** `cg-` and eight digits. */
  readonly runId: string;
  /** Whether every item was made and nothing failed. */
  readonly ok: boolean;
  /** `partial`: some items can be used. */
  readonly status: "success" | "partial" | "error";
  readonly error: CodegenError | null;
  /** `ERROR [code] at codegen: message` where something failed. */
  readonly summary: string;
  readonly items: readonly CodegenItem[];
  /** Notes of the model beside its program. */
  readonly reasoning: string;
  /** Below `/workspace`; null where nothing ran. */
  readonly outputDir: string | null;
  readonly resultFilename: string;
  readonly projectLog: string;
  /** The end of what the program wrote to stderr, without lines of level INFO. */
  readonly errorLog: string;
  readonly sourcesPool: readonly Source[];
  /** By tool the records of its calls, in order: files of `codegen/<run id>/tool_calls` below `/workspace`. */
  readonly toolCallsIndex: Readonly<Record<string, readonly string[]>>;
  readonly calls: readonly CallRecord[];
  /** What is worth knowing though it went well. */
  readonly warnings: readonly string[];
  /** The program that counts; null where there is none. */
  readonly program: string | null;
  /** Where the programs that ran are kept, below `/workspace`. */
  readonly executedPrograms: readonly string[];
  /** How often the model was asked. */
  readonly attempts: number;
  /** Of all attempts together; null where no server told. */
  readonly usage: ModelUsage | null;
  /** Milliseconds. */
  readonly timings: { readonly codegen: number; readonly exec: number };
}

/** A result of which nothing but its error is known. */
export function failedResult(runId: string, error: CodegenError): CodegenResult {
  return {
    runId,
    ok: false,
    status: "error",
    error,
    summary: errorSummary(error),
    items: [],
    reasoning: "",
    outputDir: null,
    resultFilename: resultFilename(runId),
    projectLog: "",
    errorLog: "",
    sourcesPool: [],
    toolCallsIndex: {},
    calls: [],
    warnings: [],
    program: null,
    executedPrograms: [],
    attempts: 0,
    usage: null,
    timings: { codegen: 0, exec: 0 },
  };
}

/** Where a program leaves its result, below its output folder. */
export function resultFilename(runId: string): string {
  return `codegen_result_${runId.replace(/[^\w.-]/g, "_")}.json`;
}

/** Characters of a program that its preview shows. */
const PREVIEW = 8_000;

/** The result as the tool returns it: what a model and a program read. */
export function resultValue(result: CodegenResult): Value {
  const { runId, ok, status, error, summary, items, errorLog, reasoning, warnings, program, timings, attempts } =
    result;
  return {
    ok,
    status,
    error: error === null ? null : { ...error },
    summary,
    items: items.map((item) => itemValue(item, errorLog)),
    run_id: runId,
    reasoning,
    result_filename: result.resultFilename,
    outdir: result.outputDir,
    project_log: result.projectLog,
    sources_pool: result.sourcesPool.map((source) => ({ ...source })),
    tool_calls_index: Object.fromEntries(Object.entries(result.toolCallsIndex).map(([id, files]) => [id, [...files]])),
    warnings: [...warnings],
    main_preview: program?.slice(0, PREVIEW) ?? null,
    executed_programs: [...result.executedPrograms],
    attempts,
    timings: { codegen_ms: Math.round(timings.codegen), exec_ms: Math.round(timings.exec) },
  };
}

function itemValue(item: CodegenItem, errorLog: string): Value {
  const { output } = item;
  return {
    artifact_id: item.artifactId,
    type: item.kind,
    ...(item.format === null ? {} : { format: item.format }),
    ...(item.mime === null ? {} : { mime: item.mime }),
    description: item.description,
    status: item.status,
    summary: item.summary,
    output: output === null ? null : outputValue(output),
    error: item.error === null ? null : errorValue(item.error, output === null ? errorLog : ""),
    ...(item.draft ? { draft: true } : {}),
    ...(item.gaps === null ? {} : { gaps: item.gaps }),
    ...(item.sourcesUsed.length === 0 ? {} : { sources_used: [...item.sourcesUsed] }),
    ...(item.unresolvedSources.length === 0 ? {} : { unresolved_sources: [...item.unresolvedSources] }),
    ...(item.warnings.length === 0 ? {} : { warnings: [...item.warnings] }),
  };
}

function outputValue(output: NonNullable<CodegenItem["output"]>): Value {
  if (output.kind === "inline") return { value: output.value, text: output.text };
  return { path: output.path, workspace_path: output.workspacePath, size: output.size, text: output.text };
}

/** What was not made says in its message what the program wrote to stderr: a reader of the message looks no further. */
function errorValue(error: CodegenError, errorLog: string): Value {
  if (errorLog === "") return { ...error };
  return { ...error, description: `${error.description}\n\n${errorLogTail(errorLog)}` };
}

/** `ERROR [code] at codegen: message`, at most 300 characters. */
function errorSummary({ where, error, description }: CodegenError): string {
  if (error === "missing_result_file") return "ERROR: missing result file";
  if (error === "malformed_result_json") return "ERROR: malformed result.json";
  return shortenTo(`ERROR [${error}] at ${where === "exec" ? where : "codegen"}: ${description}`, 300);
}
