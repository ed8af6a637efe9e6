#!/usr/bin/env node
// `npm run test:walls`: the escape suite without each of its walls in turn. Writes record.json and the threat model.
//
//   npm run test:walls -- --engine chromium --wall policy
//   npm run test:walls -- --lacks       only what each engine lacks

import { fileURLToPath } from "node:url";

import { ensureDependencies } from "../../../.ci/set-up.mjs";

ensureDependencies();

// Node 20 cannot run TypeScript; vite can, and is there anyway.
const { runnerImport } = await import("vite");
const { module } = await runnerImport(fileURLToPath(new URL("./main.ts", import.meta.url)), { configFile: false });
process.exitCode = await module.main(process.argv.slice(2));
