import { fileURLToPath } from "node:url";

import type { FetchAddress } from "../deps/index.js";
import { INDEX } from "./file-names.js";
import { readIfThere, type SiteFolder } from "./site-folder.js";

/** Requests to servers at a time: as many as browsers make of one host. */
const MOST_AT_ONCE = 6;

/**
 * Asks addresses as a page does, and answers for files of this machine as a server would: for those of the folder, whose index
 * then lists sound files only, and for those below `places`.
 *
 * @param places - addresses that begin with `file:`. A lockfile that came from elsewhere can name any file.
 */
export function addressesOf(folder: SiteFolder, places: readonly string[]): FetchAddress {
  const index = new URL(INDEX, folder.address).href;
  const all = [folder.address, ...places];
  const slots = new Slots(MOST_AT_ONCE);
  return async (address, request) => {
    if (!address.startsWith("file:")) return await askServer(address, request, slots);
    if (address === index) return Response.json(folder.soundIndex());
    if (!all.some((place) => address.startsWith(place))) throw new TypeError(`${address} is not to be read.`);
    const bytes = await readIfThere(fileURLToPath(address));
    if (bytes === undefined) return new Response(null, { status: 404 });
    const headers = { "content-length": String(bytes.length) };
    return new Response(request.method === "HEAD" ? null : bytes, { headers });
  };
}

async function askServer(address: string, request: RequestInit, slots: Slots): Promise<Response> {
  await slots.take();
  let response: Response;
  try {
    response = await fetch(address, request);
  } catch (error) {
    slots.free();
    throw error;
  }
  const { body, ok, status, headers } = response;
  if (ok && body !== null)
    return new Response(
      untilEnd(body, () => slots.free()),
      { status, headers },
    );
  slots.free();
  await body?.cancel();
  return response;
}

/** The same bytes; calls back once when they end, however they do. */
function untilEnd(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEnd: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
      } catch (error) {
        onEnd();
        throw error;
      }
      onEnd();
      controller.close();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
}

/** So many may do something at a time; others wait their turn. */
class Slots {
  #left: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#left = count;
  }

  async take(): Promise<void> {
    if (this.#left > 0) this.#left -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  free(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#left += 1;
    else next();
  }
}
