import {
  checkFilename,
  ContractError,
  jsonParameter,
  LONGEST_CONTRACT,
  MOST_ENTRIES,
  type Contract,
  type FileEntry,
} from "../contract/index.js";
import { isRecord, messageOf, type Value } from "../protocol/index.js";
import type { ToolContext } from "../tools/index.js";
import { CallRecords } from "./records/call-records.js";
import { newRunId } from "./codegen.js";
import type { ProgramOptions } from "./codegen-options.js";
import { codegenError, type CodegenError } from "./errors.js";
import { CodegenLog, type CodegenEvent } from "./events.js";
import type { CodegenItem } from "./outcome/items.js";
import { keepCallRecords } from "./records/keep-call-records.js";
import { ProgramAttempt, type AttemptOutcome } from "./program/program-attempt.js";
import { DEFAULT_SECONDS, progressReporter } from "./program-tool.js";
import { failedResult, resultFilename, type CodegenResult } from "./outcome/result.js";
import { SourcePool } from "./sources/sources.js";
import { ProgramReporter } from "./program-reporter.js";

/** One call of `execute_code_python`. Never rejects: a failure is a result. */
export async function executeCode(
  args: Readonly<Record<string, Value>>,
  context: ToolContext,
  options: ProgramOptions & { readonly onEvent?: (event: CodegenEvent) => void },
): Promise<CodegenResult> {
  const runId = newRunId();
  const reportProgress = progressReporter(context);
  const reporter = new ProgramReporter(context.task, context.callId);
  const log = new CodegenLog(runId, (event) => {
    reportProgress(event);
    reporter.report(event);
    options.onEvent?.(event);
  });
  const finish = (result: CodegenResult): CodegenResult => {
    log.add({ type: "codegen-ended", result }, { id: `${runId}/end`, parentId: runId });
    return result;
  };
  const request = readRequest(args, options);
  if (request instanceof ContractError) {
    const { code: error, message: description } = request;
    return finish(resultOf(runId, codegenError({ where: "exec", error, description }), null));
  }
  const { code, contract, timeout } = request;
  const progName = typeof args.prog_name === "string" ? args.prog_name : "Program";
  log.add({ type: "codegen-started", progName, instruction: "", contract, model: null }, { id: runId, parentId: null });
  const records = new CallRecords();
  const sources = options.knownSources?.() ?? new SourcePool();
  const attempt = new ProgramAttempt({
    ...options,
    timeout,
    number: 1,
    contract,
    records,
    sources,
    runId,
    signal: context.signal,
    parentCall: context.callId,
    programLabel: "execute_code_python",
    outputDir: `/workspace/codegen/${runId}`,
    resultFilename: resultFilename(runId),
    needsDone: false,
    report: (body, part) => {
      log.add(body, { id: `${runId}/1/${part}`, parentId: part === "run" ? runId : `${runId}/1/run` });
    },
    followLog: (write) => {
      log.followProject(write);
    },
  });
  try {
    await attempt.open();
    const outcome = await attempt.run(code, { reply: "", notes: "", others: [] });
    for (const item of outcome.items) {
      log.add({ type: "item", item }, { id: `${runId}/item/${item.artifactId}`, parentId: runId });
    }
    const sourcesPool = sources.addedOr(outcome.items.flatMap(({ sourcesUsed }) => sourcesUsed));
    const ran = { sourcesPool, calls: records.all, toolCallsIndex: CallRecords.indexOf(records.all) };
    const result = resultOf(runId, failureOf(outcome), outcome);
    const warnings = [...result.warnings, ...(await keepCallRecords(options.session.workspace, runId, records))];
    return finish({ ...result, ...ran, warnings });
  } catch (error) {
    const description = messageOf(error);
    return finish(resultOf(runId, codegenError({ where: "exec", error: "execution_failed", description }), null));
  } finally {
    await attempt.close();
    log.end();
  }
}

interface ParsedRequest {
  readonly code: string;
  readonly contract: Contract;
  readonly timeout: number | null;
}

function readRequest(
  args: Readonly<Record<string, Value>>,
  { timeout: most = DEFAULT_SECONDS * 1000 }: ProgramOptions,
): ParsedRequest | ContractError {
  try {
    const { code, out_artifacts_spec: spec, timeout_s: seconds } = args;
    if (typeof code !== "string" || code.trim() === "") {
      throw new ContractError("missing_parameters", "The code is missing.", { field: "code" });
    }
    const asked = typeof seconds === "number" && seconds > 0 ? seconds * 1000 : null;
    const timeout = asked === null ? most : Math.min(asked, most ?? Infinity);
    return { code, contract: parseArtifacts(spec), timeout };
  } catch (error) {
    if (error instanceof ContractError) return error;
    throw error;
  }
}

