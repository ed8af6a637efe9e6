import { sealedFrameHost } from "../../../src/index.js";
import { LARGE, TEXT, type Operation, type Side } from "../bench-page.js";
import source from "./raw-blob-worker.js?raw";

type RawPayload = string | Uint8Array<ArrayBuffer> | null;

type FromWorker =
  | { readonly kind: "call"; readonly payload: RawPayload }
  | { readonly kind: "end"; readonly time: number; readonly steps: RawBlobSteps };

/** Milliseconds of all calls together: until the mail is there, reading its address, reading it. */
export interface RawBlobSteps {
  readonly waiting: number;
  readonly spelling: number;
  readonly reading: number;
}

export interface RawBlobSide extends Side {
  readonly measure: (
    operation: Operation,
    count: number,
  ) => Promise<{ readonly time: number; readonly steps: RawBlobSteps }>;
}

const large = new Uint8Array(LARGE);

/**
 * The blob channel as bare as it goes, in a sealed frame: 128 URLs spell the address of a blob with the answer and
 * the next URLs. The worker sleeps never, it asks again.
 */
export async function rawBlobSide(): Promise<RawBlobSide> {
  const worker = await sealedFrameHost().spawn(source);
  const { port, blobUrls } = worker;
  const newBatch = (): Promise<readonly string[]> => blobUrls.create(new Blob([]), 129);
  let batch = await newBatch();
  let nextBatch = newBatch();
  let read: readonly string[] = [];

  const answer = async (payload: RawPayload): Promise<void> => {
    const next = await nextBatch;
    const header = new TextEncoder().encode(JSON.stringify(next));
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, header.byteLength, true);
    const content = typeof payload === "string" ? payload : payload === null ? large : "ok";
    const [address = ""] = await blobUrls.create(new Blob([size, header, content]), 1);
    blobUrls.revoke(spell(address, batch));
    blobUrls.revoke(read);
    read = [address, ...batch];
    batch = next;
    nextBatch = newBatch();
  };

  const measure: RawBlobSide["measure"] = (operation, count) =>
    new Promise((resolve) => {
      port.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === "call") void answer(data.payload);
        else resolve(data);
      };
      port.postMessage({ operation, count, text: TEXT, batch });
    });
  return {
    measure,
    time: async (operation, count) => (await measure(operation, count)).time,
    close: () => {
      worker.terminate();
    },
  };
}

/** The URLs to revoke: a set bit each, and the last one. */
function spell(address: string, batch: readonly string[]): string[] {
  const digits = address.slice(address.lastIndexOf("/") + 1).replaceAll("-", "");
  return batch.filter(
    (_, bit) => bit === 128 || ((parseInt(digits.charAt(bit >> 2), 16) >> (3 - (bit & 3))) & 1) === 1,
  );
}
