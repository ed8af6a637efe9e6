import {
  memoryStorage,
  Session,
  type SessionOptions,
  type TransportKind,
  type TrustLevel,
} from "../../../src/index.js";

/** A way to open sessions that an engine may offer. */
export interface Variant {
  readonly name: string;
  readonly trust: TrustLevel;
  /** Left to the session's own choice where it is not named. */
  readonly transport?: TransportKind;
  readonly isAvailable: boolean;
}

/** Whether the engine can suspend WebAssembly on a promise. */
export const hasJspi = "Suspending" in WebAssembly && "promising" in WebAssembly;

/** Transports that work everywhere, and are forced because the session would choose a faster one. */
const forced: readonly TransportKind[] = hasJspi ? ["blob-channel"] : [];

/** What this page can have. The sealed frame is another agent cluster: isolation of the page changes nothing in it. */
export const variants: readonly Variant[] = [
  { name: "sealed frame", trust: "sandboxed", isAvailable: !crossOriginIsolated },
  { name: "page host", trust: "local", isAvailable: true },
  ...forced.flatMap((transport): Variant[] => [
    { name: `sealed frame, ${transport}`, trust: "sandboxed", transport, isAvailable: !crossOriginIsolated },
    { name: `page host, ${transport}`, trust: "local", transport, isAvailable: !crossOriginIsolated },
  ]),
];

/** What the session must choose by itself: the fastest that there is where it stands. */
export function expectedTransport({ trust, transport }: Variant): TransportKind {
  if (transport !== undefined) return transport;
  // WebKitGTK calls a page isolated and gives it no shared memory all the same.
  if (trust === "local" && crossOriginIsolated && typeof SharedArrayBuffer !== "undefined") return "shared-memory";
  return hasJspi ? "jspi" : "blob-channel";
}

export function openVariant({ trust, transport }: Variant, options: Partial<SessionOptions> = {}): Promise<Session> {
  return Session.open({
    storage: memoryStorage(),
    trust,
    timeout: 60_000,
    ...(transport === undefined ? {} : { transport }),
    ...options,
  });
}
