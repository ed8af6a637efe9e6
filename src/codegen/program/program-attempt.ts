import type { Contract } from "../../contract/index.js";
import type { ChildSession } from "../../session/index.js";
import type { Tool, ToolScope } from "../../tools/index.js";
import type { CallRecords } from "../records/call-records.js";
import { checkContentIn } from "../outcome/check-content.js";
import type { ProgramOptions } from "../codegen-options.js";
import type { CodegenError } from "../errors.js";
import type { CodegenEventBody } from "../events.js";
import { boundedWarnings, makeItems, uncontracted, type CodegenItem } from "../outcome/items.js";
import { projectLog } from "../outcome/project-log.js";
import type { ProgramEnd } from "../outcome/conclude.js";
import { PROGRAM_TOOL_TAG } from "../outcome/program-tag.js";
import type { SourcePool } from "../sources/sources.js";
import { keepProgram } from "./keep-program.js";
import { runProgram, type ProgramRun } from "./run-program.js";

const DEFAULT_TIMEOUT = 600_000;
/** Characters of stderr that an error shows. */
const ERROR_LOG = 4_000;

export interface ProgramAttemptOptions extends ProgramOptions {
  readonly number: number;
  readonly contract: Contract;
  /** Of all attempts together. */
  readonly records: CallRecords;
  readonly sources: SourcePool;
  readonly signal: AbortSignal;
  readonly parentCall: string | undefined;
  /** Names its kept program: `codegen_python_0_main.py`. */
  readonly programLabel: string;
  readonly outputDir: string;
  readonly resultFilename: string;
  readonly runId: string;
  /** Whether a program that ends without `done()` has failed. */
  readonly needsDone: boolean;
  readonly report: (body: CodegenEventBody, part: string) => void;
  /** Is given how the project log of the program that runs is written. */
  readonly followLog: (write: () => string) => void;
}

/** What came of one program. */
export interface AttemptOutcome {
  readonly reply: string;
  readonly code: string | null;
  readonly notes: string;
  readonly error: CodegenError | null;
  /** Whether the error is what the program itself said with `fail()`. */
  readonly statedFailure: boolean;
  readonly items: readonly CodegenItem[];
  readonly warnings: readonly string[];
  readonly projectLog: string;
  /** The end of what the program wrote to stderr, without lines of level INFO. */
  readonly errorLog: string;
  readonly outputDir: string | null;
  /** Where the program is kept; empty where it could not be. */
  readonly programPath: readonly string[];
  /** Milliseconds that it ran. */
  readonly elapsed: number;
  /** Deletes the files that it made. */
  readonly discard: () => Promise<void>;
}

/** One program in one clean interpreter. */
export class ProgramAttempt {
  readonly #options: ProgramAttemptOptions;
  #child: ChildSession | undefined;

  constructor(options: ProgramAttemptOptions) {
    this.#options = options;
  }

