import {
  memoryStorage,
  Session,
  type SessionOptions,
  type TransportKind,
  type TrustLevel,
} from "../../../src/index.js";

/** A transport at a host, and how much of it a test may ask for. */
export interface Variant {
  readonly transport: TransportKind;
  readonly host: string;
  readonly trust: TrustLevel;
  readonly calls: number;
  readonly megabytes: number;
}

const many = { calls: 5000, megabytes: 50 };
const few = { calls: 100, megabytes: 10 };

const page = { host: "page", trust: "local" } as const;
const sealedFrame = { host: "sealed frame", trust: "sandboxed" } as const;

const jspi: readonly Variant[] = [
  // The frame is not part of the page's isolation, which is seen as well in few calls as in many.
  { transport: "jspi", ...sealedFrame, ...(crossOriginIsolated ? few : many) },
  // An isolated page takes shared memory there.
  ...(crossOriginIsolated ? [] : [{ transport: "jspi", ...page, ...many } as const]),
];
const shared: readonly Variant[] = [{ transport: "shared-memory", ...page, ...many }];
/** In the frame only: in Chromium nobody gets it unasked, and WebKitGTK has it at both hosts in the engines' suite. */
const blobChannel: readonly Variant[] = [{ transport: "blob-channel", ...sealedFrame, ...few, calls: 15 }];

/** What the page at hand can have: memory is shared only where it is cross-origin isolated. */
export const variants: readonly Variant[] = [...jspi, ...(crossOriginIsolated ? shared : blobChannel)];

/** Where Python cannot wait for the page at all. */
export const withoutTransport: readonly Variant[] = [{ transport: "none", ...sealedFrame, calls: 0, megabytes: 0 }];

/** What is not run here, with the reason. */
export const skipped: readonly string[] = crossOriginIsolated
  ? ["blob channel: it takes its time in Chromium and isolation changes nothing; the project browser runs it"]
  : ["shared memory: this page is not cross-origin isolated; the project browser-isolated runs it"];

export function openVariant({ transport, trust }: Variant, options: Partial<SessionOptions> = {}): Promise<Session> {
  return Session.open({ storage: memoryStorage(), transport, trust, ...options });
}