/** `[{name, filename, mime, description}]`, or JSON of it. @throws {ContractError} */
export function parseArtifacts(given: Value): Contract {
  const isText = typeof given === "string" && given.trim() !== "";
  const list = isText
    ? jsonParameter("out_artifacts_spec", given, { most: LONGEST_CONTRACT, code: "invalid_artifacts_json" })
    : given;
  if (list === undefined || list === null || list === "" || (Array.isArray(list) && list.length === 0)) {
    throw new ContractError("missing_artifacts", "The out_artifacts_spec is missing or empty.");
  }
  if (!Array.isArray(list)) throw new ContractError("invalid_artifacts", "The out_artifacts_spec is a list of dicts.");
  if (list.length > MOST_ENTRIES) {
    throw new ContractError("invalid_artifacts", `The out_artifacts_spec has at most ${String(MOST_ENTRIES)} files.`);
  }
  const contract = new Map<string, FileEntry>();
  (list as readonly Value[]).forEach((row, index) => {
    const { name, ...entry } = parseArtifact(row, index);
    const others = [...contract.values()].map(({ filename }) => filename.toLowerCase());
    if (contract.has(name) || others.includes(entry.filename.toLowerCase())) {
      throw new ContractError("invalid_artifact_spec", `Two artifacts have the name or filename of "${name}".`, {
        entry: name,
        field: contract.has(name) ? "name" : "filename",
      });
    }
    contract.set(name, entry);
  });
  return contract;
}

function parseArtifact(row: Value, index: number): FileEntry & { readonly name: string } {
  const text = (field: string): string => {
    const value = isRecord(row) ? row[field] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
    throw new ContractError("invalid_artifact_spec", `Artifact ${String(index)} has no ${field}.`, {
      entry: String(index),
      field,
    });
  };
  const artifact = {
    type: "file",
    name: text("name"),
    filename: text("filename"),
    mime: text("mime"),
    description: text("description"),
  } as const;
  checkFilename(artifact.name, artifact.name);
  checkFilename(artifact.filename, artifact.name);
  return artifact;
}

/** A program that ran through and left something out, or one that did not run through. */
function failureOf({ error, items }: AttemptOutcome): CodegenError | null {
  if (error !== null) {
    const { error: cause, description } = error;
    const what = [cause, description].filter((part) => part !== "").join(": ");
    return { ...error, where: "exec", error: "execution_failed", description: what };
  }
  const failed = items.filter(({ status }) => status === "error");
  if (failed.length === 0) return null;
  const isMissing = ({ error: fault }: CodegenItem): boolean => MISSING.test(fault?.description ?? "");
  const missing = failed.filter(isMissing);
  const unusable = failed.filter((item) => !isMissing(item));
  const description = [
    ...(missing.length === 0 ? [] : [`Promised and not written: ${named(missing)}`]),
    ...(unusable.length === 0 ? [] : [`Written and not usable: ${named(unusable)}`]),
  ].join(". ");
  return codegenError({
    where: "exec",
    error: missing.length === 0 ? "artifact_invalid" : "missing_output_files",
    description,
  });
}

const MISSING = /^(?:file_not_found|empty_file)\b/;

function named(items: readonly CodegenItem[]): string {
  return items.map(({ artifactId, error }) => `${artifactId} (${error?.description ?? ""})`).join(", ");
}

function resultOf(runId: string, error: CodegenError | null, outcome: AttemptOutcome | null): CodegenResult {
  const items = outcome?.items ?? [];
  const usable = items.filter(({ status }) => status === "success").length;
  const result = failedResult(runId, error ?? codegenError({ where: "exec", error: "" }));
  return {
    ...result,
    ...(error === null ? { ok: true, error, summary: `Made ${String(usable)} files` } : {}),
    status: error === null ? "success" : usable > 0 ? "partial" : "error",
    items,
    outputDir: outcome?.outputDir ?? null,
    projectLog: outcome?.projectLog ?? "",
    errorLog: outcome?.errorLog ?? "",
    warnings: outcome?.warnings ?? [],
    program: outcome?.code ?? null,
    executedPrograms: outcome?.programPath ?? [],
    timings: { codegen: 0, exec: outcome?.elapsed ?? 0 },
  };
}
