import type { FileProposal } from "../../../src/tools/index.js";
import type { BatchResult, FileResult, WriteCodeEvent, WriteCodeEventBody } from "../../../src/write-code/index.js";

/** A PNG of one pixel. */
export const ONE_PIXEL = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (letter) => letter.charCodeAt(0),
);

/** A file that a call would write. */
export function proposal(path: string, part: Partial<FileProposal> = {}): FileProposal {
  const { before = null } = part;
  return {
    path,
    operation: before === null ? "create" : "modify",
    before,
    after: "",
    difference: "",
    image: null,
    notes: [],
    ...part,
  };
}

/** A batch of which a test reports what happens. */
export class ReportedBatch {
  readonly events: WriteCodeEvent[] = [];
  readonly callId: string;
  readonly #hear: (event: WriteCodeEvent) => void;

  constructor(callId: string, hear: (event: WriteCodeEvent) => void = () => undefined) {
    this.callId = callId;
    this.#hear = hear;
  }

  add(body: WriteCodeEventBody): void {
    const sequence = this.events.length + 1;
    const event = { ...body, batchId: "batch-1", callId: this.callId, sequence, time: 1_000 + sequence };
    this.events.push(event);
    this.#hear(event);
  }

  start(...paths: readonly string[]): void {
    this.add({ type: "batch-started", files: paths.map((path) => ({ path, kind: "code" })) });
  }

  /** A model begins to write a file. */
  ask(
    path: string,
    candidate: number,
    model: string,
    role: "candidate" | "fallback" | "repair" | "merge" = "candidate",
  ): void {
    this.add({ type: "candidate-started", path, candidate, model, role });
  }

  write(path: string, candidate: number, text: string): void {
    this.add({ type: "candidate-text", path, candidate, text });
  }

  /** A model has written a file. */
  written(path: string, candidate: number, text: string): void {
    this.add({
      type: "candidate-ended",
      path,
      candidate,
      end: { kind: "text", text, language: "python" },
      elapsed: 1_200,
    });
  }

  end(results: readonly FileResult[], part: Partial<BatchResult> = {}): void {
    for (const result of results) this.add({ type: "file-ended", path: result.filename, result });
    this.add({ type: "batch-ended", result: batchResult(results, part) });
  }
}

export function written(filename: string, part: Partial<Extract<FileResult, { code: string }>> = {}): FileResult {
  return {
    filename,
    status: "success",
    operation: "create",
    code: "",
    model: "plain-writer",
    attempts: 1,
    tokens: { input: 10, output: 20 },
    reason: null,
    warnings: [],
    ...part,
  };
}

export function batchResult(results: readonly FileResult[], part: Partial<BatchResult> = {}): BatchResult {
  const successful = results.filter(({ status }) => status === "success").length;
  return {
    status: successful === results.length ? "success" : successful === 0 ? "error" : "partial_success",
    message: "Codebase generation finished.",
    files_processed: results.length,
    files_successful: successful,
    code_files_processed: results.length,
    code_files_successful: successful,
    image_files_processed: 0,
    image_files_successful: 0,
    write_path: "/workspace",
    results,
    errors: [],
    warnings: [],
    telemetry: [],
    changes: successful === 0 ? null : "batch-1",
    ...part,
  };
}
