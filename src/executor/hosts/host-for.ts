import type { TrustLevel } from "../../protocol/index.js";
import { pageHost } from "./page-host.js";
import { sealedFrameHost } from "./sealed-frame-host.js";
import type { WorkerHost } from "./worker-host.js";

/** The host that belongs to a trust level. */
export function hostFor(trust: TrustLevel): WorkerHost {
  switch (trust) {
    case "local":
    case "isolated":
      return pageHost();
    case "sandboxed":
      return sealedFrameHost();
  }
}
