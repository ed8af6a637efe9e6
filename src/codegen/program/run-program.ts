import { contractRecord, type Contract } from "../../contract/index.js";
import { messageOf, shorten, shortenTo, type OutputChunk, type Value } from "../../protocol/index.js";
import type { JournalEntry } from "../../dispatch/index.js";
import type { ChildSession, HelperCall, RunResult } from "../../session/index.js";
import { toolAlias, type Tool } from "../../tools/index.js";
import { WorkspaceNotFoundError, WorkspacePathError } from "../../workspace/index.js";
import type { CallRecords } from "../records/call-records.js";
import type { FetchContext } from "../codegen-options.js";
import { concludeProgram, type ProgramEnd } from "../outcome/conclude.js";
import { readResultFile } from "../outcome/result-file.js";
import { CITABLE_TOOLS, sourcesAt, type SourcePool } from "../sources/sources.js";
import { ProgramState, type ProgressNews } from "../outcome/program-state.js";

export interface ProgramRunOptions {
  /** In a clean interpreter. */
  readonly child: ChildSession;
  readonly code: string;
  readonly contract: Contract;
  readonly executionId: string;
  /** Absolute, below `/workspace`, and of this run alone. */
  readonly outputDir: string;
  readonly resultFilename: string;
  /** Milliseconds; null for no limit. */
  readonly timeout: number | null;
  readonly signal: AbortSignal;
  /** The child was opened to tell them. */
  readonly records: CallRecords;
  readonly sources: SourcePool;
  /** Tools whose results are sources. Default: {@link CITABLE_TOOLS}. */
  readonly citableTools?: readonly string[];
  readonly fetchContext?: FetchContext;
  readonly onProgress?: (news: ProgressNews, state: ProgramState) => void;
  readonly onOutput?: (chunk: OutputChunk) => void;
  readonly onCall?: (entry: JournalEntry) => void;
}

export interface ProgramRun {
  readonly run: RunResult;
  readonly state: ProgramState;
  readonly end: ProgramEnd;
  /** Reads a file that this run wrote below its output folder. */
  readonly readFile: (path: string) => Promise<Uint8Array | undefined>;
}

/** More names than these are not given to a program: it finds them as `tools.name`. */
const MOST_ALIASES = 500;

/** Runs a program with its header, and finds out how it ended. Whatever the program does, this resolves. */
export async function runProgram(options: ProgramRunOptions): Promise<ProgramRun> {
  const { child, code, contract, executionId, outputDir, resultFilename, timeout, signal } = options;
  const state = new ProgramState();
  const run = await child.run(code, {
    helpers: {
      kind: "codegen",
      outputDir,
      resultFilename,
      executionId,
      contract: contractRecord(contract),
      aliases: aliasesOf(child.tools.list()),
    },
    name: "main.py",
    timeout,
    signal,
    onHelperCall: (call) => answer(call, state, options),
    ...(options.onOutput === undefined ? {} : { onOutput: options.onOutput }),
    ...(options.onCall === undefined ? {} : { onCall: options.onCall }),
  });
  takeSources(options);
  const readFile = filesBelow(child, outputDir);
  let unreadable: string[] = [];
  const bytes = await readFile(resultFilename).catch((error: unknown) => {
    unreadable = [`result_file_unreadable: ${messageOf(error)}`];
    return undefined;
  });
  const cancelled = signal.aborted;
  const end = concludeProgram({
    run,
    state,
    resultFile: readResultFile(bytes),
    resultFilename,
    outputDir,
    executionId,
    timeout,
    cancelled,
  });
  return { run, state, end: { ...end, warnings: [...end.warnings, ...unreadable] }, readFile };
}

function answer(call: HelperCall, state: ProgramState, options: ProgramRunOptions): Value | Promise<Value> {
  const { content } = call;
  switch (call.kind) {
    case "call":
      options.records.announce(typeof content.reason === "string" ? content.reason.slice(0, 300) : "");
      return null;
    case "fetch_ctx":
      return fetchContext(content.path, options);
    case "merge_sources":
      takeSources(options);
      return options.sources.merge(content.lists).map((source) => ({ ...source }));
    default: {
      const news = state.take(call);
      if (news !== null) options.onProgress?.(news, state);
      return null;
    }
  }
}

/** Characters of a path, as a context takes them. Whoever looks one up may take longer than its length says. */
const LONGEST_PATH = 1_000;

async function fetchContext(path: Value, options: ProgramRunOptions): Promise<Value> {
  if (typeof path !== "string" || path.trim() === "") {
    return { ret: null, err: { code: "invalid_path_empty", message: "The path is empty." } };
  }
  if (path.length > LONGEST_PATH) {
    const message = `This is a text, not a path: ${JSON.stringify(shorten(path, 200))}`;
    return { ret: null, err: { code: "invalid_path_literal", message } };
  }
  takeSources(options);
  const sources = sourcesAt(options.sources, path);
  if (sources !== null) {
    return { ret: sources.map((source) => ({ ...source, ...options.sources.contentOf(source.sid) })), err: null };
  }
  const { fetchContext: fetch } = options;
  if (fetch === undefined)
    return { ret: null, err: { code: "not_found", message: `There is nothing at ${shortenTo(path, 200)}.` } };
  try {
    const { ret, err } = await fetch(path);
    return { ret, err: err === null ? null : { ...err } };
  } catch (error) {
    return { ret: null, err: { code: "tool_failure", message: messageOf(error) } };
  }
}

function takeSources({ sources, records, citableTools = CITABLE_TOOLS }: ProgramRunOptions): void {
  sources.addRecords(records.all, citableTools);
}

function filesBelow({ workspace }: ChildSession, outputDir: string): ProgramRun["readFile"] {
  const folder = outputDir.replace(/^\/workspace\//, "");
  return async (path) => {
    try {
      return await workspace.read(`${folder}/${path}`);
    } catch (error) {
      if (error instanceof WorkspaceNotFoundError || error instanceof WorkspacePathError) return undefined;
      throw error;
    }
  };
}

function aliasesOf(tools: readonly Tool[]): Record<string, string> {
  return Object.fromEntries(tools.slice(0, MOST_ALIASES).map((tool) => [toolAlias(tool), tool.name]));
}