  /** Opens the interpreter. @throws as `session.openChild` does. */
  async open(): Promise<void> {
    const { session, parentCall, limits, records, timeout = DEFAULT_TIMEOUT } = this.#options;
    this.#child = await session.openChild({
      trust: "sandboxed",
      timeout,
      scope: this.#scope(),
      onTool: records.observe,
      ...(limits === undefined ? {} : { limits }),
      ...(parentCall === undefined ? {} : { parentCall }),
    });
  }

  /** The tools that the program will see. */
  async tools(): Promise<readonly Tool[]> {
    await this.#child?.tools.settled();
    return this.#child?.tools.list() ?? [];
  }

  async run(
    code: string,
    { reply, notes, others }: { readonly reply: string; readonly notes: string; readonly others: readonly string[] },
  ): Promise<AttemptOutcome> {
    if (this.#child === undefined) throw new TypeError("An attempt is opened before it runs.");
    const { session, programLabel, number, contract, sources, records, outputDir, report, followLog } = this.#options;
    const { trust } = this.#child;
    const programPath = await keepProgram(session.workspace, { code, label: programLabel, trust });
    report({ type: "run-started", attempt: number, code }, "run");
    const program = await this.#runIn(this.#child, code);
    const { run, state } = program;
    const end = this.#options.needsDone ? program.end : byFiles(program.end, contract);
    const warnings = boundedWarnings([
      ...end.warnings,
      ...uncontracted(end, contract),
      ...others.map((path) => `not_run: ${path} came with the program`),
      ...run.notices,
      ...abridgedCalls(records),
      ...sources.notes,
    ]);
    report({ type: "run-ended", attempt: number, runError: run.error, error: end.error, elapsed: run.elapsed }, "run");
    const { status, story } = state;
    const { artifacts, objective, areDrafts } = end;
    const log = projectLog({ status, story, artifacts, objective, areDrafts }, contract);
    // What the program handed in need not be kept for it.
    followLog(() => log);
    const errorLog = endOfErrors(run.stderr);
    return {
      reply,
      code,
      notes,
      error: end.error,
      statedFailure: state.finished !== null && state.finished.error !== null,
      items: await this.#items({ ...program, end, errorLog }, sources),
      warnings,
      projectLog: log,
      errorLog,
      outputDir,
      programPath,
      elapsed: run.elapsed,
      discard: () => this.#discard(),
    };
  }

  /** Nothing ran: each entry of the contract has the error. */
  async withoutProgram(error: CodegenError, reply: string): Promise<AttemptOutcome> {
    const nothing: ProgramEnd = { ...NOTHING, error };
    const readFile = (): Promise<undefined> => Promise.resolve(undefined);
    return {
      reply,
      code: null,
      notes: "",
      error,
      statedFailure: false,
      items: await this.#items({ end: nothing, readFile, errorLog: "" }, this.#options.sources),
      warnings: [],
      projectLog: "",
      errorLog: "",
      outputDir: null,
      programPath: [],
      elapsed: 0,
      discard: () => Promise.resolve(),
    };
  }

  /** Ends the interpreter. */
  async close(): Promise<void> {
    await this.#child?.close();
  }

  #runIn(child: ChildSession, code: string): Promise<ProgramRun> {
    const { number: attempt, contract, runId, outputDir, resultFilename, timeout = DEFAULT_TIMEOUT } = this.#options;
    const { signal, records, sources, citableTools, fetchContext, report, followLog } = this.#options;
    return runProgram({
      child,
      code,
      contract,
      executionId: runId,
      outputDir,
      resultFilename,
      timeout,
      signal,
      records,
      sources,
      ...(citableTools === undefined ? {} : { citableTools }),
      ...(fetchContext === undefined ? {} : { fetchContext }),
      onOutput: (chunk) => {
        report({ type: "output", attempt, chunk }, "run/output");
      },
      onCall: (entry) => {
        report({ type: "call", attempt, entry }, `run/${entry.id}`);
      },
      onProgress: (news, state) => {
        followLog(() => projectLog(state, contract));
        for (const [artifactId, { draft }] of Object.entries(news.artifacts)) {
          report({ type: "artifact", attempt, artifactId, draft: draft === true }, `run/artifact-${artifactId}`);
        }
        const { objective = null, status = null, story } = news;
        if (objective === null && status === null && story.length === 0) return;
        report({ type: "progress", attempt, objective, status, story }, "run/progress");
      },
    });
  }

  #items(
    { end, readFile, errorLog }: Pick<ProgramRun, "end" | "readFile"> & { readonly errorLog: string },
    sources: SourcePool,
  ): Promise<CodegenItem[]> {
    const { contract, outputDir, checkContent = checkContentIn(this.#options.signal) } = this.#options;
    return makeItems({ contract, end, sources, outputDir, readFile, checkContent, errorLog });
  }

  async #discard(): Promise<void> {
    const { session, outputDir } = this.#options;
    const folder = `${outputDir.replace(/^\/workspace\//, "")}/`;
    const files = (await session.workspace.list()).filter(({ path }) => path.startsWith(folder));
    for (const { path } of files) await session.workspace.delete(path);
  }

  /** What is asked for, without the tools that run programs. */
  #scope(): ToolScope {
    const { session, scope } = this.#options;
    const runners = session.tools.list().filter(({ tags }) => tags.includes(PROGRAM_TOOL_TAG));
    const without = [...(scope?.without ?? []), ...runners.map(({ name }) => name)];
    // An empty scope sees nothing, and goes on doing so.
    const isEmpty = scope !== undefined && Object.values(scope).every((part) => part === undefined);
    return { ...scope, ...(isEmpty ? { names: [] } : {}), without };
  }
}

const NOTHING = { objective: "", artifacts: new Map(), refused: new Map(), areDrafts: false, warnings: [] };

function endOfErrors(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => !line.startsWith("INFO "));
  return lines.join("\n").trim().slice(-ERROR_LOG);
}

function abridgedCalls({ abridged }: CallRecords): string[] {
  if (abridged === 0) return [];
  return [`calls_abridged: ${String(abridged)} calls are kept as summaries, and no sources were taken from them`];
}

/** Files alone decide where nobody asked for `done()`: whether the program spoke of them or not. */
function byFiles(end: ProgramEnd, contract: Contract): ProgramEnd {
  const artifacts = new Map(end.artifacts);
  for (const [id, entry] of contract) {
    if (entry.type === "file" && !artifacts.has(id)) artifacts.set(id, { type: "file", path: entry.filename });
  }
  const { error } = end;
  return { ...end, artifacts, error: error?.error === "no_done" ? null : error, areDrafts: false };
}
