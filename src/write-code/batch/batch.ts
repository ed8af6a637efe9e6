import { messageOf, randomId } from "../../protocol/index.js";
import type { ToolContext } from "../../tools/index.js";
import type { WorkspaceContent } from "../../workspace/index.js";
import { readRoot, withinRoot } from "../call/file-path.js";
import type { FileRequest } from "../call/file-request.js";
import { planOrder } from "../call/plan-order.js";
import { gatherContext, readTask, type ContextSources } from "../generation/gather-context.js";
import type { FailedGeneration } from "../generation/generated-file.js";
import type { GenerationWork } from "../generation/generation-work.js";
import type { PromptContext } from "../generation/prompt-context.js";
import { RequestPermits } from "../generation/request-permits.js";
import { WriteLog } from "../log/write-log.js";
import type { WrittenFile } from "../log/written-file.js";
import type { BatchResult } from "../outcome/batch-result.js";
import { batchResult, type EndedFile } from "../outcome/conclude.js";
import type { WriteCodeFault } from "../outcome/faults.js";
import type { FileTelemetry, GenerationTelemetry } from "../outcome/telemetry.js";
import type { WriteCodeOptions } from "../write-code-options.js";
import type { FileToWrite } from "../writing/files-to-write.js";
import { writeBatch, type Merged, type Versions } from "../writing/write-batch.js";
import type { WritingSession } from "../writing-session.js";
import { BatchDisplay } from "./batch-display.js";
import { BatchLog } from "./batch-log.js";
import { CodeFile, type ReadyText } from "./code-file.js";
import { endedFile, failedFile, type FileCourse } from "./file-results.js";
import { makeImageFile } from "./image-file.js";

export interface BatchParts {
  readonly options: WriteCodeOptions;
  readonly session: WritingSession;
  readonly context: ToolContext;
}

/** Requests to models that are open at once where the options do not say. */
const OPEN_REQUESTS = 6;

/** A file on its way. */
interface FileOnItsWay extends FileCourse {
  readonly toWrite: FileToWrite;
  /** Of a text: who wrote it, and can be asked once more. */
  readonly written?: { readonly by: CodeFile; readonly ready: ReadyText };
}

/** What all files of a batch have in common for those who write them. */
type Around = Pick<PromptContext, "task" | "log">;

/** The same, and the files as those of one round are shown them. */
type RoundContext = Around & Pick<ContextSources, "files">;

/** One call of the tool, once it is known to be one: from the files that are wanted to those that are there. */
export class Batch {
  readonly #files: readonly FileRequest[];
  readonly #parts: BatchParts;
  readonly #root: string;
  readonly #id = `wc-${randomId().slice(0, 8)}`;
  readonly #log: BatchLog;
  readonly #display: BatchDisplay;
  readonly #work: GenerationWork;
  readonly #writeLog: WriteLog;
  readonly #read = new Map<string, WorkspaceContent | null>();
  readonly #onItsWay = new Map<FileRequest, FileOnItsWay>();
  readonly #ended = new Map<FileRequest, EndedFile>();
  readonly #telemetry = new Map<FileRequest, FileTelemetry>();

