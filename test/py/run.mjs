#!/usr/bin/env node
// `npm run py -- 'tools.search("csv")'`: runs Python in a real session, in a browser that nobody sees.

import { fileURLToPath } from "node:url";

import { ensureDependencies } from "../../.ci/set-up.mjs";

ensureDependencies();

// Node 20 cannot run TypeScript; vite can, and is there anyway.
const { runnerImport } = await import("vite");
const { module } = await runnerImport(fileURLToPath(new URL("./main.ts", import.meta.url)), { configFile: false });
process.exitCode = await module.main(process.argv.slice(2));
