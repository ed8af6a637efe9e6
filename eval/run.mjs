#!/usr/bin/env node
// `npm run eval`: runs the tasks of this folder with each agent, in a real browser, and prints how they did.

import { fileURLToPath } from "node:url";

import { ensureDependencies } from "../.ci/set-up.mjs";

ensureDependencies();

// Node 20 cannot run TypeScript; vite can, and is there anyway. What is imported has modules that the plugins of the page make.
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { loadConfigFromFile, runnerImport } = await import("vite");
const { config } = await loadConfigFromFile({ command: "serve", mode: "production" }, here("./vite.config.ts"));
const { module } = await runnerImport(here("./main.ts"), { configFile: false, plugins: config.plugins });
process.exitCode = await module.main(process.argv.slice(2));