  constructor(files: readonly FileRequest[], parts: BatchParts) {
    this.#files = files;
    this.#parts = parts;
    const { options, session, context } = parts;
    const root = readRoot(options.root ?? "");
    this.#root = root.kind === "path" ? root.path : "";
    this.#log = new BatchLog({ batchId: this.#id, callId: context.callId }, options.onEvent);
    this.#display = new BatchDisplay(options.display, (message) => {
      this.#log.warn(message);
    });
    const keyed = [...options.models, options.arbiter, options.fallback, options.images];
    const strike = (text: string): string =>
      keyed.reduce((struck, model) => model?.withoutKey?.(struck) ?? struck, session.strike(text));
    this.#writeLog = new WriteLog(session.storage, { strike });
    const permits = new RequestPermits(options.concurrentRequests ?? OPEN_REQUESTS);
    this.#work = {
      options,
      signal: context.signal,
      task: context.task,
      report: (body) => {
        this.#log.report(body);
      },
      strike,
      permit: (signal) => permits.take(signal),
    };
  }

  /** Never rejects but for a stop: each file says what became of it. */
  async write(): Promise<BatchResult> {
    this.#log.report({ type: "batch-started", files: this.#files.map(({ path, kind }) => ({ path, kind })) });
    await this.#parts.session.knowSecrets();
    await this.#parts.session.files.collect();
    // Reads of one turn cost the store little more than one.
    const [around] = await Promise.all([this.#lookAround(), ...this.#files.map((file) => this.#lookAt(file))]);
    await this.#makeImages();
    await this.#writeCode(around);
    const changes = await this.#store();
    const names = this.#files.map(({ filename }) => filename);
    const result = batchResult({
      files: this.#files.map((file) => this.#endOf(file)),
      writePath: this.#root === "" ? "/workspace" : `/workspace/${this.#root}`,
      warnings: [...this.#log.warnings],
      telemetry: this.#files.flatMap((file) => this.#telemetry.get(file) ?? []),
      changes,
    });
    this.#display.batchEnded(names, result);
    this.#log.report({ type: "batch-ended", result });
    return result;
  }

  async #lookAt(file: FileRequest): Promise<void> {
    const { path, filename } = file;
    try {
      this.#read.set(path, (await this.#parts.session.files.readVersion(path)) ?? null);
    } catch (error) {
      const message = `Error writing file ${filename}: what is there cannot be read: ${messageOf(error)}`;
      this.#fail(file, { code: "WRITE_FAILED", message });
    }
  }

  async #lookAround(): Promise<Around> {
    const { session, options } = this.#parts;
    const earlier = this.#writeLog.promptEntries().catch((error: unknown) => {
      this.#log.warn(`The log of earlier files could not be read: ${messageOf(error)}`);
      return [];
    });
    const [task, log] = await Promise.all([readTask(session.files, options), earlier]);
    return { task, log };
  }

  async #makeImages(): Promise<void> {
    const images = this.#files.filter((file) => file.kind === "image" && !this.#ended.has(file));
    if (images.length === 0) return;
    this.#display.beginImages(images.map(({ filename }) => filename));
    for (const request of images) {
      const { made, telemetry } = await makeImageFile(request, this.#work);
      this.#keepTelemetry(request, telemetry);
      if (made.kind === "failed") {
        this.#fail(request, made.fault, made.warnings);
        continue;
      }
      const { mime, bytes, warnings } = made;
      const toWrite = this.#fileToWrite(request, { content: { kind: "image", mime, bytes }, notes: warnings });
      this.#onItsWay.set(request, { ...this.#courseOf(request, { telemetry, warnings }), toWrite });
    }
  }

  /** Round by round: what a file imports of the batch is there when its models are asked. */
  async #writeCode(around: Around): Promise<void> {
    const code = this.#files.filter((file) => file.kind === "code" && !this.#ended.has(file));
    if (code.length === 0) return;
    this.#display.beginCode(code.map(({ filename }) => filename));
    // It starts while the models write.
    if (code.some(({ path }) => path.endsWith(".py"))) this.#parts.session.interpreter().catch(() => undefined);
    for (const round of planOrder(code, { root: this.#root })) {
      const files = this.#filesForRound();
      await Promise.all(round.map((request) => this.#writeOne(request, { ...around, files })));
    }
  }

  /**
   * The files as the models of one round are shown them: those of the batch as they were read at first, since what is written
   * is held against that, and the list of all read once.
   */
  #filesForRound(): ContextSources["files"] {
    const { files } = this.#parts.session;
    let paths: Promise<readonly string[]> | undefined;
    return {
      paths: () => (paths ??= files.paths()),
      readVersion: async (path) => {
        const read = this.#read.get(path);
        return read === undefined ? files.readVersion(path) : (read ?? undefined);
      },
    };
  }

  async #writeOne(request: FileRequest, around: RoundContext): Promise<void> {
    const { session } = this.#parts;
    const by = new CodeFile(request, {
      ...this.#work,
      interpreter: () => session.interpreter(),
      batchPaths: this.#files.map(({ path }) => path),
    });
    const written = await this.#textBy(by, request, around);
    this.#keepTelemetry(request, written.telemetry);
    const { telemetry, warnings } = written;
    if (written.kind === "failed") {
      this.#fail(request, written.fault, warnings);
      return;
    }
    const toWrite = this.#fileToWrite(request, { content: { kind: "text", text: written.text }, notes: warnings });
    const course = this.#courseOf(request, { telemetry, warnings });
    this.#onItsWay.set(request, { ...course, toWrite, written: { by, ready: written } });
  }

  /** An error that was not foreseen is that file's failure and takes no other one along. */
  async #textBy(by: CodeFile, request: FileRequest, around: RoundContext): Promise<ReadyText | FailedGeneration> {
    try {
      const context = await gatherContext(request, {
        ...around,
        batch: this.#files,
        generated: this.#generated(),
        root: this.#root,
      });
      return await by.write(context);
    } catch (error) {
      const code = this.#work.signal.aborted ? "CANCELLED" : "GENERATION_FAILED";
      const fault = { code, message: `${request.filename} was not written: ${messageOf(error)}` } as const;
      return { kind: "failed", fault, warnings: [], telemetry: noTelemetry(request) };
    }
  }

  /** The texts that are there so far, by path. */
  #generated(): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const [{ path }, { toWrite }] of this.#onItsWay) {
      if (toWrite.content.kind === "text") texts.set(path, toWrite.content.text);
    }
    return texts;
  }

  /** @returns under what the changes can be undone; null where nothing was written. */
  async #store(): Promise<string | null> {
    const waiting = this.#files.flatMap((file) => this.#onItsWay.get(file) ?? []);
    if (waiting.length === 0) return null;
    const { session, context } = this.#parts;
    const { outcomes, changes, warnings } = await writeBatch(
      waiting.map(({ toWrite }) => toWrite),
      {
        session,
        batchId: this.#id,
        ask: (proposal) => context.askAbout(proposal),
        merge: (file, versions) => this.#merge(file, versions),
        report: this.#work.report,
        signal: context.signal,
      },
    );
    for (const warning of warnings) this.#log.warn(warning);
    const logged: WrittenFile[] = [];
    for (const { request } of waiting) {
      // What was merged meanwhile has another course.
      const course = this.#onItsWay.get(request);
      const outcome = outcomes.get(request.path);
      if (course === undefined || outcome === undefined) continue;
      this.#end(request, endedFile(course, outcome, this.#work.strike));
      if (outcome.kind !== "written") continue;
      const { operation, content } = outcome;
      const { path, description } = request;
      const held = content.kind === "text" ? { text: content.text } : { text: null, mime: content.mime };
      logged.push({ path, operation, description, ...held, model: course.telemetry.chosen ?? "" });
    }
    for (const warning of await this.#writeLog.record(logged)) this.#log.warn(warning);
    return changes;
  }

  async #merge({ path }: FileToWrite, versions: Versions): Promise<Merged> {
    const request = this.#files.find((file) => file.path === path);
    const course = request === undefined ? undefined : this.#onItsWay.get(request);
    if (request === undefined || course?.written === undefined) {
      return { kind: "failed", fault: { code: "CONFLICT", message: `${path} cannot be brought together.` } };
    }
    const merged = await course.written.by.merge(course.written.ready, versions);
    this.#keepTelemetry(request, merged.telemetry);
    if (merged.kind === "failed") return { kind: "failed", fault: merged.fault };
    this.#onItsWay.set(request, { ...course, telemetry: merged.telemetry, warnings: merged.warnings });
    return { kind: "text", text: merged.text, notes: merged.warnings };
  }

  #fileToWrite(
    { path, filename }: FileRequest,
    { content, notes }: Pick<FileToWrite, "content" | "notes">,
  ): FileToWrite {
    return { path, filename, content, notes, read: this.#read.get(path) ?? null };
  }

  #courseOf(request: FileRequest, course: Pick<FileCourse, "telemetry" | "warnings">): FileCourse {
    return { request, shownName: withinRoot(request.path, this.#root), ...course };
  }

  #keepTelemetry(request: FileRequest, telemetry: GenerationTelemetry): void {
    this.#telemetry.set(request, { batchId: this.#id, ...telemetry });
  }

  #fail(request: FileRequest, fault: WriteCodeFault, warnings: readonly string[] = []): void {
    this.#log.report({ type: "failed", path: request.path, fault });
    this.#end(request, failedFile({ request, warnings }, fault));
  }

  #end(request: FileRequest, ended: EndedFile): void {
    const { result } = ended;
    this.#ended.set(request, ended);
    this.#log.report({ type: "file-ended", path: request.path, result });
    if (request.kind === "image") {
      this.#display.imageEnded(request.filename, result.status === "success" ? null : result.message);
    } else if (result.status !== "success") {
      this.#display.fileEnded(request.filename, { error: result.message });
    } else if ("code" in result) this.#display.fileEnded(request.filename, { code: result.code });
    const telemetry = this.#telemetry.get(request) ?? { batchId: this.#id, ...noTelemetry(request) };
    try {
      this.#parts.options.onTelemetry?.(telemetry);
    } catch (error) {
      this.#log.warn(`The listener for telemetry failed: ${messageOf(error)}`);
    }
  }

  #endOf(request: FileRequest): EndedFile {
    const message = `${request.filename} was not written: the call was stopped before.`;
    return this.#ended.get(request) ?? failedFile({ request, warnings: [] }, { code: "CANCELLED", message });
  }
}

/** Of a file that no model was asked for. */
function noTelemetry({ path }: FileRequest): GenerationTelemetry {
  return {
    path,
    attempts: [],
    retries: 0,
    chosen: null,
    arbiter: { used: false, model: null, reason: null },
    elapsed: 0,
  };
}
