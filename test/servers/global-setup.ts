import type { TestProject } from "vitest/node";

import { startAimockServer } from "./aimock-server.js";
import { startEmbeddingServer } from "./embedding-server.js";
import { startImageServer } from "./image-server.js";
import { startMcpServers, type McpServerAddresses } from "./mcp/mcp-servers.js";
import { startModelServer } from "./model-server.js";
import { startPackageServer } from "./package-server.js";
import { startToolServer } from "./tool-server.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Origin of the server in tool-server.ts. */
    toolServer: string;
    /** All its origins, the one above first: a browser opens no more than six connections to each. */
    toolServers: readonly string[];
    /** Origin of the server in model-server.ts. */
    modelServer: string;
    /** Origin of the server in aimock-server.ts. */
    aimockServer: string;
    /** Origin of the server in embedding-server.ts. */
    embeddingServer: string;
    /** Origin of the server in package-server.ts. */
    packageServer: string;
    /** Origin of the server in image-server.ts. */
    imageServer: string;
    /** Addresses of the servers in the folder mcp; empty where no test needs them. */
    mcpServers: McpServerAddresses;
  }
}

/** Starts the servers that browser tests talk to; `inject("toolServer")` tells where one is. */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const [toolServer, modelServer, aimockServer, embeddingServer, packageServer, imageServer, mcpServers] =
    await Promise.all([
      startToolServer(),
      startModelServer(),
      startAimockServer(),
      startEmbeddingServer(),
      startPackageServer(),
      startImageServer(),
      // They are processes of their own, and their tests run in one project alone.
      project.name.startsWith("browser-") ? null : startMcpServers(),
    ]);
  const [origin = ""] = toolServer.origins;
  project.provide("toolServer", origin);
  project.provide("toolServers", toolServer.origins);
  project.provide("modelServer", modelServer.origin);
  project.provide("aimockServer", aimockServer.origin);
  project.provide("embeddingServer", embeddingServer.origin);
  project.provide("packageServer", packageServer.origin);
  project.provide("imageServer", imageServer.origin);
  project.provide("mcpServers", mcpServers?.addresses ?? {});
  return async () => {
    await Promise.all([
      mcpServers?.close(),
      toolServer.close(),
      modelServer.close(),
      aimockServer.close(),
      embeddingServer.close(),
      packageServer.close(),
      imageServer.close(),
    ]);
  };
}
