import { startConformanceSuite } from "./conformance-suite.js";
import { startEverythingServer } from "./everything-server.js";
import { startScriptedServer } from "./scripted-server.js";
import { startStatefulServer } from "./stateful-server.js";
import { startStatelessServer } from "./stateless-server.js";

export interface McpServerAddresses {
  /** The official server-everything over Streamable HTTP. */
  readonly everything?: string;
  /** The same over SSE. */
  readonly everythingSse?: string;
  /** See stateless-server.ts. */
  readonly stateless?: string;
  /** The origin of stateful-server.ts, and of its desk. */
  readonly stateful?: string;
  readonly statefulDesk?: string;
  /** The origin of scripted-server.ts. */
  readonly scripted?: string;
  /** The origin of conformance-suite.ts. */
  readonly conformance?: string;
}

export interface McpServers {
  readonly addresses: McpServerAddresses;
  close(): Promise<void>;
}

export async function startMcpServers(): Promise<McpServers> {
  const [everything, stateless, stateful, scripted, conformance] = await Promise.all([
    startEverythingServer(),
    startStatelessServer(),
    startStatefulServer(),
    startScriptedServer(),
    startConformanceSuite(),
  ]);
  return {
    addresses: {
      everything: everything.streamableHttp,
      everythingSse: everything.sse,
      stateless: stateless.url,
      stateful: stateful.origin,
      statefulDesk: stateful.desk,
      scripted: scripted.origin,
      conformance: conformance.origin,
    },
    close: async () => {
      const servers = [everything, stateless, stateful, scripted, conformance];
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
