import type { BlobUrls } from "../bridge/index.js";

/**
 * One blob URL for each run, that the worker looks at now and then while Python
 * computes: when it is gone, the run is to stop.
 */
export class StopUrls {
  readonly #urls: BlobUrls;
  /** Made ahead, so that no run waits for it. */
  #next: Promise<readonly string[]>;

  constructor(urls: BlobUrls) {
    this.#urls = urls;
    this.#next = this.#create();
  }

  /** For the run that begins: its URL, and how to stop it by that. */
  async forRun(): Promise<StopUrl> {
    const urls = await this.#next;
    this.#next = this.#create();
    let isRevoked = false;
    const revoke = (): void => {
      if (!isRevoked) this.#urls.revoke(urls);
      isRevoked = true;
    };
    return { url: urls[0] ?? null, revoke };
  }

  close(): void {
    void this.#next.then((urls) => {
      this.#urls.revoke(urls);
    });
  }

  #create(): Promise<readonly string[]> {
    return this.#urls.create(new Blob([]), 1);
  }
}

export interface StopUrl {
  /** Null where the host could make none. */
  readonly url: string | null;
  /** Stops the run, and is the end of the URL; a second time does nothing. */
  revoke(): void;
}
