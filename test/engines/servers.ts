import { startEverythingServer, type EverythingServer } from "../servers/mcp/everything-server.js";
import { startScriptedServer } from "../servers/mcp/scripted-server.js";
import { startStatelessServer } from "../servers/mcp/stateless-server.js";
import { startModelServer } from "../servers/model-server.js";
import { startPackageServer } from "../servers/package-server.js";
import { startToolServer } from "../servers/tool-server.js";
import type { ServerName } from "./suite/server-address.js";

export { startEverythingServer };

/** What one page of the suite talks to: its own, so that their logs tell of no other page. */
export interface SuiteServers {
  /** Parameters of the page's address. */
  readonly addresses: Readonly<Record<ServerName, string>>;
  close(): Promise<void>;
}

/** @param everything - a process of its own, which keeps no log and serves all pages. */
export async function startSuiteServers(everything: EverythingServer): Promise<SuiteServers> {
  const [models, tools, stateless, scripted, packages] = await Promise.all([
    startModelServer(),
    startToolServer(),
    startStatelessServer(),
    startScriptedServer(),
    startPackageServer(),
  ]);
  const [first = "", second = ""] = tools.origins;
  return {
    addresses: {
      models: models.origin,
      tools: first,
      toolsElsewhere: second,
      everything: everything.streamableHttp,
      everythingSse: everything.sse,
      stateless: stateless.url,
      scripted: scripted.origin,
      packages: packages.origin,
    },
    close: async () => {
      await Promise.all([models, tools, stateless, scripted, packages].map((server) => server.close()));
    },
  };
}
