import {
  memoryStorage,
  Session,
  type SessionOptions,
  type TransportKind,
  type TrustLevel,
} from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";

/** A way to open sessions that an engine may offer. */
export interface Variant {
  readonly name: string;
  readonly trust: TrustLevel;
  /** Left to the session's own choice where it is not named. */
  readonly transport?: TransportKind;
  /** The cases of ours that are run. Default: all. */
  readonly cases?: readonly string[];
  /** The sections of the specification whose rows are run. Default: all. */
  readonly sections?: readonly string[];
  readonly isAvailable: boolean;
}

/** Whether the engine can suspend WebAssembly on a promise. */
export const hasJspi = "Suspending" in WebAssembly && "promising" in WebAssembly;

/**
 * What tells transports apart: calls, how they nest and overlap, sizes, errors, waiting, stopping. For a transport that
 * is tried beside the one that the session takes by itself, which runs everything.
 */
const transportCases: readonly string[] = [
  ...["bridge-2", "bridge-3", "bridge-6", "bridge-7", "bridge-8", "bridge-11", "bridge-17"],
  ...["stop-1", "stop-3", "stop-4", "stop-5", "stop-6", "stop-7", "stop-9", "stop-12", "stop-15"],
  ...["input-1", "input-2"],
];

/**
 * What the page host runs. The sealed frame, which sessions take by themselves, runs everything in each engine; the rows
 * on tools, skills, artifacts and packages are about the page's side, which is the same for both, and most cases of ours
 * about what goes on in the worker.
 */
const pageHostCases: Readonly<Record<string, Pick<Variant, "cases" | "sections">>> = {
  all: {},
  host: {
    sections: ["A. Execution and result", "H. Errors across the bridge"],
    cases: [...transportCases, "isolated-1"],
  },
  transport: { sections: [], cases: transportCases },
};

/** WebKitGTK calls a page isolated and gives it no shared memory all the same. */
const sharesMemory = crossOriginIsolated && typeof SharedArrayBuffer !== "undefined";

/** What this page can have. The sealed frame is another agent cluster: isolation of the page changes nothing in it. */
export const variants: readonly Variant[] = [
  { name: "sealed frame", trust: "sandboxed", isAvailable: !crossOriginIsolated },
  {
    name: "page host",
    trust: "local",
    isAvailable: true,
    ...pageHostCases[new URLSearchParams(location.search).get("cases") ?? "all"],
  },
  {
    name: "sealed frame, blob channel",
    trust: "sandboxed",
    transport: "blob-channel",
    sections: [],
    cases: transportCases,
    isAvailable: hasJspi && !crossOriginIsolated,
  },
];

/** What the session must choose by itself: the fastest that there is where it stands. */
export function expectedTransport({ trust, transport }: Variant): TransportKind {
  if (transport !== undefined) return transport;
  if (trust === "local" && sharesMemory) return "shared-memory";
  return hasJspi ? "jspi" : "blob-channel";
}

export function openVariant({ trust, transport }: Variant, options: Partial<SessionOptions> = {}): Promise<Session> {
  return Session.open({
    storage: memoryStorage(),
    trust,
    timeout: RUN,
    ...(transport === undefined ? {} : { transport }),
    ...options,
  });
}
