#!/usr/bin/env node
// `npm run packages`: checks packages in browsers and writes docs/packages.md.

import { fileURLToPath } from "node:url";

import { ensureDependencies } from "../../.ci/set-up.mjs";

ensureDependencies();

// Node 20 cannot run TypeScript; vite can, and is there anyway.
const { runnerImport } = await import("vite");
const { module } = await runnerImport(fileURLToPath(new URL("./commands.ts", import.meta.url)), { configFile: false });
process.exitCode = await module.main(process.argv.slice(2));
