import type { Remote } from "comlink";

import {
  type MailboxReader,
  readySign,
  type BootRequest,
  type PageApi,
  type TransportKind,
} from "../../src/protocol/index.js";
import { isAlive } from "../blob-reader.js";
import { BlobChannelTransport, type BlobChannelOptions } from "./blob-channel-transport.js";
import { JspiTransport } from "./jspi-transport.js";
import { SharedMemoryTransport } from "./shared-memory-transport.js";
import type { BridgeTransport } from "./transport.js";

/** What a boot request says about ways to wait. */
export type TransportRequest = Pick<BootRequest, "mailbox" | "blobBatch" | "transport">;

export interface TransportParts extends Omit<BlobChannelOptions, "batch"> {
  readonly page: Remote<PageApi>;
  readonly mailbox: MailboxReader | null;
  /** Whether the batch of the request can be read, where that is known already. */
  readonly readsBlobUrls: boolean | undefined;
}

/** How Python waits, and why so. `transport` is null where nothing works. */
export interface TransportChoice {
  readonly transport: BridgeTransport | null;
  readonly kind: TransportKind;
  readonly reason: string;
  readonly readsBlobUrls: boolean;
}

/**
 * Takes the fastest way that works where this worker stands.
 * @throws {Error} when the page wants one that does not work here.
 */
export function chooseTransport(request: TransportRequest, parts: TransportParts): TransportChoice {
  const readsBlobUrls = parts.readsBlobUrls ?? canReadBlobUrls(request.blobBatch);
  const ways: Record<TransportKind, Way> = {
    "shared-memory": {
      why: "the page is cross-origin isolated",
      whyNot: "memory cannot be shared with this worker",
      make: () => (parts.mailbox === null ? null : new SharedMemoryTransport(parts.requests, parts.mailbox)),
    },
    jspi: {
      why: "it is the fastest without shared memory",
      whyNot: "the browser has no JSPI",
      make: () => (hasJspi() ? new JspiTransport(parts.requests) : null),
    },
    "blob-channel": {
      why: "it needs nothing but blobs",
      whyNot: "a blob of the page cannot be read while Python waits",
      make: () => (readsBlobUrls ? new BlobChannelTransport(parts.page, { ...parts, batch: request.blobBatch }) : null),
    },
    none: { why: "calls that wait fail", whyNot: "", make: () => null },
  };
  const { transport: wanted } = request;
  if (wanted !== null) {
    const transport = ways[wanted].make();
    if (transport === null && wanted !== "none") throw new Error(`The transport "${wanted}" is not available here.`);
    return { transport, kind: wanted, reason: "chosen by the page", readsBlobUrls };
  }
  const refused: string[] = [];
  for (const kind of ["shared-memory", "jspi", "blob-channel"] as const) {
    const { make, why, whyNot } = ways[kind];
    const transport = make();
    if (transport !== null) return { transport, kind, reason: [...refused, why].join("; "), readsBlobUrls };
    refused.push(whyNot);
  }
  return { transport: null, kind: "none", reason: [...refused, ways.none.why].join("; "), readsBlobUrls };
}

interface Way {
  readonly why: string;
  readonly whyNot: string;
  readonly make: () => BridgeTransport | null;
}

/** Whether Python can be suspended on a promise. */
export function hasJspi(): boolean {
  return "Suspending" in WebAssembly && "promising" in WebAssembly;
}

/** Tries it: browsers differ in which blobs a worker of an opaque origin may read. */
export function canReadBlobUrls(batch: readonly string[]): boolean {
  return batch.length > 0 && readySign(batch).every(isAlive);
}
