import { memoryStorage, Session, type SessionOptions, type TrustLevel } from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";

/** The hosts that exist, by the trust level that has them. */
export const hosts: readonly { readonly host: string; readonly trust: TrustLevel }[] = [
  { host: "page", trust: "local" },
  { host: "sealed frame", trust: "sandboxed" },
];

/** A session on a storage of its own, whose runs have as long as tests wait. */
export function openSession(options: Partial<SessionOptions> = {}): Promise<Session> {
  return Session.open({ storage: memoryStorage(), timeout: RUN, ...options });
}
