import { WorkerStartError, type SpawnedWorker, type WorkerHost } from "../../executor/index.js";
import {
  firstMessage,
  messageOf,
  SearchReport,
  type SearchableFile,
  type SearchContents,
  type SearchOrder,
} from "../../protocol/index.js";

export interface ContentSearch extends Omit<SearchOrder, "kind" | "id"> {
  /** Of files that the search names; null for one that is gone. */
  readonly read: (paths: readonly string[]) => Promise<SearchContents["contents"]>;
}

/** Requests for contents that the worker may have open: it makes two at a time, and leaves as many open when it has enough. */
const MOST_OPEN = 8;

/** The search cannot be made: the pattern or the glob is none, or the worker is gone. */
export class SearchRefusedError extends Error {}

/** A worker that searches files: an expression that takes for ever ends with it. One search at a time. */
export class SearchWorker {
  readonly #spawned: SpawnedWorker;
  readonly #current = new Map<number, PromiseWithResolvers<readonly string[]>>();
  #read: ContentSearch["read"] = () => Promise.resolve([]);
  #isOver = false;
  #lastId = 0;
  /** Requests for contents that are not answered yet. */
  #open = 0;
  #lastAnswer: Promise<void> = Promise.resolve();

  private constructor(spawned: SpawnedWorker) {
    this.#spawned = spawned;
    spawned.port.onmessage = ({ data }: MessageEvent<unknown>) => {
      this.#hear(data);
    };
    const fail = ({ message }: Error): void => {
      this.end(`what searches failed: ${message}`);
    };
    void spawned.failed.then(fail);
    void spawned.removed.then(fail);
  }

  /** @throws {WorkerStartError} @throws {CspBlockedError} */
  static async start(host: WorkerHost): Promise<SearchWorker> {
    const { default: source } = await import("virtual:search-worker");
    const spawned = await host.spawn(source);
    try {
      await firstMessage(spawned, readyIn, (why) => new WorkerStartError(`its script ${why}`));
      return new SearchWorker(spawned);
    } catch (error) {
      spawned.terminate();
      throw error;
    }
  }

  get isOver(): boolean {
    return this.#isOver || this.#spawned.removal() !== undefined;
  }

  /** The paths of files with a match, in the order of the files. @throws {SearchRefusedError} */
  search({ read, ...order }: ContentSearch): Promise<readonly string[]> {
    const id = (this.#lastId += 1);
    const searching = Promise.withResolvers<readonly string[]>();
    this.#current.set(id, searching);
    this.#read = read;
    this.#send({ kind: "search", id, ...order });
    return searching.promise.finally(() => this.#current.delete(id));
  }

  /** Ends the worker at once, and with it what it searches. */
  end(why: string): void {
    this.#isOver = true;
    this.#spawned.terminate();
    for (const { reject } of this.#current.values()) reject(new SearchRefusedError(why));
  }

  #hear(data: unknown): void {
    const { success, data: report } = SearchReport.safeParse(data);
    if (!success) {
      this.end("what searches sent a message of unknown form");
      return;
    }
    if (report.kind === "want") this.#answer(report.paths);
    else if (report.kind === "found") this.#current.get(report.id)?.resolve(report.paths);
    else if (report.kind === "refused") this.#current.get(report.id)?.reject(new SearchRefusedError(report.reason));
  }

  /** In the order of the requests; the next contents are read while those before are on their way. */
  #answer(paths: readonly string[]): void {
    this.#open += 1;
    if (this.#open > MOST_OPEN) {
      this.end("what searches asked for more than it searches");
      return;
    }
    const reading = this.#read(paths);
    // Its turn may come later.
    reading.catch(() => undefined);
    this.#lastAnswer = this.#lastAnswer.then(async () => {
      try {
        const contents = await reading;
        const buffers = contents.flatMap((bytes) => (bytes === null ? [] : [bytes.buffer]));
        this.#send({ kind: "contents", contents }, buffers);
      } catch (error) {
        this.end(messageOf(error));
      }
      this.#open -= 1;
    });
  }

  #send(message: SearchOrder | SearchContents, transfer: Transferable[] = []): void {
    if (!this.#isOver) this.#spawned.port.postMessage(message, transfer);
  }
}

/** What of a session is searched, as the worker hears of it. */
export function searchable(files: ReadonlyMap<string, { version: string; size: number }>): SearchableFile[] {
  return Array.from(files, ([path, { version, size }]) => ({ path, version, size }));
}

function readyIn(data: unknown): true | undefined {
  return SearchReport.safeParse(data).data?.kind === "ready" ? true : undefined;
}
