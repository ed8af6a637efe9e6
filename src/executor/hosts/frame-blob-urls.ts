import { z } from "zod";

import type { BlobUrls } from "../../bridge/index.js";

const Created = z.array(z.string().max(200));

/** Blob URLs made in the sealed frame, over a port that only the page and the frame's document hold. */
export class FrameBlobUrls implements BlobUrls {
  readonly #port: MessagePort;
  /** The frame answers in the order it was asked. */
  readonly #asked: ((urls: readonly string[]) => void)[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      // A frame that answers with something else has been taken over: its worker then waits until its deadline.
      this.#asked.shift()?.(Created.safeParse(data).data ?? []);
    };
  }

  create(blob: Blob, count: number): Promise<readonly string[]> {
    this.#port.postMessage({ blob, count, revoked: [] });
    return new Promise((resolve) => {
      this.#asked.push(resolve);
    });
  }

  revoke(urls: readonly string[]): void {
    if (urls.length > 0) this.#port.postMessage({ blob: null, count: 0, revoked: urls });
  }
}
