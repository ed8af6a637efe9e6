import type { BlobUrls } from "../bridge/index.js";
import { SIGN_SIZE } from "../protocol/index.js";

/**
 * One sign for each run: blob URLs that the worker looks at now and then while
 * Python computes. When they are gone, the run is to stop.
 */
export class StopSigns {
  readonly #urls: BlobUrls;
  /** Made ahead, so that no run waits for it. */
  #next: Promise<readonly string[]>;

  constructor(urls: BlobUrls) {
    this.#urls = urls;
    this.#next = this.#create();
  }

  /** For the run that begins: its sign, and how to stop it by that. */
  async forRun(): Promise<StopSign> {
    const urls = await this.#next;
    this.#next = this.#create();
    let isRevoked = false;
    const revoke = (): void => {
      if (!isRevoked) this.#urls.revoke(urls);
      isRevoked = true;
    };
    return { urls, revoke };
  }

  close(): void {
    void this.#next.then((urls) => {
      this.#urls.revoke(urls);
    });
  }

  #create(): Promise<readonly string[]> {
    return this.#urls.create(new Blob([]), SIGN_SIZE);
  }
}

export interface StopSign {
  /** None where the host could make none. */
  readonly urls: readonly string[];
  /** Stops the run, and is the end of the URLs; a second time does nothing. */
  revoke(): void;
}
