import { Slices } from "../../protocol/index.js";
import type { OnOpenApiProgress } from "../openapi-progress.js";
import { type JsonObject } from "./document.js";
import { OpenApiDocumentError } from "./errors.js";
import { insertPiece, type DocumentReply, type DocumentRequest } from "./document-messages.js";
import { PhaseReport } from "./phase-report.js";

/** A document whose text was read. */
export interface ReadDocument {
  readonly root: JsonObject;
  /** Lines of parts, by their JSON pointers, where they are known. */
  readonly linesOf: (pointers: readonly string[]) => Promise<readonly (number | undefined)[]>;
  /** Lets go of what `linesOf` needs. */
  readonly close: () => void;
}

/** Characters or bytes. */
const MAX_SIZE = 100_000_000;
/** Characters or bytes of one message. */
const PART_SIZE = 500_000;
/** Milliseconds that a worker may take. */
const TIME_LIMIT = 60_000;
/** Where no worker can be had, the thread is held for as long as parsing takes: a few milliseconds with so many characters. */
const SMALL = 20_000;

/**
 * Reads the text of a document. A large one is parsed in a worker, and comes in
 * pieces; where no worker can be had, on this thread.
 *
 * @throws {OpenApiDocumentError} when it is neither JSON nor YAML.
 */
export async function readDocument(
  source: string,
  content: string | Uint8Array,
  onProgress?: OnOpenApiProgress,
): Promise<ReadDocument> {
  if (content.length > MAX_SIZE) {
    throw new OpenApiDocumentError(source, `it is larger than ${MAX_SIZE.toLocaleString("en-US")} characters`);
  }
  const report = new PhaseReport("reading", content.length, onProgress);
  const document = await readSomewhere(source, content);
  report.end();
  return document;
}

async function readSomewhere(source: string, content: string | Uint8Array): Promise<ReadDocument> {
  const worker = content.length < SMALL ? undefined : await startWorker();
  if (worker === undefined) return readHere(source, content);
  try {
    return await readThere(worker, { source, content });
  } catch (error) {
    worker.terminate();
    if (!(error instanceof WorkerUnusable)) throw error;
    return readHere(source, content);
  }
}

async function readHere(source: string, content: string | Uint8Array): Promise<ReadDocument> {
  const { parseDocument } = await import("./parse-document.js");
  const { root, lineOf } = parseDocument(
    source,
    typeof content === "string" ? content : new TextDecoder().decode(content),
  );
  return { root, linesOf: (pointers) => Promise.resolve(pointers.map(lineOf)), close: () => undefined };
}

/** The worker did not start: a policy of the page, for instance. */
class WorkerUnusable extends Error {}

async function startWorker(): Promise<Worker | undefined> {
  if (!("Worker" in globalThis)) return undefined;
  try {
    const { default: DocumentWorker } = await import("./document-worker.js?worker&inline");
    return new DocumentWorker();
  } catch {
    return undefined;
  }
}

function readThere(
  worker: Worker,
  { source, content }: { source: string; content: string | Uint8Array },
): Promise<ReadDocument> {
  const root: Record<string, unknown> = {};
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new OpenApiDocumentError(source, `reading it took longer than ${String(TIME_LIMIT / 1000)} seconds`));
    }, TIME_LIMIT);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(new WorkerUnusable(event.message));
    };
    worker.onmessage = ({ data }: MessageEvent<DocumentReply>) => {
      if (data.kind === "pieces") {
        for (const piece of data.pieces) insertPiece(root, piece);
        send(worker, { kind: "more" });
      } else if (data.kind === "failed") fail(new OpenApiDocumentError(source, data.reason, data.line ?? undefined));
      else if (data.kind === "parsed") {
        clearTimeout(timer);
        resolve({
          root: root as JsonObject,
          linesOf: (pointers) => linesFrom(worker, pointers),
          close: () => worker.terminate(),
        });
      }
    };
    sendContent(worker, content)
      .then(() => {
        send(worker, { kind: "parse", source });
      })
      .catch(fail);
  });
}

function linesFrom(worker: Worker, pointers: readonly string[]): Promise<readonly (number | undefined)[]> {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<DocumentReply>) => {
      if (data.kind === "lines") resolve(data.lines.map((line) => line ?? undefined));
    };
    // Without the lines a problem still has its pointer.
    worker.onerror = () => resolve([]);
    send(worker, { kind: "lines", pointers });
  });
}

/** To copy a large text into a message takes long, too. */
async function sendContent(worker: Worker, content: string | Uint8Array): Promise<void> {
  const slices = new Slices();
  for (let at = 0; at < content.length; at += PART_SIZE) {
    send(worker, { kind: "content", content: content.slice(at, at + PART_SIZE) });
    await slices.rest();
  }
}

function send(worker: Worker, request: DocumentRequest): void {
  worker.postMessage(request);
}
