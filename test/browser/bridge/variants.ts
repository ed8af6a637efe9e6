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

const everywhere: readonly Variant[] = [
  { transport: "jspi", ...page, ...many },
  { transport: "jspi", ...sealedFrame, ...many },
  { transport: "blob-channel", ...page, ...few },
  { transport: "blob-channel", ...sealedFrame, ...few },
];
const shared: readonly Variant[] = [{ transport: "shared-memory", ...page, ...many }];

/** What the page at hand can have: memory is shared only where it is cross-origin isolated. */
export const variants: readonly Variant[] = crossOriginIsolated ? [...everywhere, ...shared] : everywhere;

/** What it cannot have, with the reason. */
export const skipped: readonly string[] = crossOriginIsolated
  ? []
  : ["shared memory: this page is not cross-origin isolated; the project browser-isolated runs it"];

export function openVariant({ transport, trust }: Variant, options: Partial<SessionOptions> = {}): Promise<Session> {
  return Session.open({ storage: memoryStorage(), transport, trust, ...options });
}
