#!/usr/bin/env node
// `npm run tokens`: counts what tools take in a prompt, and how well tools.search finds them. No key, no network but npm's.

import { fileURLToPath } from "node:url";

import { ensureDependencies } from "../../.ci/set-up.mjs";

ensureDependencies();

// Node 20 cannot run TypeScript; vite can, and is there anyway.
const { createServer } = await import("vite");
const server = await createServer({
  configFile: false,
  logLevel: "error",
  appType: "custom",
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { main } = await server.ssrLoadModule(fileURLToPath(new URL("./main.ts", import.meta.url)));
  process.exitCode = await main(process.argv.slice(2));
} finally {
  await server.close();
}
