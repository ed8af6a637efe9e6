import { isAlive } from "./blob-reader.js";

/** Blob URLs that the page revokes together to say one thing. */
export class RevocableSign {
  readonly #urls: readonly string[];
  #looks = 0;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** Looks whether it is gone. Blocks for the time of one request. */
  isGone(): boolean {
    // In turn: a revocation that comes while its URL is being read may be forgotten.
    const url = this.#urls[(this.#looks += 1) % this.#urls.length];
    // A second look, because any failure of a request looks the same.
    return url !== undefined && !isAlive(url) && !isAlive(url);
  }
}
