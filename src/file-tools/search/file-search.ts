import type { WorkerHost } from "../../executor/index.js";
import { OnDemand } from "../../protocol/index.js";
import type { ContentSearch, SearchWorker } from "./search-worker.js";

/** Milliseconds of one search. */
const DEFAULT_LIMIT = 30_000;

/** Searches the contents of files, in a worker that the first search starts. */
export class FileSearch {
  readonly #limit: number;
  readonly #worker: OnDemand<SearchWorker>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: WorkerHost, { limit = DEFAULT_LIMIT }: { readonly limit?: number } = {}) {
    this.#limit = limit;
    this.#worker = new OnDemand(async () => (await import("./search-worker.js")).SearchWorker.start(host));
  }

  /**
   * The paths of files with a match, one search after the other.
   *
   * @throws {SearchRefusedError} @throws {Error} with the protocol's text when it takes too long.
   */
  search(search: ContentSearch, signal: AbortSignal): Promise<readonly string[]> {
    const result = this.#last.then(() => this.#searchNow(search, signal));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Starts the worker, for a search that will be made in a moment and hears then what went wrong. */
  prepare(): void {
    this.#worker.running().catch(() => undefined);
  }

  /** Ends the worker, if there is one. A later search starts another. */
  stop(why: string): void {
    this.#worker.stop((worker) => {
      worker.end(why);
    });
  }

  async #searchNow(search: ContentSearch, signal: AbortSignal): Promise<readonly string[]> {
    signal.throwIfAborted();
    const worker = await this.#worker.running();
    const end = (): void => {
      worker.end("it was given up");
    };
    const late = AbortSignal.timeout(this.#limit);
    const given = AbortSignal.any([signal, late]);
    given.addEventListener("abort", end);
    try {
      return await worker.search(search);
    } catch (error) {
      throw late.aborted ? new Error(`rg timed out after ${String(this.#limit / 1000)} seconds`) : error;
    } finally {
      given.removeEventListener("abort", end);
    }
  }
}
