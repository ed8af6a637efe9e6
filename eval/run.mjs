#!/usr/bin/env node
// `npm run eval`: runs the tasks of this folder with each agent, in a real browser, and prints how they did.

import { fileURLToPath } from "node:url";

import { ensureDependencies } from "../.ci/set-up.mjs";

ensureDependencies();

// Node 20 cannot run TypeScript; vite can, and is there anyway.
const { runnerImport } = await import("vite");
const { module } = await runnerImport(fileURLToPath(new URL("./main.ts", import.meta.url)), { configFile: false });
process.exitCode = await module.main(process.argv.slice(2));
