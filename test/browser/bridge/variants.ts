import {
  memoryStorage,
  Session,
  type SessionOptions,
  type TransportKind,
  type TrustLevel,
} from "../../../src/index.js";

/** A transport at a host. */
export interface Variant {
  readonly transport: TransportKind;
  readonly host: string;
  readonly trust: TrustLevel;
}

const jspi: readonly Variant[] = [
  { transport: "jspi", host: "page", trust: "local" },
  { transport: "jspi", host: "sealed frame", trust: "sandboxed" },
];
const shared: readonly Variant[] = [{ transport: "shared-memory", host: "page", trust: "local" }];

/** What the page at hand can have: memory is shared only where it is cross-origin isolated. */
export const variants: readonly Variant[] = crossOriginIsolated ? [...jspi, ...shared] : jspi;

/** What it cannot have, with the reason. */
export const skipped: readonly string[] = crossOriginIsolated
  ? []
  : ["shared memory: this page is not cross-origin isolated; the project browser-isolated runs it"];

export function openVariant({ transport, trust }: Variant, options: Partial<SessionOptions> = {}): Promise<Session> {
  return Session.open({ storage: memoryStorage(), transport, trust, ...options });
}
