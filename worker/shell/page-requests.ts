import type { ShellAnswer, ShellReport } from "../../src/protocol/index.js";

/** A request as the shell's `curl` makes it. */
interface FetchOptions {
  readonly method?: string;
  readonly headers?: Headers | Record<string, string>;
  readonly body?: string;
}

type Fetched = Extract<ShellAnswer, { kind: "fetched" }>;

/** What the worker cannot get for itself: the page makes its requests, to the hosts that it allows, and hands it scripts. */
export class PageRequests {
  readonly #tell: (report: ShellReport) => void;
  readonly #waiting = new Map<number, { resolve(answer: ShellAnswer): void; reject(error: Error): void }>();
  #lastId = 0;

  constructor(tell: (report: ShellReport) => void) {
    this.#tell = tell;
  }

  /** @throws {Error} with the page's reason. */
  async fetch(url: string, { method = "GET", headers = {}, body }: FetchOptions = {}): Promise<Fetched> {
    const sent = Object.fromEntries(headers instanceof Headers ? headers : Object.entries(headers));
    const answer = await this.#ask((id) => ({ kind: "fetch", id, url, method, headers: sent, body: body ?? null }));
    if (answer.kind !== "fetched") throw new TypeError(`The page answered a request with ${answer.kind}.`);
    return answer;
  }

  /** The text of the script with SQLite in it. @throws {Error} with the page's reason. */
  async sqliteScript(): Promise<string> {
    const answer = await this.#ask((id) => ({ kind: "want-sqlite", id }));
    if (answer.kind !== "sqlite") throw new TypeError(`The page answered the wish for SQLite with ${answer.kind}.`);
    return answer.source;
  }

  settle(answer: ShellAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.kind === "refused") waiting?.reject(new Error(answer.reason));
    else waiting?.resolve(answer);
  }

  #ask(request: (id: number) => ShellReport): Promise<ShellAnswer> {
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<ShellAnswer>();
    this.#waiting.set(id, { resolve, reject });
    this.#tell(request(id));
    return promise;
  }
}
